import { dateTimeJson } from '../../wire/values.ts';
import { QueryError } from '../connector.ts';
import type { Sink } from '../sink.ts';

export interface Series {
  /** The name of the measurement. */
  name: string;
  tags: Record<string, string>;
  columns: string[];
  values: unknown[][];
}

/** The number of rows that are held back, because later series may bring more columns. */
const headRows = 20_000;

/** Writes series, which arrive one after the other with their own tags, into one table with columns for all of them. */
export class SeriesWriter {
  readonly #sink: Sink;
  readonly #head: Series[] = [];
  #headRows = 0;
  #places: Map<string, number> | undefined;
  #hasNames = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async add(series: Series): Promise<void> {
    if (this.#places) return this.#write(series, this.#places);
    this.#head.push(series);
    this.#headRows += series.values.length;
    if (this.#headRows >= headRows) await this.#begin();
  }

  async finish(): Promise<void> {
    if (!this.#places) await this.#begin();
  }

  /** Columns come first, then tags, as in upstream; the measurement only when there are several. */
  async #begin(): Promise<void> {
    this.#hasNames = new Set(this.#head.map(({ name }) => name)).size > 1;
    const names = new Set([
      ...(this.#hasNames ? ['name'] : []),
      ...this.#head.flatMap(({ columns }) => columns),
      ...this.#head.flatMap(({ tags }) => Object.keys(tags)),
    ]);
    this.#places = new Map([...names].map((name, i) => [name, i]));
    this.#sink.columns(
      [...names].map((name) => (name === 'time' ? { name, type: 'datetime', encode: dateTimeJson } : { name, type: null })),
    );
    for (const series of this.#head.splice(0)) await this.#write(series, this.#places);
  }

  async #write({ name, columns, tags, values }: Series, places: Map<string, number>): Promise<void> {
    const placeOf = (column: string) => {
      const place = places.get(column);
      if (place === undefined) throw new QueryError(`The column '${column}' comes only in a later series; select it by name.`);
      return place;
    };
    const common: unknown[] = Array(places.size).fill(null);
    if (this.#hasNames) common[placeOf('name')] = name;
    for (const [tag, value] of Object.entries(tags)) common[placeOf(tag)] = value;
    const targets = columns.map(placeOf);
    for (const row of values) {
      const cells = [...common];
      for (const [i, place] of targets.entries()) cells[place] = row[i];
      if (!this.#sink.row(cells)) await this.#sink.ready();
    }
  }
}
