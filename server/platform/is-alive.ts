import { readFileSync } from 'node:fs';

/**
 * A process that has ended but was not collected by its parent counts as gone: some containers never collect orphans. A
 * negative number is a group, which is alive as long as one of its processes is.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || statFields(pid)?.[0] !== 'Z';
}

/** The fields of /proc/pid/stat after the command, which may itself hold blanks and brackets; the state is first. */
export function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
