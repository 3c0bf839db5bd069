import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export { isAlive } from '../platform/is-alive.ts';

/** Pids of the processes that this one started and whose command line has these words. */
export function childrenOf(parent: number, words: string): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().split('\n');
  const rows = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  return rows.flatMap((row) => (row && Number(row[2]) === parent && row[3]?.includes(words) ? [Number(row[1])] : []));
}

/** The most memory this process has held at any moment of its life, where the kernel tells. */
export function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
