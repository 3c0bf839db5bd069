import { numericValue } from '../../numericValue.ts';
import type { Order } from '../pivotOptions.ts';
import { compareKeys } from './aggregators.ts';
import type { Key, PivotData } from './pivotData.ts';

const natural = new Intl.Collator('en', { numeric: true });
/** Above this many keys locale-aware sorting is too slow. */
const fewEnough = 3000;

/** The shown order of the groups: by key, or by their totals. */
export function shownOrder(keys: readonly Key[], order: Order, total: (place: number) => number | string | null): number[] {
  const places = keys.map((_, place) => place);
  if (order === 'key_a_to_z') {
    const parts = keys.map((key) => key.map((text) => numericValue(text) ?? text));
    const compareTexts = keys.length <= fewEnough ? natural.compare : compareKeys;
    return places.sort((a, b) => compareParts(parts[a] ?? [], parts[b] ?? [], compareTexts));
  }
  const sign = order === 'value_a_to_z' ? 1 : -1;
  const totals = places.map((place) => total(place) ?? Number.NEGATIVE_INFINITY);
  return places.sort((a, b) => sign * compareKeys(totals[a] ?? 0, totals[b] ?? 0));
}

type Parts = readonly (number | string)[];

function compareParts(a: Parts, b: Parts, compareTexts: (a: string, b: string) => number): number {
  for (let level = 0; level < a.length; level += 1) {
    const [left = '', right = ''] = [a[level], b[level]];
    const difference = typeof left === 'string' && typeof right === 'string' ? compareTexts(left, right) : compareKeys(left, right);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Data with its groups in the shown order. */
export function ordered(data: PivotData, rowOrder: Order, colOrder: Order): PivotData {
  const rows = shownOrder(data.rowKeys, rowOrder, (place) => data.result(place, undefined));
  const cols = shownOrder(data.colKeys, colOrder, (place) => data.result(undefined, place));
  return {
    rowKeys: rows.map((place) => data.rowKeys[place] ?? []),
    colKeys: cols.map((place) => data.colKeys[place] ?? []),
    result: (row, col) => data.result(row === undefined ? undefined : rows[row], col === undefined ? undefined : cols[col]),
    count: data.count,
  };
}
