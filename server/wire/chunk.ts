import { promisify } from 'node:util';
import { constants, crc32, inflateRaw, inflateRawSync } from 'node:zlib';
import { deflateText, type Repetitive } from './deflate/deflate-text.ts';

/**
 * A piece of a stored result. `data` is raw deflate that begins with an empty window and ends with a full flush on a
 * byte boundary, so pieces of any origin join into one deflate stream. Inflated, the pieces join into the inside of
 * the JSON array of rows: every piece but the first begins with a comma.
 */
export interface Chunk {
  data: Uint8Array;
  /** Bytes when inflated. */
  length: number;
  /** The checksum of the inflated bytes. */
  crc32: number;
  rows: number;
}

export type Deflated = Omit<Chunk, 'rows'>;
export type Source<T> = AsyncIterable<T> | Iterable<T>;

/** A stored chunk differs from what was written. */
export class ChunkError extends Error {
  override name = 'ChunkError';
}

const inflateAsync = promisify<Uint8Array, object, Buffer>(inflateRaw);

export const deflate = (bytes: Uint8Array, by?: Repetitive): Deflated => ({
  data: deflateText(bytes, by),
  length: bytes.length,
  crc32: crc32(bytes),
});

/** A full flush ends with an empty stored block; a piece without one was cut. */
export function isWhole({ data }: Pick<Chunk, 'data'>): boolean {
  const n = data.length;
  return n > 4 && data[n - 4] === 0 && data[n - 3] === 0 && data[n - 2] === 0xff && data[n - 1] === 0xff;
}

/** Larger chunks are inflated in another thread; for smaller ones the way there costs as much as the work. */
const syncBytes = 64 * 1024;

/** The rows' bytes, checked against length and checksum. */
export async function inflateChunk(chunk: Deflated): Promise<Buffer> {
  requireWhole(chunk);
  const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: Math.max(64, chunk.length), maxOutputLength: chunk.length + 1 };
  let bytes: Buffer;
  try {
    bytes = chunk.length > syncBytes ? await inflateAsync(chunk.data, options) : inflateRawSync(chunk.data, options);
  } catch (cause) {
    throw new ChunkError('A stored result chunk cannot be decompressed.', { cause });
  }
  requireSame(chunk, bytes);
  return bytes;
}

export function requireWhole(chunk: Pick<Chunk, 'data'>): void {
  if (!isWhole(chunk)) throw new ChunkError('A stored result chunk is cut short.');
}

/** Checks that these are the bytes that were deflated. */
export function requireSame(chunk: Deflated, bytes: Uint8Array): void {
  if (bytes.length !== chunk.length) throw new ChunkError(`A stored result chunk has ${bytes.length} bytes instead of ${chunk.length}.`);
  if (crc32(bytes) !== chunk.crc32) throw new ChunkError('A stored result chunk does not match its checksum.');
}
