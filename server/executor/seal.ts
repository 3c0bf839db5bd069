import { spawnSync } from 'node:child_process';

/** Where systems keep it; an executor has no PATH to look in. */
const unshare = '/usr/bin/unshare';

let known: readonly string[] | undefined;

/**
 * What has to stand before a command so that it runs without a network (security 7): a network of its own, with nothing in
 * it. Linux gives one to root, and to others where it lets them be root among themselves. Empty where it does not. Throws when
 * that could not be found out just now: nobody gets a network because files or processes were short for a moment.
 */
export function withoutNetwork(): readonly string[] {
  known ??= process.platform === 'linux' ? (ways.find(works) ?? []) : [];
  return known;
}

const ways = [
  [unshare, '--net', '--'],
  [unshare, '--user', '--map-current-user', '--net', '--'],
];

function works([command = '', ...args]: readonly string[]): boolean {
  const { status, error } = spawnSync(command, [...args, '/bin/true'], { stdio: 'ignore', timeout: 2000 });
  if (status !== null) return status === 0;
  if (error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) return false;
  throw error ?? new Error(`${command} was killed`);
}
