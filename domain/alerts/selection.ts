import type { ResultRow } from '../results/contract.ts';
import { numberOf, stateOf } from './condition.ts';
import { momentOf } from './moments.ts';
import type { AlertState, QueryAlertOptions } from './options.ts';

/** The outcome of an evaluation: the state, the value that decided it, and without a value the reason. */
export interface Verdict {
  state: AlertState;
  value: unknown;
  /** The reason why there is no value to compare, as a sentence. */
  lack?: string;
}

type Watched = Pick<QueryAlertOptions, 'column' | 'op' | 'value' | 'selector'>;

/** The cell of a row: a missing cell differs from null. */
const cellOf = (row: ResultRow, column: string): unknown => (Object.hasOwn(row, column) ? row[column] : undefined);

/**
 * Evaluates the rows of a result as they stream by (W41: whatever its size, and for all alerts of a query at once). `isDone` says that
 * further rows change nothing.
 */
export class Selection {
  readonly #options: Watched;
  readonly #timeZone: string;
  #rows = 0;
  #hasColumn = false;
  /** The deciding cell of the rows so far. */
  #chosen: { value: unknown; rank: number | undefined } | undefined;
  #isMixed = false;
  readonly #firstOf = new Map<AlertState, unknown>();

  constructor(options: Watched, timeZone = 'UTC') {
    this.#options = options;
    this.#timeZone = timeZone;
  }

  get isDone(): boolean {
    const { selector } = this.#options;
    if (this.#rows === 0) return false;
    if (!this.#hasColumn || selector === 'first') return true;
    if (selector === 'any') return this.#firstOf.has('triggered');
    if (selector === 'all') return this.#firstOf.has('ok');
    return this.#isMixed;
  }

  see(row: ResultRow): void {
    const { column, selector, op, value: threshold } = this.#options;
    const value = cellOf(row, column);
    if (this.#rows++ === 0) this.#hasColumn = value !== undefined;
    if (!this.#hasColumn) return;
    switch (selector) {
      case 'first':
        this.#chosen ??= { value, rank: undefined };
        return;
      case 'min':
      case 'max':
        this.#rank(value ?? null, selector);
        return;
      default: {
        if (value === null || value === undefined) return;
        const state = stateOf(value, op, threshold, this.#timeZone);
        if (!this.#firstOf.has(state)) this.#firstOf.set(state, value);
      }
    }
  }

  /** All values must be numbers or all moments: the first row decides which. */
  #rank(value: unknown, selector: 'min' | 'max'): void {
    const moment = typeof value === 'string' ? momentOf(value, this.#timeZone)?.ms : undefined;
    const rank = numberOf(value) ?? moment;
    if (rank === undefined) {
      this.#isMixed = true;
      return;
    }
    const best = this.#chosen?.rank;
    if (best === undefined || (selector === 'min' ? rank < best : rank > best)) this.#chosen = { value, rank };
  }

  verdict(): Verdict {
    const { column, selector, op, value: threshold } = this.#options;
    const lacking = (lack: string): Verdict => ({ state: 'unknown', value: null, lack });
    if (this.#rows === 0) return lacking('The result has no rows.');
    if (!this.#hasColumn) return lacking(`The result has no column ${column}.`);
    if (selector === 'any' || selector === 'all') {
      for (const state of selector === 'any' ? (['triggered', 'ok', 'unknown'] as const) : (['ok', 'unknown', 'triggered'] as const))
        if (this.#firstOf.has(state)) return { state, value: this.#firstOf.get(state) };
      return lacking('The column holds only empty values.');
    }
    if (this.#isMixed) return lacking(`The ${selector === 'min' ? 'least' : 'greatest'} value cannot be told: not every row has a number.`);
    const value = this.#chosen?.value ?? null;
    if (value === null) return lacking('The value is empty.');
    return { state: stateOf(value, op, threshold, this.#timeZone), value };
  }
}
