import type { Ctx } from '../platform/context.ts';
import { poolOf } from '../platform/database.ts';
import { type Chunk, ChunkError } from '../wire/chunk.ts';
import { copyChunks, readChunkRows } from './chunks.store.ts';
import { areHere, ObjectReader, type StoredChunk } from './object-reader.ts';
import type { ResultRow } from './results.store.ts';

/** The places where chunks are stored. */
type Stores = Pick<Ctx, 'db' | 'objects'>;

/** Most results have one chunk, and many readers want only the beginning: these come with one prepared statement. */
const first = 2;
/** Further chunks come so many at a time, about a megabyte, so that a large result is never in memory as a whole. */
const atOnce = 16;
/** Of chunks in an object store only their places are read. */
const placesAtOnce = 512;

/** Yields a result's chunks in order, and loads the next ones while these are used. */
export const readChunks = (stores: Stores, result: Pick<ResultRow, 'id' | 'row_count'>): AsyncGenerator<Chunk> =>
  allOf(askForChunks(stores, result.id), result);

/** Requests the chunks before the result itself is known; allOf() checks them against it. */
export function askForChunks({ db, objects }: Stores, resultId: number): AsyncGenerator<Chunk> {
  const pool = poolOf(db);
  const ask = (seq: number, count: number) => {
    const asked = seq > 0 && pool ? copyChunks(pool, resultId, seq, count) : readChunkRows(db, resultId, seq, count);
    asked.catch(() => {}); // reported when its turn comes, or not at all when the reader has left
    return asked;
  };
  return inTurn(ask(0, first), ask, new ObjectReader(objects));
}

async function* inTurn(
  begun: Promise<StoredChunk[]>,
  ask: (seq: number, count: number) => Promise<StoredChunk[]>,
  objects: ObjectReader,
): AsyncGenerator<Chunk> {
  let [next, seq, count] = [begun, 0, first];
  for (;;) {
    const chunks = await next;
    const isLast = chunks.length < count;
    [seq, count] = [seq + count, chunks.at(-1)?.data === null ? placesAtOnce : atOnce];
    if (!isLast) next = ask(seq, count);
    if (areHere(chunks)) yield* chunks;
    else yield* objects.read(chunks);
    if (isLast) return;
  }
}

/** A result that is deleted while it is read (W25, or with its source) must not look like one that has ended. */
export async function* allOf(chunks: AsyncIterable<Chunk>, { row_count }: Pick<ResultRow, 'row_count'>): AsyncGenerator<Chunk> {
  let rows = 0;
  for await (const chunk of chunks) {
    rows += chunk.rows;
    yield chunk;
  }
  if (rows !== row_count) throw new ChunkError(`A stored result has ${rows} rows instead of ${row_count}.`);
}
