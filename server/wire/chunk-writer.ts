import { ByteSink } from './byte-sink.ts';
import { type Chunk, deflate } from './chunk.ts';
import { defaultLimits, ResultLimitError, type ResultLimits } from './limits.ts';

export interface ResultSize {
  rows: number;
  chunks: number;
  /** The size when inflated. */
  bytes: number;
  storedBytes: number;
}

export interface ChunkWriterOptions {
  limits?: Partial<ResultLimits>;
  /** A chunk closes when it has so many bytes … */
  chunkBytes?: number;
  /** … or so many rows. */
  chunkRows?: number;
  /** The number of chunks being stored at a time; with more, push() asks the caller to wait. */
  inFlight?: number;
}

const comma = 0x2c;
/** Most results are small; others soon get a full-sized buffer. */
const firstSinkBytes = 16 * 1024;
const largestSpareBytes = 8 * 1024 * 1024;

/**
 * Takes serialized rows, deflates them chunk by chunk and hands the chunks to `store` in order, one at a time. Memory is bounded as long as
 * the caller waits on demand: `if (!writer.push(row)) await writer.ready()`.
 */
export class ChunkWriter {
  readonly size: ResultSize = { rows: 0, chunks: 0, bytes: 0, storedBytes: 0 };
  readonly limits: ResultLimits;
  readonly #store: (chunk: Chunk) => Promise<void> | void;
  readonly #chunkBytes: number;
  readonly #chunkRows: number;
  readonly #inFlight: number;
  #sink = new ByteSink(firstSinkBytes);
  #rowStart = 0;
  #rows = 0;
  #running = 0;
  #tail: Promise<void> = Promise.resolve();
  #failure: { cause: unknown } | undefined;
  #wake: (() => void)[] = [];

  constructor(store: (chunk: Chunk) => Promise<void> | void, options: ChunkWriterOptions = {}) {
    this.#store = store;
    this.limits = { ...defaultLimits, ...options.limits };
    this.#chunkBytes = options.chunkBytes ?? 512 * 1024;
    this.#chunkRows = options.chunkRows ?? 32_768;
    this.#inFlight = options.inFlight ?? 4;
  }

  /** One row as JSON text; false asks the caller to wait for ready(). */
  push(row: string | Uint8Array): boolean {
    const sink = this.beginRow();
    if (typeof row === 'string') sink.text(row);
    else sink.copy(row);
    return this.endRow();
  }

  /** Begins a row whose bytes the caller writes into the chunk itself; to be followed by endRow(). */
  beginRow(): ByteSink {
    if (this.#failure) throw this.#failure.cause;
    const sink = this.#sinkForMore();
    this.#rowStart = sink.length;
    if (this.size.rows > 0) sink.byte(comma);
    return sink;
  }

  endRow(): boolean {
    return this.#endRows(1, this.#sink.length - this.#rowStart);
  }

  #endRows(rows: number, longest: number): boolean {
    const sink = this.#sink;
    this.size.rows += rows;
    this.size.bytes += sink.length - this.#rowStart;
    this.#rows += rows;
    if (longest > this.limits.rowBytes) this.#refuse('rowBytes');
    if (this.size.rows > this.limits.rows) this.#refuse('rows');
    if (this.size.bytes > this.limits.bytes) this.#refuse('bytes');
    if (sink.length >= this.#chunkBytes || this.#rows >= this.#chunkRows) this.#close();
    return this.#running < this.#inFlight;
  }

  /** The number of rows and bytes until this chunk is full or the limit is exceeded. */
  room(): { rows: number; size: number } {
    return {
      rows: Math.min(this.#chunkRows - this.#rows, this.limits.rows - this.size.rows + 1),
      size: Math.min(this.#chunkBytes - this.#sink.length, this.limits.bytes - this.size.bytes + 1),
    };
  }

  /** Adds several rows as they lie in a chunk, with a comma before each but the very first; only the last may exceed the room. */
  addRows(bytes: Uint8Array, rows: number, longest: number): boolean {
    if (this.#failure) throw this.#failure.cause;
    const sink = this.#sinkForMore();
    this.#rowStart = sink.length;
    sink.copy(bytes);
    return this.#endRows(rows, longest);
  }

  /** Resolves when there is room for more; throws the error of storing. */
  async ready(): Promise<void> {
    while (!this.#failure && this.#running >= this.#inFlight) await new Promise<void>((resolve) => this.#wake.push(resolve));
    if (this.#failure) throw this.#failure.cause;
  }

  /** Closes the last chunk and waits until everything is stored. */
  async finish(): Promise<ResultSize> {
    if (this.#rows > 0) this.#close();
    await this.#tail;
    if (this.#failure) throw this.#failure.cause;
    return this.size;
  }

  /** Stores nothing more after a failure and waits for running work, so that the caller can clean up. */
  async abort(cause: unknown): Promise<void> {
    this.#failure ??= { cause };
    await this.#tail;
  }

  #refuse(limit: keyof ResultLimits): never {
    const error = new ResultLimitError(limit, this.limits[limit]);
    this.#failure ??= { cause: error };
    throw error;
  }

  #close(): void {
    const chunk = { ...deflate(this.#sink.written()), rows: this.#rows };
    this.#rows = 0;
    this.#sink.length = 0;
    this.#running++;
    this.#tail = this.#tail.then(async () => {
      try {
        if (!this.#failure) await this.#store(chunk);
        this.size.chunks++;
        this.size.storedBytes += chunk.data.length;
      } catch (cause) {
        this.#failure ??= { cause };
      }
      this.#running--;
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  /** Reuses the same memory for each chunk, except the small one of the first and one that a huge row enlarged. */
  #sinkForMore(): ByteSink {
    const size = this.#sink.bytes.length;
    const isFit = size >= this.#chunkBytes && size <= largestSpareBytes;
    if (!isFit && this.#rows === 0 && this.size.rows > 0) this.#sink = new ByteSink(this.#chunkBytes + 96 * 1024);
    return this.#sink;
  }
}
