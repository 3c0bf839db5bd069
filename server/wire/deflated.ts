import { ahead } from './ahead.ts';
import { free } from './byte-sink.ts';
import { type Deflated, Deflater, type Source } from './chunk.ts';

/** Pieces, deflated one after another on one of zlib's threads while the next ones are made. Their bytes are given away. */
export async function* deflated<T extends { bytes: Uint8Array }>(pieces: Source<T>): AsyncGenerator<Omit<T, 'bytes'> & Deflated> {
  const deflater = new Deflater();
  const work = async ({ bytes, ...piece }: T) => {
    const done = await deflater.deflate(bytes);
    free(bytes);
    return { ...piece, ...done };
  };
  try {
    yield* ahead(pieces, work, 3);
  } finally {
    deflater.close();
  }
}
