import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { compareDecimals, decimalOf } from '@telltale/domain/visualizations/decimal.ts';
import { instantOf } from '@telltale/domain/visualizations/instant.ts';
import { plainText } from '../../cellValue.ts';
import { isSame, radixSort, wordsOf } from './radixSort.ts';
import { part, type Sliced } from './sliced.ts';
import { textSort } from './textSort.ts';

export interface SortBy {
  read: (row: ResultRow) => unknown;
  /** The type of the query column. */
  type: string | null;
  isDescending: boolean;
}

const stepsAtOnce = 8192;

/** The indexes of the rows in the wanted order; the rows themselves are not changed. */
export function* sortedOrder(rows: readonly ResultRow[], sort: readonly SortBy[]): Sliced<Uint32Array> {
  const order = new Uint32Array(rows.length);
  for (let at = 0; at < order.length; at += 1) order[at] = at;
  const spare = new Uint32Array(rows.length);
  // Every sort is stable, so the least important column is sorted first.
  for (const [at, by] of sort.toReversed().entries()) {
    yield* part(sortBy(rows, order, spare, by), at / sort.length, (at + 1) / sort.length);
  }
  return order;
}

/** visualizations 4.4: nothing sorts before everything; then numbers and moments, then text. */
const nothing = 0;
const number = 1;
const text = 2;

function* sortBy(rows: readonly ResultRow[], order: Uint32Array, spare: Uint32Array, by: SortBy): Sliced<void> {
  const { read, isDescending } = by;
  const valueAt = (at: number) => {
    const row = rows[at];
    return row === undefined ? null : read(row);
  };
  const { classes, ranks, counts, hasTextNumbers } = yield* part(ranked(rows, by), 0, 0.3);
  const words = yield* part(wordsOf(ranks, isDescending), 0.3, 0.4);
  if (counts[number] > 0) yield* part(radixSort(order, 0, order.length, words, spare), 0.4, 0.7);
  yield* part(byClass(order, spare, classes, isDescending ? [text, number, nothing] : [nothing, number, text]), 0.7, 0.75);

  const numbersStart = isDescending ? counts[text] : counts[nothing];
  if (hasTextNumbers) yield* sortTies(order, numbersStart, numbersStart + counts[number], words, valueAt, isDescending);
  const textStart = isDescending ? 0 : order.length - counts[text];
  const textAt = (at: number) => plainText(valueAt(at));
  if (counts[text] > 1) yield* part(textSort({ order, spare, textAt, isDescending }, textStart, textStart + counts[text]), 0.75, 1);
}

function* ranked(rows: readonly ResultRow[], { read, type }: SortBy) {
  const classes = new Uint8Array(rows.length);
  const ranks = new Float64Array(rows.length);
  const counts: [nothing: number, number: number, text: number] = [0, 0, 0];
  const numberOf = numberReader(type);
  let hasTextNumbers = false;
  for (let at = 0; at < rows.length; at += 1) {
    if (at % stepsAtOnce === 0) yield at / rows.length;
    const row = rows[at];
    const value = row === undefined ? null : read(row);
    if (value === null || value === undefined) {
      counts[nothing] += 1;
      continue;
    }
    const rank = numberOf(value);
    if (rank === undefined) {
      classes[at] = text;
      counts[text] += 1;
    } else {
      classes[at] = number;
      counts[number] += 1;
      // Adding 0 replaces -0, which is smaller than 0 by its bits.
      ranks[at] = rank + 0;
      hasTextNumbers ||= typeof value === 'string' && !isTemporal(type);
    }
  }
  return { classes, ranks, counts, hasTextNumbers };
}

const isTemporal = (type: string | null) => type === 'date' || type === 'datetime';

/** The number behind a value; undefined for text. Numbers too long for doubles come as text (design 8). */
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

function* byClass(order: Uint32Array, spare: Uint32Array, classes: Uint8Array, wanted: readonly number[]): Sliced<void> {
  let count = 0;
  for (const one of wanted) {
    for (let at = 0; at < order.length; at += 1) {
      if (at % stepsAtOnce === 0) yield 0.5;
      const row = order[at] ?? 0;
      if (classes[row] !== one) continue;
      spare[count] = row;
      count += 1;
    }
  }
  order.set(spare);
}

/** Numbers that are equal as doubles may still differ as text. */
function* sortTies(
  order: Uint32Array,
  start: number,
  end: number,
  words: Uint32Array,
  valueAt: (at: number) => unknown,
  isDescending: boolean,
): Sliced<void> {
  for (let at = start; at < end; ) {
    let next = at + 1;
    while (next < end && isSame(words, order[at] ?? 0, order[next] ?? 0)) next += 1;
    if (next - at > 1) {
      const tied = Array.from(order.subarray(at, next), (row) => ({ row, decimal: decimalOf(valueAt(row)) }));
      tied.sort((a, b) => (a.decimal && b.decimal ? compareDecimals(a.decimal, b.decimal) * (isDescending ? -1 : 1) : 0));
      for (const [index, { row }] of tied.entries()) order[at + index] = row;
    }
    if (next % stepsAtOnce < next - at) yield 0.75;
    at = next;
  }
}
