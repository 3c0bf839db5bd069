import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** The users that PostgreSQL runs as when we are root, because it refuses to run as root. */
const preferred = ['telltale', 'postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export async function listSystemUsers(): Promise<SystemUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').filter((line) => !line.startsWith('#'));
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : []; // macOS writes the uid of `nobody` as -2
  });
}

export function chooseUnprivilegedUser(users: SystemUser[]): SystemUser | undefined {
  return preferred.map((name) => users.find((user) => user.name === name && user.uid !== 0)).find(Boolean);
}

/** Options of spawn() that make the child this user; its other groups are dropped by Node. */
export function spawnAs(user: SystemUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid | 0, gid: user.gid | 0 } : {};
}

/** The first folder, from the root down to the path itself, that the user may not enter; undefined when all are open. */
export async function findClosedFolder(path: string, user: SystemUser): Promise<string | undefined> {
  for (const folder of ancestors(resolve(path))) {
    if (!(await mayAccess(folder, user, 0o1))) return folder;
  }
  return undefined;
}

/** The three mode bits (4 read, 2 write, 1 enter or run) that apply to this user. Access lists are ignored. */
export async function mayAccess(path: string, user: SystemUser, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestors(parent), path];
}
