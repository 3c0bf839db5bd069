import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { ahead } from './ahead.ts';
import { type Chunk, ChunkError, inflateChunk, type Source } from './chunk.ts';

const comma = 0x2c;

/** The rows of inflated bytes, with or without the leading comma. */
export function parseRows(bytes: Buffer): ResultRow[] {
  try {
    return JSON.parse(`[${bytes.toString('utf8', bytes[0] === comma ? 1 : 0)}]`);
  } catch (cause) {
    throw new ChunkError('A stored result chunk is not valid JSON.', { cause });
  }
}

/** Yields only the chunks with the rows `from` up to `from + limit`, each with its wanted part. */
async function* wanted(chunks: Source<Chunk>, from: number, limit: number) {
  let first = 0;
  for await (const chunk of chunks) {
    const start = Math.max(0, from - first);
    const end = Math.min(chunk.rows, from + limit - first);
    if (start < end) yield { chunk, start, end };
    first += chunk.rows;
    if (first >= from + limit) return;
  }
}

/** Yields rows in batches, one per chunk; chunks outside the range are not inflated, and those past its end are not loaded. */
export async function* readRows(
  chunks: Source<Chunk>,
  { from = 0, limit = Number.POSITIVE_INFINITY }: { from?: number; limit?: number } = {},
): AsyncGenerator<ResultRow[]> {
  const inflated = ahead(wanted(chunks, from, limit), async (part) => ({ ...part, bytes: await inflateChunk(part.chunk) }), 1);
  for await (const { chunk, bytes, start, end } of inflated) {
    const rows = parseRows(bytes);
    yield start === 0 && end === chunk.rows ? rows : rows.slice(start, end);
  }
}
