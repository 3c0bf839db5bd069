import type { Db } from '../platform/database.ts';
import type { ObjectStore } from '../platform/object-store.ts';
import { free } from '../wire/byte-sink.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { StoredChunk } from './object-reader.ts';
import {
  assignObjectFolder,
  completeResult,
  deleteResult,
  insertChunks,
  insertGrowingResult,
  insertWholeResult,
  type MadeBy,
  type NewResult,
  type Stored,
} from './results.store.ts';

const chunksAtOnce = 16;

/** The object store for the rows of a result beyond its first bytes. */
export interface Overflow {
  store: ObjectStore;
  /** As many bytes of each result stay in the database, where small results and first rows are read from. */
  inlineBytes: number;
  /** Further chunks are put into objects of about this size. */
  objectBytes: number;
  /** The end of the run, which waits for no slow store. */
  signal: AbortSignal;
}

interface Waiting {
  chunk: Chunk;
  /** Resolves when the next chunk may come. */
  taken: PromiseWithResolvers<void>;
}

/** Stores chunks as they come. The first one is held back: if it stays the only one, one statement stores everything. */
export class ResultWriter {
  readonly #db: Db;
  readonly #draft: NewResult;
  readonly #overflow: Overflow | undefined;
  readonly #waiting: Waiting[] = [];
  #id: number | undefined;
  #seq = 0;
  /** The last round of storing, and whether it still goes on. */
  #storing: Promise<void> | undefined;
  #isStoring = false;
  #bytes = 0;
  #inlineBytes = 0;
  #folder: string | undefined;
  #objects = 0;
  #isEnding = false;
  /** The fault of an earlier chunk. */
  #fault: { error: unknown } | undefined;

  constructor(db: Db, draft: NewResult, overflow?: Overflow) {
    this.#db = db;
    this.#draft = draft;
    this.#overflow = overflow;
  }

  /** The stored bytes of all its chunks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the next chunk may come: mostly when this one is stored. The writer takes over the chunk's memory, which must be its own. */
  write(chunk: Chunk): Promise<void> {
    if (this.#fault) return Promise.reject(this.#fault.error);
    const taken = Promise.withResolvers<void>();
    this.#waiting.push({ chunk, taken });
    this.#bytes += chunk.data.length;
    if (this.#id === undefined && !this.#storing && this.#waiting.length === 1) taken.resolve();
    else if (!this.#isStoring) this.#storing = this.#storeAll();
    return taken.promise;
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    try {
      this.#id ??= await insertGrowingResult(this.#db, this.#draft);
      while (this.#waiting.length > 0) {
        const overflow = this.#overflow && this.#inlineBytes >= this.#overflow.inlineBytes ? this.#overflow : undefined;
        const object = overflow && this.#firstBytes(overflow.objectBytes);
        if (overflow && object && !this.#isEnding && sizeOf(object) < overflow.objectBytes) {
          // The object is not full yet. No chunk may come between this look and the end of the loop, so nothing is awaited here.
          for (const { taken } of object) taken.resolve();
          break;
        }
        if (overflow && object) await this.#storeObject(this.#id, object, overflow);
        else await this.#storeInline(this.#id);
      }
    } catch (error) {
      this.#fault = { error };
      for (const { taken } of this.#waiting.splice(0)) taken.reject(error);
    }
    this.#isStoring = false;
  }

  /** Each statement stores all chunks that came during the one before. */
  async #storeInline(id: number): Promise<void> {
    const room = (this.#overflow?.inlineBytes ?? Number.POSITIVE_INFINITY) - this.#inlineBytes;
    const batch = this.#firstBytes(room).slice(0, chunksAtOnce);
    await this.#insert(
      id,
      batch.map(({ chunk }) => chunk),
    );
    this.#inlineBytes += sizeOf(batch);
    this.#release(batch);
  }

  /** Stores an object first and its chunks after it, so that no chunk is without its bytes. */
  async #storeObject(id: number, batch: readonly Waiting[], { store, signal }: Overflow): Promise<void> {
    const size = sizeOf(batch);
    this.#folder ??= await assignObjectFolder(this.#db, id);
    const object_key = `${this.#folder}/${this.#objects++}`;
    await store.put(object_key, Buffer.concat(batch.map(({ chunk }) => chunk.data)), signal);
    let offset = 0;
    const parts = batch.map(({ chunk: { data, ...head } }): StoredChunk => {
      const part = { ...head, data: null, object_key, object_offset: offset, object_bytes: data.length, object_size: size };
      offset += data.length;
      return part;
    });
    await this.#insert(id, parts);
    this.#release(batch);
  }

  /** The first chunks that have at least so many bytes together, or all. */
  #firstBytes(bytes: number): Waiting[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ chunk }) => {
      const isFull = size >= bytes;
      size += chunk.data.length;
      return isFull;
    });
    return end < 0 ? [...this.#waiting] : this.#waiting.slice(0, end);
  }

  async #insert(id: number, chunks: readonly StoredChunk[]): Promise<void> {
    await insertChunks(this.#db, id, this.#seq, chunks);
    this.#seq += chunks.length;
  }

  #release(batch: readonly Waiting[]): void {
    this.#waiting.splice(0, batch.length);
    for (const { taken, chunk } of batch) {
      taken.resolve();
      free(chunk.data);
    }
  }

  /** Stores the chunks that are still held back. */
  async #finish(): Promise<void> {
    this.#isEnding = true;
    await this.#storing;
    if (this.#waiting.length > 0) await this.#storeAll();
    if (this.#fault) throw this.#fault.error;
  }

  /** Completes the result and answers the requests that joined its job; no further request can join. */
  async complete(draft: NewResult, madeBy: MadeBy): Promise<Stored> {
    const result = { ...draft, stored_bytes: this.#bytes };
    if (this.#id !== undefined) {
      await this.#finish();
      return completeResult(this.#db, this.#id, result, madeBy);
    }
    const stored = await insertWholeResult(this.#db, result, this.#waiting[0]?.chunk, madeBy);
    this.#id = stored.id;
    return stored;
  }

  /** Stores the rows for the one run that uses them: they are never shown, and deleted after some hours unless discarded earlier. */
  async setAside(): Promise<number> {
    await this.#storing;
    this.#id ??= await insertGrowingResult(this.#db, this.#draft);
    await this.#finish();
    return this.#id;
  }

  async discard(): Promise<void> {
    await this.#storing;
    if (this.#id !== undefined) await deleteResult(this.#db, this.#id);
  }
}

const sizeOf = (batch: readonly Waiting[]): number => batch.reduce((sum, { chunk }) => sum + chunk.data.length, 0);
