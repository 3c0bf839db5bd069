import { numberOf } from '@telltale/domain/alerts/condition.ts';
import type { Threshold } from '@telltale/domain/alerts/options.ts';
import type { ColumnType } from '@telltale/domain/results/contract.ts';

/** The control for the threshold (A9): a field, a calendar, a clock or both. */
export type ThresholdKind = 'plain' | 'boolean' | 'date' | 'time' | 'datetime';

/** Chosen by the type of the column, and for times of day, which have no type, by the value in the top row. */
export function thresholdKind(type: ColumnType | undefined, topValue: unknown): ThresholdKind {
  if (type === 'date' || type === 'datetime' || type === 'boolean') return type;
  return typeof topValue === 'string' && /^\d{2}:\d{2}:\d{2}(\.\d+)?$/.test(topValue) ? 'time' : 'plain';
}

/** Complaint 49: a number is stored as a number, whatever the field returns. */
export function typedThreshold(value: Threshold): Threshold {
  const number = numberOf(value);
  if (typeof value !== 'string' || number === undefined) return value;
  // Digits beyond a double, and texts like 1e3 or 007, stay as typed.
  return String(number) === value.trim() || /^-?\d+\.\d*0$/.test(value.trim()) ? number : value;
}
