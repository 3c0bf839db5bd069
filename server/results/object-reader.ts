import { unavailable } from '../platform/errors.ts';
import { type ObjectStore, ObjectStoreError } from '../platform/object-store.ts';
import type { Chunk } from '../wire/chunk.ts';

/** The place of a chunk that is a part of an object. */
export interface ObjectPart {
  object_key: string;
  object_offset: number;
  object_bytes: number;
  /** The size of the whole object. */
  object_size: number;
}

/** A chunk as it is stored: with its bytes, or with the place where they are. */
export type StoredChunk = Omit<Chunk, 'data'> & ({ data: Uint8Array } | ({ data: null } & ObjectPart));

const isPart = (chunk: StoredChunk): chunk is Omit<Chunk, 'data'> & { data: null } & ObjectPart => chunk.data === null;

/** All of them are in the database. */
export const areHere = (chunks: readonly StoredChunk[]): chunks is Chunk[] => !chunks.some(isPart);

const notConfigured = 'The rows of this result are in an object store, which is not set up any more. Please execute the query again.';
const away = 'The object store that holds the rows of this result cannot be reached. Please try again later.';
const lost = 'Rows of this result are missing in the object store. Please execute the query again.';

/** The error that readers of a result get; its cause names the store. */
const readFault = (error: unknown): unknown =>
  error instanceof ObjectStoreError ? unavailable(error.fault === 'missing' ? lost : away, error) : error;

/** Checks that the objects of a result can be read, because an answer that has begun cannot become an error any more. */
export async function requireObjects(store: ObjectStore | undefined, { object_folder }: { object_folder: string | null }): Promise<void> {
  if (object_folder === null) return;
  if (!store) throw unavailable(notConfigured);
  await store.require(`${object_folder}/0`).catch((error: unknown) => {
    throw readFault(error);
  });
}

/** Loads the objects of one result in order, the next one while the current one is used. */
export class ObjectReader {
  readonly #store: ObjectStore | undefined;
  /** The current and the next object. */
  readonly #loading = new Map<string, Promise<Buffer>>();

  constructor(store: ObjectStore | undefined) {
    this.#store = store;
  }

  async *read(chunks: readonly StoredChunk[]): AsyncGenerator<Chunk> {
    const parts = [...new Map(chunks.filter(isPart).map((part) => [part.object_key, part])).values()];
    for (const chunk of chunks) {
      if (!isPart(chunk)) {
        yield chunk;
        continue;
      }
      const { object_key, object_offset, object_bytes, object_size, ...rest } = chunk;
      const object = this.#load(object_key, object_size);
      const next = parts[parts.findIndex((part) => part.object_key === object_key) + 1];
      if (next) this.#load(next.object_key, next.object_size);
      for (const key of this.#loading.keys()) if (key !== object_key && key !== next?.object_key) this.#loading.delete(key);
      yield { ...rest, data: (await object).subarray(object_offset, object_offset + object_bytes) };
    }
  }

  #load(key: string, size: number): Promise<Buffer> {
    const known = this.#loading.get(key);
    if (known) return known;
    if (!this.#store) throw unavailable(notConfigured);
    const loading = this.#store.get(key, size).catch((error: unknown) => {
      throw readFault(error);
    });
    loading.catch(() => {}); // reported when its turn comes, or not at all when the reader has left
    this.#loading.set(key, loading);
    return loading;
  }
}
