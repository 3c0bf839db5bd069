import { ahead } from './ahead.ts';
import { free } from './byte-sink.ts';
import { type Chunk, type Deflated, deflate, inflateChunk, requireWhole, type Source } from './chunk.ts';
import { combineCrc32 } from './crc32.ts';
import { deflated } from './deflated.ts';

/** Magic, deflate, no flags, no time, no extra flags, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty last block: everything before it ends with a flush. */
export const finalBlock = Buffer.from([0x03, 0x00]);

/**
 * Joins the envelope and stored chunks into one gzip member, without inflating anything. There must be a single member: Chromium and curl
 * stop after the first of several (design 9).
 */
export async function* gzipFrame(prefix: string, chunks: Source<Deflated>, suffix: string): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  let size = 0;
  const add = (piece: Deflated): Uint8Array => {
    checksum = combineCrc32(checksum, piece.crc32, piece.length);
    size += piece.length;
    return piece.data;
  };
  yield Buffer.concat([header, add(deflate(Buffer.from(prefix)))]);
  for await (const chunk of chunks) {
    requireWhole(chunk);
    yield add(chunk);
  }
  const last = add(deflate(Buffer.from(suffix)));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  yield Buffer.concat([last, finalBlock, trailer]);
}

/** The same bytes for a client without gzip; each chunk is checked. */
export async function* plainFrame(prefix: string, chunks: Source<Chunk>, suffix: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(prefix);
  yield* ahead(chunks, inflateChunk);
  yield Buffer.from(suffix);
}

/** Compresses a file of short fields to one gzip member. It takes over the pieces' memory, which must be their own. */
export const gzipped = (pieces: Source<Uint8Array>): AsyncGenerator<Uint8Array> => gzipFrame('', deflated(givenAway(pieces), 'fields'), '');

async function* givenAway(pieces: Source<Uint8Array>) {
  for await (const bytes of pieces) yield { bytes, release: () => free(bytes) };
}
