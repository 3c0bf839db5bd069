import { z } from 'zod';
import { QueryError } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { scalar } from './yaml-query.ts';

const count = (name: string) => z.int(`'${name}' needs to be a number.`).min(0, `'${name}' needs to be a number.`);
const someColumns = z.array(z.union([z.int().min(0), z.string()]), "'columns' needs to be a list of names or numbers.");

/** Options that turn cells into a table, under their names in pandas. */
export const tableOptions = {
  header: z.union([z.boolean(), count('header'), z.null()], "'header' needs to be true, false or the number of a row.").optional(),
  names: z.array(scalar, "'names' needs to be a list.").optional(),
  columns: someColumns.optional(),
  usecols: someColumns.optional(),
  skiprows: count('skiprows').default(0),
  nrows: count('nrows').optional(),
};
export type TableOptions = z.output<z.ZodObject<typeof tableOptions>>;

export type Cells = readonly unknown[];
/** Chooses the conversion of a column from its first cells; without it cells stay unchanged. */
export type ConvertColumn = (sample: readonly unknown[]) => (cell: unknown) => unknown;

interface KeptColumn {
  place: number;
  convert: (cell: unknown) => unknown;
}

/** The number of rows that are read before the first one is written: they determine the width and the column types. */
const sampleRows = 5000;

export class TableWriter {
  readonly #options: TableOptions;
  readonly #sink: Sink;
  readonly #convert: ConvertColumn | undefined;
  readonly #sample: Cells[] = [];
  #skip: number;
  #headerAt: number;
  #names: readonly string[] | undefined;
  #width = 0;
  #kept: KeptColumn[] | undefined;
  #rows = 0;

  constructor(options: TableOptions, sink: Sink, convert?: ConvertColumn) {
    this.#options = options;
    this.#sink = sink;
    this.#convert = convert;
    this.#skip = options.skiprows;
    // As in pandas: null means no header, and `names` without `header` means that there is none.
    const header = options.header === undefined ? options.names === undefined : options.header;
    this.#headerAt = header === true ? 0 : header === false || header === null ? -1 : header;
    if (this.#headerAt < 0) this.#names = [];
  }

  /** True when `nrows` rows were written. */
  get isFull(): boolean {
    return this.#rows >= (this.#options.nrows ?? Number.POSITIVE_INFINITY);
  }

  async rows(batch: Iterable<Cells>, signal: AbortSignal): Promise<void> {
    for (const cells of batch) {
      if (this.isFull) return;
      if (this.#skip > 0) this.#skip--;
      else if (!this.#names) this.#header(cells);
      else {
        const wait = this.#row(cells);
        if (!wait) continue;
        await wait;
        signal.throwIfAborted();
      }
    }
  }

  async finish(): Promise<void> {
    if (!this.#kept) await this.#begin();
  }

  #header(cells: Cells): void {
    if (this.#headerAt-- > 0) return;
    this.#names = cells.map((cell) => String(cell ?? '').trim());
  }

  /** Handles one row; returns a promise when the caller has to wait before the next one. */
  #row(cells: Cells): Promise<void> | undefined {
    this.#rows++;
    if (this.#kept) return this.#write(cells, this.#kept);
    this.#sample.push(cells);
    return this.#sample.length < sampleRows && !this.isFull ? undefined : this.#begin();
  }

  async #begin(): Promise<void> {
    const own = this.#names ?? [];
    this.#width = this.#sample.reduce(
      (width, cells) => Math.max(width, lengthOf(cells)),
      Math.max(own.length, this.#options.names?.length ?? 0),
    );
    const names = Array.from({ length: this.#width }, (_, i) => this.#options.names?.[i] || own[i] || `column_${i + 1}`);
    const kept = placesOf(this.#options.columns ?? this.#options.usecols, names).map((place) => ({
      place,
      convert: this.#convert?.(this.#sample.map((cells) => cells[place])) ?? ((cell: unknown) => cell),
    }));
    this.#kept = kept;
    this.#sink.columns(kept.map(({ place }) => ({ name: names[place] ?? '', type: null })));
    for (const cells of this.#sample.splice(0)) await this.#write(cells, kept);
  }

  #write(cells: Cells, kept: readonly KeptColumn[]): Promise<void> | undefined {
    if (cells.length > this.#width && lengthOf(cells) > this.#width) {
      throw new QueryError(`Row ${this.#rows} has ${lengthOf(cells)} cells, the rows before it have ${this.#width}.`);
    }
    return this.#sink.row(kept.map(({ place, convert }) => convert(cells[place]))) ? undefined : this.#sink.ready();
  }
}

/** The number of cells without empty ones at the end. */
function lengthOf(cells: Cells): number {
  let { length } = cells;
  while (length > 0 && (cells[length - 1] ?? '') === '') length--;
  return length;
}

function placesOf(wanted: readonly (string | number)[] | undefined, names: readonly string[]): number[] {
  if (!wanted) return names.map((_, i) => i);
  return wanted.map((column) => {
    const place = typeof column === 'number' ? column : names.indexOf(column);
    if (place < 0 || place >= names.length)
      throw new QueryError(`There is no column '${column}'. There are: ${names.slice(0, 50).join(', ')}.`);
    return place;
  });
}
