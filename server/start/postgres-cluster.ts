import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from './atomic-file.ts';
import { spawnAs } from './folder-access.ts';
import { binary, type PostgresBinaries } from './postgres-binaries.ts';
import { type ClusterPlace, major } from './postgres-place.ts';
import { StartError } from './start-error.ts';

const run = promisify(execFile);

/** Makes the cluster beside its place and moves it there when it is complete: kill -9 leaves nothing half-made. */
export async function ensureCluster({ home, folder, user, credentials }: ClusterPlace, binaries: PostgresBinaries, durable: boolean) {
  await refuseOtherVersions(home, folder);
  if (await exists(join(folder, 'PG_VERSION'))) return;
  const draft = `${folder}.${randomBytes(4).toString('hex')}.tmp`;
  const passwordFile = join(draft, 'password');
  const cluster = join(draft, 'cluster');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, credentials.superuserPassword, { mode: 0o600 });
  if (user) for (const path of [draft, passwordFile, cluster]) await chown(path, user.uid, user.gid);
  const how = ['-D', cluster, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  // The built-in provider sorts by code point and folds case by Unicode on every machine alike, whatever its C library.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [...how, ...locale, '--no-instructions', ...(durable ? [] : ['--no-sync'])];
  await run(binary(binaries, 'initdb'), args, { cwd: home, env: { LC_ALL: 'C' }, ...spawnAs(user) }).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StartError(`PostgreSQL could not make its cluster in ${folder}: ${said || String(error)}`, { cause: error });
  });
  await rename(cluster, folder);
  if (durable) await syncFolder(dirname(folder));
  await rm(draft, { recursive: true, force: true });
}

/** Removes the drafts of a start that was killed, as far as this user may. */
export async function removeDrafts(home: string): Promise<void> {
  const drafts = (await readdir(home)).filter((name) => /^postgres-.*\.tmp$/.test(name));
  await Promise.allSettled(drafts.map((name) => rm(join(home, name), { recursive: true, force: true, maxRetries: 3 })));
}

async function refuseOtherVersions(home: string, folder: string): Promise<void> {
  const inside = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (inside?.trim() === String(major)) return;
  if (inside) throw otherVersion(folder, inside.trim());
  for (const name of await readdir(home)) {
    const other = /^postgres-(\d+)$/.exec(name)?.[1];
    if (other && (await exists(join(home, name, 'PG_VERSION')))) throw otherVersion(join(home, name), other);
  }
}

function otherVersion(folder: string, version: string): StartError {
  return new StartError(
    `${folder} is a cluster of PostgreSQL ${version}, this version of Telltale brings PostgreSQL ${major}. ` +
      'Restore a backup into a new data folder (TELLTALE_DATA), or start the version of Telltale that made it.',
  );
}

const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
