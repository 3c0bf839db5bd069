import { join } from 'node:path';
import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { type ByteSink, viewOf } from '../../../wire/byte-sink.ts';
import { ChunkError, type Deflated, inflateChunk, requireSame, requireWhole } from '../../../wire/chunk.ts';
import type { RowTranscriber } from '../../../wire/row-transcriber.ts';
import { growTo, loadWasm, type WasmNumber } from '../../../wire/wasm.ts';
import { type CsvOptions, dateTemplate, isFormatted } from '../csv-cells.ts';
import { formatTokens, holesOf } from '../date-format.ts';

interface Engine {
  transcribe(columns: number, count: number, delimiter: number, isRaw: number, src: number, end: number, out: number, outEnd: number): void;
  inflate(src: number, end: number, out: number, outEnd: number): number;
  at: WasmNumber;
  written: WasmNumber;
  firstFree: WasmNumber;
}

const file = join(import.meta.dirname, 'csv-rows.wasm');
/** The number of bytes that the engine may read or write beyond the end of anything in its memory. */
const slack = 128;
/** Room for dates that are written longer than they are stored. */
const spare = 64 * 1024;
/** The engine's memory never shrinks, so rows of many megabytes are not given to it. */
const largestBytes = 8 * 1024 * 1024;
/** After so many consecutive rows that the engine cannot read, the rest of the chunk is done without it. */
const mostFailures = 32;
const comma = 0x2c;

/** One engine for all exports of this process: it works synchronously, and each memory takes gigabytes of address space. */
let engine: (ReturnType<typeof loadWasm<Engine>> & { start: number; holder: QuickCsv | undefined }) | undefined;

/** The data of an export begin at `start` in the engine's memory. */
function loadEngine() {
  if (engine) return engine;
  const { exports, memory } = loadWasm<Engine>(file);
  engine = { exports, memory, start: Math.ceil(exports.firstFree.value / 16) * 16, holder: undefined };
  return engine;
}

/** Writes stored rows as CSV by csv-rows.wasm; rows that it cannot read are written in JavaScript. */
export class QuickCsv {
  readonly #rows: RowTranscriber;
  readonly #count: number;
  readonly #delimiter: number;
  readonly #isRaw: boolean;
  /** Columns, keys and formats, in the engine's memory layout. */
  readonly #layout: Buffer;

  constructor(columns: readonly ResultColumn[], options: CsvOptions, rows: RowTranscriber) {
    this.#rows = rows;
    this.#count = columns.length;
    this.#delimiter = (options.delimiter ?? ',').charCodeAt(0);
    this.#isRaw = options.raw ?? false;
    this.#layout = layOut(columns, options, rows.keys, loadEngine().start);
  }

  /** Writes all rows of a stored chunk. */
  async write(chunk: Deflated, out: ByteSink): Promise<void> {
    if (this.#count === 0 || chunk.length > largestBytes) return this.#rows.write(await inflateChunk(chunk), out);
    requireWhole(chunk);
    const { exports, heap, src } = this.#load(chunk.length, chunk.data.length);
    const [end, stored] = [src + chunk.length, src + chunk.length + slack];
    heap.set(chunk.data, stored);
    const inflated = exports.inflate(stored, stored + chunk.data.length, src, end);
    if (inflated === 0) throw new ChunkError('A stored result chunk cannot be decompressed.');
    requireSame(chunk, heap.subarray(src, inflated));
    this.#transcribe(heap.subarray(src, end), out);
  }

  /** Transcribes rows in the engine's memory; the output is written behind them. */
  #transcribe(bytes: Buffer, out: ByteSink): void {
    const { exports, heap, start, src } = this.#load(bytes.length);
    const end = src + bytes.length;
    const target = end + slack;
    let failures = 0;
    for (let at = bytes[0] === comma ? 1 : 0; at < bytes.length; ) {
      exports.transcribe(start, this.#count, this.#delimiter, Number(this.#isRaw), src + at, end, target, heap.length);
      const next = exports.at.value - src;
      out.copy(heap, target, exports.written.value);
      failures = next > at ? 0 : failures + 1;
      at = next;
      if (failures > mostFailures) {
        this.#rows.write(bytes.subarray(at), out);
        return;
      }
      if (at < bytes.length) at = this.#rows.writeRow({ bytes, view: viewOf(bytes) }, at, out);
    }
  }

  /** Prepares the engine with room for so many bytes of rows and for what follows them. */
  #load(length: number, behind = 0) {
    const engine = loadEngine();
    const { exports, memory, start, holder } = engine;
    const src = start + this.#layout.length + slack;
    growTo(memory, src + length + Math.max(length, behind) + spare + 2 * slack);
    const heap = Buffer.from(memory.buffer);
    if (holder !== this) heap.set(this.#layout, start);
    engine.holder = this;
    return { exports, heap, start, src };
  }
}

const columnBytes = 28;

/** Lays out the columns one after another, and behind them their data; see the beginning of csv-rows.as. */
function layOut(columns: readonly ResultColumn[], options: CsvOptions, keys: readonly string[], start: number): Buffer {
  const parts: Buffer[] = [Buffer.alloc(columns.length * columnBytes)];
  let length = columns.length * columnBytes;
  const place = (bytes: Buffer): number => {
    const at = start + length;
    const padded = Buffer.alloc(Math.ceil((bytes.length + 8) / 16) * 16);
    bytes.copy(padded);
    parts.push(padded);
    length += padded.length;
    return at;
  };
  for (const [n, column] of columns.entries()) {
    const key = Buffer.from(keys[n] ?? '');
    const template = isFormatted(column, options) ? dateTemplate(column, options) : '';
    const holes = holesOf(template).map(({ at, token }) => [at, formatTokens.indexOf(token)]);
    const words = [
      place(key),
      key.length,
      Number(isFormatted(column, options)),
      place(Buffer.from(template)),
      Buffer.byteLength(template),
      place(Buffer.from(Uint32Array.from(holes.flat()).buffer)),
      holes.length,
    ];
    for (const [word, value] of words.entries()) parts[0]?.writeUInt32LE(value, n * columnBytes + word * 4);
  }
  return Buffer.concat(parts);
}
