import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { type ByteSink, type Bytes, viewOf } from './byte-sink.ts';
import { type ConstantBytes, constantBytes, isConstantAt } from './constant-bytes.ts';
import { parseRows } from './read-rows.ts';

/**
 * Writes the stored value that begins at `at` in another format and returns where the value ends. There is room for as many bytes as are
 * left to read and `cellRoom` more; a writer that needs more reserves it.
 */
export type CellWriter = (src: Bytes, at: number, out: ByteSink) => number;
const cellRoom = 256;

export interface RowFormat {
  /** One writer for each column, in order. */
  cells: readonly CellWriter[];
  /** A byte between two cells. */
  separator?: number | undefined;
  begin: (out: ByteSink) => void;
  end: (out: ByteSink) => void;
}

const [comma, openBrace, closeBrace] = [0x2c, 0x7b, 0x7d];

/**
 * Turns stored rows into another format without building row objects, of which there may be a million. Rows with all columns in order, as
 * ours are written, are read directly; others are put in order first.
 */
export class RowTranscriber {
  /** The text before the value of each column. */
  readonly keys: readonly string[];
  readonly #names: readonly string[];
  readonly #keys: ConstantBytes[];
  readonly #format: RowFormat;

  constructor(names: readonly string[], format: RowFormat) {
    this.#names = names;
    this.keys = names.map((name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    this.#keys = this.keys.map(constantBytes);
    this.#format = format;
  }

  /** Writes all rows of an inflated chunk. A row may be begun twice, and is ended only once. */
  write(bytes: Buffer, out: ByteSink): void {
    const src = { bytes, view: viewOf(bytes) };
    for (let at = bytes[0] === comma ? 1 : 0; at < bytes.length; ) at = this.writeRow(src, at, out);
  }

  /** Writes the row that begins at `at`, and all following ones if it is not in the expected form; returns where to go on. */
  writeRow(src: Bytes, at: number, out: ByteSink): number {
    const start = out.length;
    const end = this.#row(src, at, out);
    if (end >= 0) return end + 1; // past the comma
    out.length = start;
    this.write(this.#inOrder(src.bytes.subarray(at)), out);
    return src.bytes.length;
  }

  /** Returns the end of the row, or -1 when its text is not in the expected form. */
  #row(src: Bytes, start: number, out: ByteSink): number {
    const { bytes, view } = src;
    const keys = this.#keys;
    const { cells, separator } = this.#format;
    let at = start;
    if (keys.length === 0 && bytes[at] === openBrace) at++;
    this.#format.begin(out);
    for (let column = 0; column < keys.length; column++) {
      const key = keys[column] as ConstantBytes;
      if (!isConstantAt(key, view, at)) return -1;
      at += key.length;
      out.reserve(bytes.length - at + cellRoom);
      if (column > 0 && separator !== undefined) out.bytes[out.length++] = separator;
      at = (cells[column] as CellWriter)(src, at, out);
    }
    if (bytes[at] !== closeBrace || (at + 1 < bytes.length && bytes[at + 1] !== comma)) return -1;
    this.#format.end(out);
    return at + 1;
  }

  /** Rewrites the rows, each with all columns in order; a missing column becomes null. */
  #inOrder(bytes: Buffer): Buffer {
    const columns = this.#names.map((name) => ({ name, key: JSON.stringify(name) }));
    const inOrder = (row: ResultRow) =>
      columns.map(({ name, key }) => `${key}:${Object.hasOwn(row, name) ? JSON.stringify(row[name]) : 'null'}`).join();
    return Buffer.from(
      parseRows(bytes)
        .map((row) => `{${inOrder(row)}}`)
        .join(),
    );
  }
}
