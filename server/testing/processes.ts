import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundleFolder } from '../platform/bundle.ts';

export { isAlive } from '../platform/is-alive.ts';

/** The setting that lets a console without pages (TELLTALE_DEV) run from the bundle of the tests, which loads in a third of the time. */
export const runsBundle = (): Record<string, string> => ({ TELLTALE_BUNDLE: bundleFolder() ?? '' });

/** Pids of this process's children whose command line contains these words. */
export function childrenOf(parent: number, words: string): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().split('\n');
  const rows = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  return rows.flatMap((row) => (row && Number(row[2]) === parent && row[3]?.includes(words) ? [Number(row[1])] : []));
}

/** The peak memory of a process, where the kernel reports it. */
export function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
