import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Source } from '../../executor/protocol.ts';
import { findConnector } from '../index.ts';
import { childrenOf } from './executors.ts';

export { isAlive } from '../../testing/processes.ts';

export interface DoomedWorker {
  pid: number;
  executorPid: number;
  kill(): void;
}

/** Starts a separate worker with a busy executor, for tests that kill one of them. */
export async function startDoomedWorker(source: Omit<Source, 'key'>, query: string, filesFolder = '/nonexistent'): Promise<DoomedWorker> {
  const script = fileURLToPath(new URL('./doomed-worker.ts', import.meta.url));
  const worker = spawn(process.execPath, [script, JSON.stringify({ source, query, filesFolder })], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const pid = worker.pid ?? 0;
  // An embedded engine has its own executor, besides the one that is kept warm.
  const count = findConnector(source.type)?.isEmbedded ? 2 : 1;
  await expect.poll(() => childrenOf(pid)).toHaveLength(count);
  const executorPid = (await childrenOf(pid)).at(-1) ?? 0;
  return { pid, executorPid, kill: () => void worker.kill('SIGKILL') };
}
