import { sql } from 'kysely';
import type pg from 'pg';
import { copyOut } from '../platform/copy-out.ts';
import { type Db, poolOf } from '../platform/database.ts';
import { type Chunk, ChunkError } from '../wire/chunk.ts';
import type { ResultRow } from './results.store.ts';

/** Most results have one chunk, and many readers want only the beginning: that is a statement that is planned already. */
const first = 2;
/** The others come so many at a time, about a megabyte, so that a large result is never in memory as a whole. */
const atOnce = 16;

/** A result's chunks in their order, the next ones asked for while these are used. */
export const readChunks = (db: Db, result: Pick<ResultRow, 'id' | 'row_count'>): AsyncGenerator<Chunk> =>
  allOf(askForChunks(db, result.id), result);

/** The same, asked for at once, before the result itself is known; to be held against it by allOf(). */
export function askForChunks(db: Db, resultId: number): AsyncGenerator<Chunk> {
  const pool = poolOf(db);
  const ask = (seq: number, count: number) => {
    const asked = seq > 0 && pool ? byCopy(pool, resultId, seq, count) : byStatement(db, resultId, seq, count);
    asked.catch(() => {}); // reported when its turn comes, or not at all when the reader has left
    return asked;
  };
  return inTurn(ask(0, first), ask);
}

async function* inTurn(begun: Promise<Chunk[]>, ask: (seq: number, count: number) => Promise<Chunk[]>): AsyncGenerator<Chunk> {
  let [next, seq, count] = [begun, 0, first];
  for (;;) {
    const chunks = await next;
    const isLast = chunks.length < count;
    [seq, count] = [seq + count, atOnce];
    if (!isLast) next = ask(seq, count);
    yield* chunks;
    if (isLast) return;
  }
}

/** A result that goes while it is read (W25, or with its source) must not look like one that has ended. */
export async function* allOf(chunks: AsyncIterable<Chunk>, { row_count }: Pick<ResultRow, 'row_count'>): AsyncGenerator<Chunk> {
  let rows = 0;
  for await (const chunk of chunks) {
    rows += chunk.rows;
    yield chunk;
  }
  if (rows !== row_count) throw new ChunkError(`A stored result has ${rows} rows instead of ${row_count}.`);
}

async function byStatement(db: Db, resultId: number, seq: number, count: number): Promise<Chunk[]> {
  const { rows } = await sql<Chunk & { seq: number }>`
    select seq, rows, length, crc32, data from query_result_chunks
    where result_id = ${resultId} and seq >= ${seq} and seq < ${seq + count} order by seq`.execute(db);
  return rows;
}

/** Half as many bytes cross the line, and nobody prints or reads digits. */
async function byCopy(pool: pg.Pool, resultId: number, seq: number, count: number): Promise<Chunk[]> {
  const [id, from, to] = [resultId, seq, seq + count].map(Math.trunc);
  const rows = await copyOut(
    pool,
    `select rows, length, crc32, data from query_result_chunks where result_id = ${id} and seq >= ${from} and seq < ${to} order by seq`,
  );
  return rows.map(([rows, length, crc32, data]) => ({
    rows: rows?.readInt32BE() ?? 0,
    length: length?.readInt32BE() ?? 0,
    crc32: Number(crc32?.readBigInt64BE() ?? 0),
    data: data ?? Buffer.alloc(0),
  }));
}
