import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { QueryError } from '../connector.ts';

export interface ZipLimits {
  entries: number;
  /** The inflated size of one entry. */
  entryBytes: number;
  /** The ratio of inflated to stored size, once an entry exceeds a megabyte. */
  ratio: number;
}

const usualLimits: ZipLimits = { entries: 10_000, entryBytes: 1024 ** 3, ratio: 400 };

interface Entry {
  method: number;
  storedBytes: number;
  at: number;
}

const endMark = Buffer.from([0x50, 0x4b, 5, 6]);
const broken = (cause?: unknown) => new QueryError('This is not a whole Excel workbook (.xlsx).', {}, cause);

/**
 * Reads the entries of a zip archive in memory, inflated one at a time, with limits against zip bombs (security 29): the number of entries,
 * the size of one, and its compression ratio. Sizes claimed by the archive are not trusted.
 */
export class Zip {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  readonly #limits: ZipLimits;

  constructor(bytes: Buffer, limits: Partial<ZipLimits> = {}) {
    this.#bytes = bytes;
    this.#limits = { ...usualLimits, ...limits };
    try {
      this.#readDirectory();
    } catch (error) {
      throw error instanceof RangeError ? broken(error) : error;
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Yields the inflated bytes of an entry; a missing entry is an error. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw broken();
    const stored = this.#storedBytesOf(entry);
    if (entry.method !== 0 && entry.method !== 8) throw new QueryError('This workbook is packed in a way that is not known here.');
    const inflated = entry.method === 0 ? Readable.from([stored]) : Readable.from([stored]).pipe(createInflateRaw());
    const { entryBytes, ratio } = this.#limits;
    let bytes = 0;
    try {
      for await (const chunk of inflated as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > entryBytes || (bytes > 1024 ** 2 && bytes > ratio * stored.length))
          throw new QueryError('This workbook grows too large when it is unpacked.');
        yield chunk;
      }
    } catch (error) {
      throw error instanceof QueryError ? error : broken(error);
    }
  }

  #readDirectory(): void {
    const end = this.#bytes.lastIndexOf(endMark);
    if (end < 0) throw broken();
    const count = this.#bytes.readUInt16LE(end + 10);
    if (count > this.#limits.entries) throw new QueryError('This workbook has too many parts.');
    let at = this.#bytes.readUInt32LE(end + 16);
    for (let i = 0; i < count; i++) {
      if (this.#bytes.readUInt32LE(at) !== 0x02014b50) throw broken();
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => this.#bytes.readUInt16LE(at + offset)) as [
        number,
        number,
        number,
      ];
      const name = this.#bytes.toString('utf8', at + 46, at + 46 + nameLength);
      this.#entries.set(plainName(name), {
        method: this.#bytes.readUInt16LE(at + 10),
        storedBytes: this.#bytes.readUInt32LE(at + 20),
        at: this.#bytes.readUInt32LE(at + 42),
      });
      at += 46 + nameLength + extraLength + commentLength;
    }
  }

  #storedBytesOf({ at, storedBytes }: Entry): Buffer {
    try {
      if (this.#bytes.readUInt32LE(at) !== 0x04034b50) throw broken();
      const start = at + 30 + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28);
      if (start + storedBytes > this.#bytes.length) throw broken();
      return this.#bytes.subarray(start, start + storedBytes);
    } catch (error) {
      throw error instanceof RangeError ? broken(error) : error;
    }
  }
}

/** Some programs write a leading slash, some write back-slashes. */
const plainName = (name: string) => name.replaceAll('\\', '/').replace(/^\//, '');
