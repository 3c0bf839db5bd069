import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { compareDecimals, decimalOf } from '@telltale/domain/visualizations/decimal.ts';
import { instantOf } from '@telltale/domain/visualizations/instant.ts';
import { plainText } from '../../cellValue.ts';
import type { Sliced } from './sliced.ts';

export interface SortBy {
  read: (row: ResultRow) => unknown;
  /** Of the query column: what its values are meant to be. */
  type: string | null;
  isDescending: boolean;
}

/** visualizations 4.4: nothing is smaller than everything; then numbers and moments, then text. */
const nothing = 0;
const number = 1;
const words = 2;

/** One number per row decides most comparisons; text is looked at only where two are alike. */
export interface SortKey {
  classes: Uint8Array;
  ranks: Float64Array;
  compareTies: (a: number, b: number) => number;
  isDescending: boolean;
}

const stepsAtOnce = 4096;

export function* sortKey(rows: readonly ResultRow[], { read, type, isDescending }: SortBy): Sliced<SortKey> {
  const classes = new Uint8Array(rows.length);
  const ranks = new Float64Array(rows.length);
  const numberOf = numberReader(type);
  const prefix = commonPrefix();
  let hasTextNumbers = false;
  for (let at = 0; at < rows.length; at += 1) {
    if (at % stepsAtOnce === 0) yield at / rows.length / 2;
    const row = rows[at];
    const value = row === undefined ? null : read(row);
    if (value === null || value === undefined) continue;
    const rank = numberOf(value);
    if (rank === undefined) {
      classes[at] = words;
      prefix.see(plainText(value));
    } else {
      classes[at] = number;
      ranks[at] = rank;
      hasTextNumbers ||= typeof value === 'string' && !isTemporal(type);
    }
  }
  const skipped = prefix.length();
  for (let at = 0; at < rows.length && skipped >= 0; at += 1) {
    if (at % stepsAtOnce === 0) yield 0.5 + at / rows.length / 2;
    const row = rows[at];
    if (classes[at] === words && row) ranks[at] = textRank(plainText(read(row)), skipped);
  }
  const valueAt = (at: number) => {
    const row = rows[at];
    return row === undefined ? null : read(row);
  };
  const compareTies = (a: number, b: number) => {
    if (classes[a] === nothing) return 0;
    if (classes[a] === words) return compareText(plainText(valueAt(a)), plainText(valueAt(b)));
    return hasTextNumbers ? compareNumbers(valueAt(a), valueAt(b)) : 0;
  };
  return { classes, ranks, compareTies, isDescending };
}

const isTemporal = (type: string | null) => type === 'date' || type === 'datetime';

/** What a value is worth; undefined for words. Numbers too long for doubles come as text (design 8). */
function numberReader(type: string | null): (value: unknown) => number | undefined {
  const isNumeric = type === 'integer' || type === 'float';
  return (value) => {
    if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'string') return undefined;
    if (isTemporal(type)) return instantOf(value);
    if (!isNumeric || value.trim() === '') return undefined;
    const parsed = Number(value);
    return Number.isNaN(parsed) ? undefined : parsed;
  };
}

/** The first three letters after what all texts begin with, as one number: 3 × 16 bits fit a double. */
function textRank(text: string, skipped: number): number {
  const [a, b, c] = [letter(text, skipped), letter(text, skipped + 1), letter(text, skipped + 2)];
  return (a * 65_536 + b) * 65_536 + c;
}

const letter = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : 0);

function commonPrefix() {
  let first: string | undefined;
  let length = 0;
  return {
    see(text: string): void {
      if (first === undefined) {
        first = text;
        length = text.length;
        return;
      }
      if (length > text.length) length = text.length;
      let at = 0;
      while (at < length && text.charCodeAt(at) === first.charCodeAt(at)) at += 1;
      length = at;
    },
    /** -1 when there was no text at all. */
    length: () => (first === undefined ? -1 : length),
  };
}

/** By code units, case-sensitive. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareNumbers(a: unknown, b: unknown): number {
  if (typeof a !== 'string' && typeof b !== 'string') return 0;
  const [left, right] = [decimalOf(a), decimalOf(b)];
  return left && right ? compareDecimals(left, right) : 0;
}

export function comparer(keys: readonly SortKey[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const { classes, ranks, compareTies, isDescending } of keys) {
      const order = (classes[a] ?? 0) - (classes[b] ?? 0) || compareRanks(ranks[a] ?? 0, ranks[b] ?? 0) || compareTies(a, b);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
}

/** Two infinities are equal; their difference would be no number. */
const compareRanks = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
