import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { type ByteSink, type Bytes, viewOf } from './byte-sink.ts';
import { type ConstantBytes, constantBytes, isConstantAt } from './constant-bytes.ts';
import { parseRows } from './read-rows.ts';

/**
 * Writes the stored value that begins at `at` in another format and answers where the value ends. There is room for as
 * many bytes as are left to read and `cellRoom` more; who needs more reserves it.
 */
export type CellWriter = (src: Bytes, at: number, out: ByteSink) => number;
const cellRoom = 256;

export interface RowFormat {
  /** One for each column, in order. */
  cells: readonly CellWriter[];
  /** A byte between two cells. */
  separator?: number | undefined;
  begin: (out: ByteSink) => void;
  end: (out: ByteSink) => void;
}

const [comma, openBrace, closeBrace] = [0x2c, 0x7b, 0x7d];

/**
 * Turns stored rows into those of another format without building rows: a million of them would be a million objects.
 * Rows with all columns in their order, as ours are written, are read as they lie; others are put in order first.
 */
export class RowTranscriber {
  /** What stands before the value of each column. */
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

  /** All rows of an inflated chunk. A row may be begun twice, and ended only once. */
  write(bytes: Buffer, out: ByteSink): void {
    const src = { bytes, view: viewOf(bytes) };
    for (let at = bytes[0] === comma ? 1 : 0; at < bytes.length; ) at = this.writeRow(src, at, out);
  }

  /** The row that begins at `at`, and all that follow if it is not written as expected; answers where to go on. */
  writeRow(src: Bytes, at: number, out: ByteSink): number {
    const start = out.length;
    const end = this.#row(src, at, out);
    if (end >= 0) return end + 1; // past the comma
    out.length = start;
    this.write(this.#inOrder(src.bytes.subarray(at)), out);
    return src.bytes.length;
  }

  /** Where the row ends, or -1 when it is not written as expected. */
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

  /** The rows again, each with all columns in order; a column that a row lacks is null in it. */
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
