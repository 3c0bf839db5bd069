import { instantOf } from '@telltale/domain/visualizations/instant.ts';
import { cellReader } from '../cellValue.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import type { CohortOptions, Interval } from './cohortOptions.ts';

/** One date, the size of its group, and the group's values by stage. */
export interface Bucket {
  at: number;
  total: number;
  values: Map<number, number>;
}

/** The readable rows by date; the first row of a date gives its total. */
export function bucketsOf({ rows }: ResultTable, options: CohortOptions): Bucket[] {
  const [date, stage, total, value] = [options.dateColumn, options.stageColumn, options.totalColumn, options.valueColumn].map(cellReader);
  const buckets = new Map<number, Bucket>();
  for (const row of rows) {
    const at = instantOf(date?.(row));
    const place = whole(stage?.(row));
    if (at === undefined || place === null) continue;
    let bucket = buckets.get(at);
    if (!bucket) {
      bucket = { at, total: whole(total?.(row)) ?? 0, values: new Map() };
      buckets.set(at, bucket);
    }
    const found = whole(value?.(row));
    if (found !== null) bucket.values.set(place, found);
  }
  return [...buckets.values()].sort((a, b) => a.at - b.at);
}

function whole(value: unknown): number | null {
  const number = numericValue(value);
  return number === null ? null : Math.trunc(number);
}

const day = 86_400_000;

/** The number of whole intervals between two moments. */
export function intervalsBetween(from: number, to: number, interval: Interval): number {
  if (interval === 'daily') return Math.floor((to - from) / day);
  if (interval === 'weekly') return Math.floor((to - from) / (7 * day));
  const [first, last] = [new Date(from), new Date(to)];
  const months = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  return addIntervals(from, months, 'monthly') > to ? months - 1 : months;
}

export function addIntervals(at: number, count: number, interval: Interval): number {
  if (interval !== 'monthly') return at + count * (interval === 'daily' ? day : 7 * day);
  const date = new Date(at);
  const target = new Date(at);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + count);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  return target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
}
