import { spawnSync } from 'node:child_process';

/** The usual path of the program; an executor has no PATH. */
const unshare = '/usr/bin/unshare';

/** The capabilities that an executor lacks (security 7). */
export type Seal = 'network' | 'network and writing';

const known = new Map<Seal, readonly string[]>();

/**
 * Returns a command prefix that runs a program without a network, in an empty network namespace, and optionally with a read-only view of
 * the folder for files. Linux allows both to root, and to other users where user namespaces are allowed. The prefix contains as much as the
 * system allows, perhaps nothing. Throws when that cannot be determined: a temporary lack of files or processes must not give a program a
 * network.
 */
export function sealing(seal: Seal, folder: string): readonly string[] {
  const way = known.get(seal) ?? (process.platform === 'linux' ? waysTo(seal).find(works) : undefined) ?? [];
  known.set(seal, way);
  return way.map((part) => (part === folderPlace ? folder : part));
}

const withoutNetwork = [
  [unshare, '--net', '--'],
  [unshare, '--user', '--map-current-user', '--net', '--'],
];

const folderPlace = '{folder}';
const mount = 'mount -o bind,ro "$0" "$0"';
/** A missing folder needs no protection, and where the mount fails the engine's own checks still apply. */
const mountThenRun = `test -d "$0" && ${mount} 2>/dev/null; exec "$@"`;
/** Mounting needs root inside a user namespace, which has no more rights outside than the user. */
const withoutWriting = [
  [unshare, '--net', '--mount', '--'],
  [unshare, '--user', '--map-root-user', '--net', '--mount', '--'],
].map((way) => [...way, '/bin/sh', '-c', mountThenRun, folderPlace]);

const waysTo = (seal: Seal) => (seal === 'network' ? withoutNetwork : [...withoutWriting, ...withoutNetwork]);

/** Tries the prefix with a folder that always exists. */
function works(way: readonly string[]): boolean {
  const tried = new Map([
    [folderPlace, '/usr'],
    [mountThenRun, `${mount} && exec "$@"`],
  ]);
  const [command = '', ...args] = way.map((part) => tried.get(part) ?? part);
  const { status, error } = spawnSync(command, [...args, '/bin/true'], { stdio: 'ignore', timeout: 2000, env: path });
  if (status !== null) return status === 0;
  if (error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) return false;
  throw error ?? new Error(`${command} was killed`);
}

/** The PATH for finding `mount`; it contains no secret. */
export const path = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
