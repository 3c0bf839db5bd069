import { join } from 'node:path';
import type { ChunkWriter } from '../../chunk-writer.ts';
import { growTo, loadWasm, type WasmNumber } from '../../wasm.ts';

interface Engine {
  transcribe(
    columns: number,
    count: number,
    keyBytes: number,
    isFollowed: number,
    mostRows: number,
    src: number,
    end: number,
    out: number,
    stop: number,
    outEnd: number,
  ): void;
  at: WasmNumber;
  written: WasmNumber;
  rows: WasmNumber;
  longest: WasmNumber;
}

const file = join(import.meta.dirname, 'copy-rows.wasm');
/** Type oids in the order of copy-rows.as; name, text, character and varchar are one. */
const kinds = [16, 21, 23, 26, 20, 701, 25, 1082, 1114, 1184, 2950, 700, 1700];
const texts = new Set([19, 1042, 1043]);
const kindOf = (oid: number) => kinds.indexOf(texts.has(oid) ? 25 : oid);

/** The start of columns and keys in the engine's memory, and the bytes that may be read or written beyond the end of anything in it. */
const start = 8192;
const slack = 128;
const columnBytes = 12;
/** The engine's memory never shrinks: larger pieces are written without it, and so is a row that could need this much room. */
const largestBytes = 1024 * 1024;
const outBytes = 2 * 1024 * 1024;

/** One engine for this process, where one statement runs at a time; `bytes` begin at `from` in its memory. */
let engine: (ReturnType<typeof loadWasm<Engine>> & { holder: QuickCopy | undefined; bytes: Buffer | undefined; from: number }) | undefined;

/** Converts rows of COPY in binary format to stored rows by copy-rows.wasm. */
export class QuickCopy {
  readonly #count: number;
  readonly #keyBytes: number;
  /** Columns and keys, in the engine's memory layout. */
  readonly #layout: Buffer;

  /** An instance for columns of types that the engine knows; undefined otherwise. */
  static of(columns: readonly { key: string; oid: number }[]): QuickCopy | undefined {
    const isKnown = columns.length > 0 && columns.every(({ oid }) => kindOf(oid) >= 0);
    return isKnown ? new QuickCopy(columns) : undefined;
  }

  private constructor(columns: readonly { key: string; oid: number }[]) {
    const keys = columns.map(({ key }) => Buffer.from(key));
    const head = Buffer.alloc(columns.length * columnBytes);
    const padded = keys.map((key) => Buffer.concat([key, Buffer.alloc(16 - (key.length % 16))]));
    let at = start + head.length;
    for (const [n, { oid }] of columns.entries()) {
      for (const [word, value] of [at, keys[n]?.length ?? 0, kindOf(oid)].entries()) head.writeUInt32LE(value, n * columnBytes + word * 4);
      at += padded[n]?.length ?? 0;
    }
    this.#count = columns.length;
    this.#keyBytes = at - start;
    this.#layout = Buffer.concat([head, ...padded]);
  }

  /** Takes messages from `from` on, each a row, as far as they are complete and understood; returns where it stopped. */
  take(bytes: Buffer, from: number, writer: ChunkWriter): { at: number; hasRoom: boolean } {
    let hasRoom = true;
    if (bytes.length - from > largestBytes) return { at: from, hasRoom };
    const { exports, heap, src } = this.#load(bytes, from);
    const end = src + bytes.length - from;
    const out = end + slack;
    for (let at = src; at < end; at = exports.at.value) {
      const { rows, size } = writer.room();
      const stop = Math.min(out + size, heap.length - slack);
      exports.transcribe(start, this.#count, this.#keyBytes, Number(writer.size.rows > 0), rows, at, end, out, stop, heap.length - slack);
      if (exports.rows.value === 0) return { at: from + at - src, hasRoom };
      hasRoom = writer.addRows(heap.subarray(out, exports.written.value), exports.rows.value, exports.longest.value);
    }
    return { at: bytes.length, hasRoom };
  }

  #load(bytes: Buffer, from: number) {
    engine ??= { ...loadWasm<Engine>(file), holder: undefined, bytes: undefined, from: 0 };
    const { exports, memory } = engine;
    const input = start + this.#layout.length + slack;
    growTo(memory, input + largestBytes + outBytes);
    const heap = Buffer.from(memory.buffer);
    if (engine.holder !== this) heap.set(this.#layout, start);
    // After a row that was written in JavaScript the rest is still in the engine's memory.
    if (engine.holder !== this || engine.bytes !== bytes || from < engine.from) {
      bytes.copy(heap, input, from);
      Object.assign(engine, { holder: this, bytes, from });
    }
    return { exports, heap, src: input + from - engine.from };
  }
}
