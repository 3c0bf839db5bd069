import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { createOutgoingHttp } from '../../platform/outgoing.ts';
import type { Chunk } from '../../wire/chunk.ts';
import type { ChunkWriterOptions } from '../../wire/chunk-writer.ts';
import { readRows } from '../../wire/read-rows.ts';
import type { Connection, Connector, ConnectorEnv, Statement } from '../connector.ts';
import { Sink } from '../sink.ts';

export interface Table {
  columns: ResultColumn[];
  rows: ResultRow[];
  log: string[];
}

export interface RunOptions extends Omit<Statement, 'query'> {
  signal?: AbortSignal;
  chunks?: ChunkWriterOptions;
}

/** Returns what a reader of the stored result sees: the chunks are decoded again. */
export async function runTable(connection: Connection, query: string, options: RunOptions = {}): Promise<Table> {
  const { signal = new AbortController().signal, chunks: writing, ...statement } = options;
  const chunks: Chunk[] = [];
  const sink = new Sink((chunk) => void chunks.push(chunk), writing);
  await connection.run({ query, ...statement }, sink, signal);
  const { columns, log } = await sink.finish();
  const rows: ResultRow[] = [];
  for await (const batch of readRows(chunks)) rows.push(...batch);
  return { columns, rows, log };
}

/** An environment that only allows connections to the loopback. */
export const testEnv = (env: Partial<ConnectorEnv> = {}): ConnectorEnv => ({
  filesFolder: '/nonexistent',
  http: createOutgoingHttp({ allowPrivate: ['127.0.0.0/8', '::1'] }),
  ...env,
});

/** Opens a connection, runs a query and closes it. */
export async function runOnce(
  connector: Connector,
  options: Record<string, unknown>,
  query: string,
  { env, ...more }: RunOptions & { env?: Partial<ConnectorEnv> } = {},
): Promise<Table> {
  const connection = await connector.open(options, testEnv(env), more.signal ?? new AbortController().signal);
  try {
    return await runTable(connection, query, more);
  } finally {
    await connection.close();
  }
}
