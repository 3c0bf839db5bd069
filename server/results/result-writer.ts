import type { Db } from '../platform/database.ts';
import { free } from '../wire/byte-sink.ts';
import type { Chunk } from '../wire/chunk.ts';
import {
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

/** Stores chunks as they come. The first one is held back: if it stays the only one, everything is one statement. */
export class ResultWriter {
  readonly #db: Db;
  readonly #draft: NewResult;
  readonly #waiting: { chunk: Chunk; stored: PromiseWithResolvers<void> }[] = [];
  #id: number | undefined;
  #seq = 0;
  #storing: Promise<void> | undefined;

  constructor(db: Db, draft: NewResult) {
    this.#db = db;
    this.#draft = draft;
  }

  /** Resolves when the chunk is stored, the first one at once. The chunk is given away: its memory is all its own. */
  write(chunk: Chunk): Promise<void> {
    const stored = Promise.withResolvers<void>();
    this.#waiting.push({ chunk, stored });
    if (this.#id === undefined && !this.#storing && this.#waiting.length === 1) stored.resolve();
    else this.#storing ??= this.#storeAll();
    return stored.promise;
  }

  /** One statement at a time takes all that came during the one before. */
  async #storeAll(): Promise<void> {
    try {
      this.#id ??= await insertGrowingResult(this.#db, this.#draft);
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, chunksAtOnce);
        await insertChunks(
          this.#db,
          this.#id,
          this.#seq,
          batch.map(({ chunk }) => chunk),
        );
        this.#waiting.splice(0, batch.length);
        this.#seq += batch.length;
        for (const { stored, chunk } of batch) {
          stored.resolve();
          free(chunk.data);
        }
      }
    } catch (error) {
      for (const { stored } of this.#waiting.splice(0)) stored.reject(error);
    }
    this.#storing = undefined;
  }

  /** Who joined its job until now wishes something of it; from now on nobody joins. */
  async complete(result: NewResult, madeBy: MadeBy): Promise<Stored> {
    if (this.#id !== undefined) return completeResult(this.#db, this.#id, result, madeBy);
    const stored = await insertWholeResult(this.#db, result, this.#waiting[0]?.chunk, madeBy);
    this.#id = stored.id;
    return stored;
  }

  /** For the one run that goes on with it: stored, never shown, and gone after some hours if nobody discards it. */
  async setAside(): Promise<number> {
    await this.#storing;
    this.#id ??= await insertGrowingResult(this.#db, this.#draft);
    const held = this.#waiting.splice(0).map(({ chunk }) => chunk);
    if (held.length > 0) await insertChunks(this.#db, this.#id, this.#seq, held);
    return this.#id;
  }

  async discard(): Promise<void> {
    await this.#storing;
    if (this.#id !== undefined) await deleteResult(this.#db, this.#id);
  }
}
