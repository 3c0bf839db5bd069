import { readFile } from 'node:fs/promises';
import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { type Done, ExecutorPool } from '../../executor/pool.ts';
import type { Source } from '../../executor/protocol.ts';
import { createLogger } from '../../platform/log.ts';
import { childrenOf as processesOf } from '../../testing/processes.ts';
import type { Chunk } from '../../wire/chunk.ts';
import type { ResultLimits } from '../../wire/limits.ts';
import { readRows } from '../../wire/read-rows.ts';
import type { ResultReader } from '../connector.ts';

/** What their command line contains. */
const executor = 'executor/child.ts';

interface PoolRun {
  signal?: AbortSignal;
  limits?: Partial<ResultLimits>;
  results?: ResultReader;
  /** Called for each chunk, before it counts as stored. */
  chunk?: (chunk: Chunk) => Promise<void>;
  /** True when the rows of a large result are only counted. */
  isCounted?: boolean;
}

export interface Executors {
  pool: ExecutorPool;
  run(source: Omit<Source, 'key'>, query: string, more?: PoolRun): Promise<{ done: Done; rows: ResultRow[] }>;
  /** Ids of the current executor processes. */
  pids(): Promise<number[]>;
  close(): Promise<void>;
}

/** Runs statements like a worker: each in its own process. */
export function startExecutors(filesFolder = '/nonexistent', largest = 4): Executors {
  // Files share their process: those of an earlier one may still be leaving.
  const earlier = new Set(processesOf(process.pid, executor));
  const pool = new ExecutorPool({ filesFolder, allowPrivate: [] }, createLogger('silent'), largest);
  return {
    pool,
    async run(source, query, { signal = new AbortController().signal, limits = {}, results, chunk: store, isCounted } = {}) {
      const chunks: Chunk[] = [];
      const done = await pool.perform(
        { kind: 'run', source: { key: JSON.stringify(source), ...source }, statement: { query }, limits },
        {
          results,
          chunk: async (chunk) => {
            await store?.(chunk);
            if (!isCounted) chunks.push(chunk);
          },
        },
        signal,
      );
      return { done, rows: (await Array.fromAsync(readRows(chunks))).flat() };
    },
    pids: async () => (await childrenOf(process.pid)).filter((pid) => !earlier.has(pid)),
    close: () => pool.close(),
  };
}

/** The executor processes of a worker. */
export const childrenOf = async (pid: number): Promise<number[]> => processesOf(pid, executor);

/** The resident memory of a process in megabytes. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
