import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { hasCode, replaceFile } from './atomic-file.ts';
import { chooseUnprivilegedUser, findClosedFolder, isRoot, listSystemUsers, type SystemUser } from './folder-access.ts';
import { findServer, stopServer } from './postgres-process.ts';
import { StartError } from './start-error.ts';

export const major = 18;
const systemFolder = '/var/lib/telltale';

const Credentials = z.object({
  superuserPassword: z.string().min(20),
  ownerPassword: z.string().min(20),
  /** Set only when the cluster had to leave the data folder; otherwise it moves with the data folder. */
  movedTo: z.string().optional(),
});

export interface ClusterPlace {
  /** The folder that holds the cluster, and a copy of the binaries if one is needed. */
  home: string;
  folder: string;
  /** The user that PostgreSQL runs as; undefined for our own. */
  user?: SystemUser;
  movedTo?: string;
  credentials: z.infer<typeof Credentials>;
}

/** The place of the cluster and its user. A place once chosen stays, or the data would seem lost. */
export async function chooseClusterPlace(dataFolder: string): Promise<ClusterPlace> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const data = await realpath(dataFolder);
  const file = join(data, `postgres-${major}.json`);
  const known = await readCredentials(file);
  const user = isRoot() ? await getClusterUser(join(known?.movedTo ?? data, `postgres-${major}`)) : undefined;
  const movedTo = known ? known.movedTo : user && (await mustMove(data, user)) ? systemFolderOf(data) : undefined;
  if (user) await letEnter(movedTo ?? data, user);
  const home = await realpath(movedTo ?? data); // a server is recognised by the folder it works in, which has no links
  const folder = join(home, `postgres-${major}`);
  if (known) return { home, folder, user, movedTo, credentials: known };

  if (await exists(folder)) {
    if (!movedTo) throw new StartError(`The passwords of the database in ${folder} are missing: put ${file} back from a backup.`);
    await setAside(folder);
  }
  const credentials = { superuserPassword: newPassword(), ownerPassword: newPassword(), movedTo };
  await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return { home, folder, user, movedTo, credentials };
}

async function readCredentials(file: string) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  return text === undefined ? undefined : Credentials.parse(JSON.parse(text));
}

/** An existing cluster keeps its owner: only that user can read it. */
async function getClusterUser(folder: string): Promise<SystemUser> {
  const users = await listSystemUsers();
  const owner = await stat(folder).catch(() => undefined);
  if (owner && owner.uid !== 0) {
    return users.find((user) => user.uid === owner.uid) ?? { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const user = chooseUnprivilegedUser(users);
  if (!user) throw new StartError('PostgreSQL refuses to run as root and there is no user telltale, postgres or nobody to run it as.');
  return user;
}

/** We may open the data folder itself for passing through; its ancestors are not ours to change. */
async function mustMove(data: string, user: SystemUser): Promise<boolean> {
  if (await exists(join(data, `postgres-${major}`))) return false;
  return (await findClosedFolder(dirname(data), user)) !== undefined;
}

async function letEnter(home: string, user: SystemUser): Promise<void> {
  const made = await mkdir(home, { recursive: true });
  for (const folder of made ? [dirname(home), home] : []) if (folder.startsWith(made ?? '')) await chmod(folder, 0o711);
  const closed = await findClosedFolder(home, user);
  if (closed === home) await chmod(home, (await stat(home)).mode | 0o011);
  else if (closed) {
    throw new StartError(`The database in ${home} runs as ${user.name}, who may not enter ${closed}: allow it with chmod o+x ${closed}`);
  }
}

/** The data folder was emptied but its moved cluster still exists: it is renamed, nothing is deleted. */
async function setAside(folder: string): Promise<void> {
  const server = await findServer(folder);
  if (server) await stopServer(server.pid);
  await rename(folder, `${folder}.set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
}

function systemFolderOf(data: string): string {
  return join(systemFolder, `${basename(data)}-${createHash('sha256').update(data).digest('hex').slice(0, 12)}`);
}

const newPassword = () => randomBytes(24).toString('base64url');
const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
