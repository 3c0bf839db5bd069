import { numberOf } from './condition.ts';
import { momentOf } from './moments.ts';
import type { Operator, Threshold } from './options.ts';

/** A3: the query's name, then column, operator and value. */
export function defaultName(
  query: { name: string } | null,
  options: { column?: string | undefined; op: string; value: Threshold },
): string {
  return query ? `${query.name}: ${options.column ?? ''} ${options.op} ${options.value}`.slice(0, 255) : 'New Alert';
}

const kindOf = (value: unknown) => (numberOf(value) === undefined ? (momentOf(String(value), 'UTC')?.kind ?? 'text') : 'number');

/** A5: the fault of a condition before it is ever evaluated; the threshold is checked first. */
export function criteriaWarning(topValue: unknown, op: Operator, threshold: Threshold): string | null {
  if (op === '==' || op === '!=') return null;
  const mismatch = "Value column type doesn't match threshold type.";
  const limit = kindOf(threshold);
  if (limit === 'text') return mismatch;
  if (topValue === null || topValue === undefined) return null;
  const value = kindOf(topValue);
  if (value === 'text') return "Value column isn't supported by condition type.";
  return value === limit ? null : mismatch;
}
