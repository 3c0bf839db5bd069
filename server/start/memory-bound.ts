import { totalmem } from 'node:os';

const mebibyte = 1024 ** 2;

/**
 * The memory limit of one process of the embedded PostgreSQL, beside the shared memory: `work_mem` limits neither aggregates nor long
 * texts, and one SELECT could take all memory of the machine. A twelfth of the machine, because six of them may run at once.
 */
export const usualBackendBytes = (machineBytes = totalmem()): number =>
  Math.min(1024 * mebibyte, Math.max(384 * mebibyte, Math.floor(machineBytes / 12)));

/**
 * The command with that limit (RLIMIT_DATA, which Linux counts by private memory alone; 0 is no limit). A process that asks for more gets
 * "out of memory": its statement fails, and other processes are not affected. Other systems know no such limit.
 */
export function withMemoryBound(command: string, args: readonly string[], bytes: number): [command: string, args: string[]] {
  if (process.platform !== 'linux' || bytes === 0) return [command, [...args]];
  const script = 'ulimit -d "$0" 2>/dev/null; exec "$@"';
  return ['/bin/sh', ['-c', script, String(Math.ceil(bytes / 1024)), command, ...args]];
}
