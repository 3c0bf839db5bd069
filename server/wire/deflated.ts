import { setImmediate } from 'node:timers/promises';
import { type Deflated, deflate, type Source } from './chunk.ts';
import { pieceBytes, type Repetitive } from './deflate/deflate-text.ts';

interface Piece {
  bytes: Uint8Array;
  /** When nobody needs the bytes any more. */
  release?: () => void;
}

/** Pieces, deflated one after another; those of a large one each for themselves, so that others have their turn between. */
export async function* deflated<T extends Piece>(pieces: Source<T>, by?: Repetitive): AsyncGenerator<Omit<T, keyof Piece> & Deflated> {
  for await (const { bytes, release, ...piece } of pieces) {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (at > 0) await setImmediate();
      yield { ...piece, ...deflate(bytes.subarray(at, at + pieceBytes), by) };
    }
    release?.();
  }
}
