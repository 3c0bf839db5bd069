import { ahead } from './ahead.ts';
import { type Deflated, Deflater, type Source } from './chunk.ts';

interface Piece {
  bytes: Uint8Array;
  /** When nobody needs the bytes any more. */
  release?: () => void;
}

/** Pieces, deflated one after another on one of zlib's threads while the next ones are made. */
export async function* deflated<T extends Piece>(pieces: Source<T>): AsyncGenerator<Omit<T, keyof Piece> & Deflated> {
  const deflater = new Deflater();
  const work = async ({ bytes, release, ...piece }: T) => {
    const done = await deflater.deflate(bytes);
    release?.();
    return { ...piece, ...done };
  };
  try {
    yield* ahead(pieces, work, 3);
  } finally {
    deflater.close();
  }
}
