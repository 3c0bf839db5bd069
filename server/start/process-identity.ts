import { execFile } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive, statFields } from '../platform/is-alive.ts';

export { isAlive } from '../platform/is-alive.ts';

const run = promisify(execFile);

/** The start time, undefined when there is no such process. With the pid it identifies one process for ever: pids are reused. */
export async function findStartTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await psColumn(pid, 'lstart')) || undefined;
  const fields = statFields(pid);
  return fields?.[0] === 'Z' ? undefined : fields?.[19]; // field 22 of proc(5), the state being field 3
}

/** The folder a process works in where the system reports it, else its whole command line. */
export async function findWhereabouts(pid: number): Promise<{ folder?: string; command?: string }> {
  const folder = process.platform === 'linux' ? await readlink(`/proc/${pid}/cwd`).catch(() => undefined) : undefined;
  return folder === undefined ? { command: await psColumn(pid, 'command') } : { folder };
}

/** True once the process is gone. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(15);
  }
  return true;
}

async function psColumn(pid: number, column: 'lstart' | 'command'): Promise<string> {
  const listed = await run('ps', ['-o', `${column}=`, '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return listed.stdout.trim();
}
