import type { Duplex } from 'node:stream';
import { free } from '../wire/byte-sink.ts';

/** The process at the other end has ended; its exit says why. */
export class PipeClosedError extends Error {
  override name = 'PipeClosedError';
}

/**
 * Transfers the bytes of chunks on a pipe beside the messages about them: inside messages they were copied several times, which took a
 * third of the worker's time. Bytes and message may arrive in either order.
 */
export class ChunkPipe {
  /** Received pieces that were not taken yet. */
  readonly #pieces: Buffer[] = [];
  /** The number of bytes already taken from the first piece. */
  #taken = 0;
  readonly #asked: { bytes: Buffer; length: number; done: PromiseWithResolvers<Buffer> }[] = [];
  #isClosed = false;

  /** Without a stream the pipe is closed: there is no process at its other end. */
  constructor(stream: Duplex | undefined) {
    this.#isClosed = stream === undefined;
    stream?.on('data', (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#fill();
    });
    stream?.on('error', () => {}); // the close event follows and handles it
    stream?.on('close', () => this.#close());
  }

  /** Returns the next bytes, in a buffer of their own. */
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

  /** True when no bytes are pending, neither received nor expected. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#asked.length === 0;
  }
}
