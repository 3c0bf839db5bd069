import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { instantOf, isDay, isTimestamp } from '@telltale/domain/visualizations/instant.ts';
import type { AxisType } from '../chartOptions.ts';

const marks = /["'%,$#\s]/g;
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** visualizations 5.3: text loses quotes, `% , $ #` and spaces and must then be a number; NaN for everything else. */
export function cleanNumber(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.length > 400) return Number.NaN;
  const text = value.replace(marks, '');
  return plainNumber.test(text) ? Number(text) : Number.NaN;
}

export const isMissing = (value: unknown): boolean => value === null || value === undefined || value === '';

/** The kind of an axis. */
export type ScaleType = 'category' | 'time' | 'value' | 'log';

const stated: Readonly<Record<Exclude<AxisType, '-'>, ScaleType>> = {
  datetime: 'time',
  linear: 'value',
  logarithmic: 'log',
  category: 'category',
};

/** visualizations 5.7: "Auto Detect" uses the type of the column, and the values where the type is unknown. */
export function scaleTypeOf(asked: AxisType, columnType: ColumnType, sample: readonly unknown[]): ScaleType {
  if (asked !== '-') return stated[asked];
  if (columnType === 'date' || columnType === 'datetime') return 'time';
  if (columnType === 'integer' || columnType === 'float') return 'value';
  if (columnType === 'boolean') return 'category';
  return votedScale(sample);
}

function votedScale(sample: readonly unknown[]): ScaleType {
  let [moments, numbers, texts] = [0, 0, 0];
  for (const value of sample) {
    if (isMissing(value)) continue;
    if (typeof value === 'string' && (isTimestamp(value) || isDay(value))) moments += 1;
    else if (!Number.isNaN(cleanNumber(value))) numbers += 1;
    else texts += 1;
  }
  if (moments > 2 * (numbers + texts)) return 'time';
  return numbers > 2 * (texts + moments) ? 'value' : 'category';
}

/** Milliseconds, or NaN. */
export const momentOf = (value: unknown): number => instantOf(value) ?? Number.NaN;
