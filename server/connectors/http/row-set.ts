import type { Sink } from '../sink.ts';
import { dateTimeOf } from './date-time-text.ts';
import { isPlainObject } from './json-path.ts';

/** Rows of a source that names its columns in each row: writing starts after all columns are known. */
export class RowSet {
  readonly #places = new Map<string, number>();
  readonly #rows: unknown[][] = [];
  readonly #isWanted: (name: string, outer?: string) => boolean;

  /** With `fields`, keeps only these columns; the outer name of a nested column keeps all of it. */
  constructor(fields?: readonly string[]) {
    const wanted = fields && new Set(fields);
    this.#isWanted = (name, outer) => !wanted || wanted.has(name) || (outer !== undefined && wanted.has(outer));
  }

  get size(): number {
    return this.#rows.length;
  }

  /** Section 19: one level of nested objects becomes `outer.inner`. Other values become a row with the column `value`. */
  add(row: unknown): void {
    const values: unknown[] = [];
    for (const [key, value] of Object.entries(isPlainObject(row) ? row : { value: row })) {
      if (!isPlainObject(value)) {
        if (this.#isWanted(key)) values[this.#placeOf(key)] = value;
        continue;
      }
      for (const [inner, deep] of Object.entries(value)) {
        const name = `${key}.${inner}`;
        if (this.#isWanted(name, key)) values[this.#placeOf(name)] = deep;
      }
    }
    this.#rows.push(values);
  }

  async writeTo(sink: Sink, signal: AbortSignal): Promise<void> {
    sink.columns([...this.#places.keys()].map((name) => ({ name, type: null })));
    this.#writeDateTimes();
    for (const row of this.#rows) {
      if (sink.row(row)) continue;
      await sink.ready();
      signal.throwIfAborted();
    }
  }

  /** Section 19: a column of times is recognised in either notation and stored as ISO 8601 (1.3). */
  #writeDateTimes(): void {
    for (const place of this.#places.values()) {
      const isTime = (row: unknown[]) => isTimeOrNone(row[place]);
      if (!this.#rows.some((row) => isBlankParted(row[place])) || !this.#rows.every(isTime)) continue;
      for (const row of this.#rows) if (isBlankParted(row[place])) row[place] = dateTimeOf(row[place]);
    }
  }

  #placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.#places.size);
    return this.#places.size - 1;
  }
}

const day = /^\d{4}-\d{2}-\d{2}$/;
/** Databases print times with a space. */
const isBlankParted = (value: unknown): value is string =>
  typeof value === 'string' && value[10] === ' ' && dateTimeOf(value) !== undefined;
const isTimeOrNone = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && (dateTimeOf(value) !== undefined || day.test(value)));
