import type { Duplex } from 'node:stream';
import { free } from '../wire/byte-sink.ts';

/** The process at the other end is gone; how it went tells more. */
export class PipeClosedError extends Error {
  override name = 'PipeClosedError';
}

/**
 * The bytes of chunks, on a line of their own beside the messages that tell of them: as parts of messages they were copied several
 * times, and what that left behind was a third of the worker's work. Either may come first.
 */
export class ChunkPipe {
  /** What has come and was not asked for yet. */
  readonly #pieces: Buffer[] = [];
  /** How much of the first of them has been taken. */
  #taken = 0;
  readonly #asked: { bytes: Buffer; length: number; done: PromiseWithResolvers<Buffer> }[] = [];
  #isClosed = false;

  /** Without a stream it is closed: there is no process at its other end. */
  constructor(stream: Duplex | undefined) {
    this.#isClosed = stream === undefined;
    stream?.on('data', (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#fill();
    });
    stream?.on('error', () => {}); // closes, which tells more
    stream?.on('close', () => this.#close());
  }

  /** The next so many bytes, in memory that is all theirs. */
  take(length: number): Promise<Buffer> {
    const done = Promise.withResolvers<Buffer>();
    this.#asked.push({ bytes: Buffer.allocUnsafeSlow(length), length: 0, done });
    this.#fill();
    if (this.#isClosed) this.#close();
    return done.promise;
  }

  #fill(): void {
    for (let asked = this.#asked[0]; asked; asked = this.#asked[0]) {
      while (asked.length < asked.bytes.length) {
        const piece = this.#pieces[0];
        if (!piece) return;
        const copied = piece.copy(asked.bytes, asked.length, this.#taken);
        asked.length += copied;
        this.#taken += copied;
        if (this.#taken < piece.length) break;
        this.#pieces.shift();
        this.#taken = 0;
        if (piece.length === piece.buffer.byteLength) free(piece);
      }
      this.#asked.shift();
      asked.done.resolve(asked.bytes);
    }
  }

  #close(): void {
    this.#isClosed = true;
    for (const { done } of this.#asked.splice(0)) done.reject(new PipeClosedError('The query ended in the middle of its rows.'));
  }

  /** Nothing is on its way that a message told of, or should have. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#asked.length === 0;
  }
}
