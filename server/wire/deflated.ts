import { setImmediate } from 'node:timers/promises';
import { type Deflated, deflate, type Source } from './chunk.ts';
import { pieceBytes, type Repetitive } from './deflate/deflate-text.ts';

interface Piece {
  bytes: Uint8Array;
  /** Called when the bytes are not needed any more. */
  release?: () => void;
}

/** Deflates pieces one after another; a large one is deflated in parts, so that other work can run in between. */
export async function* deflated<T extends Piece>(pieces: Source<T>, by?: Repetitive): AsyncGenerator<Omit<T, keyof Piece> & Deflated> {
  for await (const { bytes, release, ...piece } of pieces) {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (at > 0) await setImmediate();
      yield { ...piece, ...deflate(bytes.subarray(at, at + pieceBytes), by) };
    }
    release?.();
  }
}
