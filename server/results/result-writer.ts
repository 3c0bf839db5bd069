import type { Db } from '../platform/database.ts';
import type { Chunk } from '../wire/chunk.ts';
import { completeResult, deleteResult, insertChunk, insertGrowingResult, insertWholeResult, type NewResult } from './results.store.ts';

/** Stores chunks as they come. The first one is held back: if it stays the only one, everything is one statement. */
export class ResultWriter {
  readonly #db: Db;
  readonly #draft: NewResult;
  #first: Chunk | undefined;
  #id: number | undefined;
  #seq = 0;

  constructor(db: Db, draft: NewResult) {
    this.#db = db;
    this.#draft = draft;
  }

  async write(chunk: Chunk): Promise<void> {
    if (this.#id === undefined && this.#first === undefined) {
      this.#first = chunk;
      return;
    }
    if (this.#id === undefined) this.#id = await insertGrowingResult(this.#db, this.#draft);
    if (this.#first) await insertChunk(this.#db, this.#id, this.#seq++, this.#first);
    this.#first = undefined;
    await insertChunk(this.#db, this.#id, this.#seq++, chunk);
  }

  /** In the transaction that links and announces it. */
  async complete(db: Db, result: NewResult): Promise<number> {
    if (this.#id === undefined) return insertWholeResult(db, result, this.#first);
    await completeResult(db, this.#id, result);
    return this.#id;
  }

  async discard(): Promise<void> {
    if (this.#id !== undefined) await deleteResult(this.#db, this.#id);
  }
}
