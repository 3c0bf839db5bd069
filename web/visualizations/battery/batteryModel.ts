import { formatNumber } from '@telltale/domain/visualizations/number-format.ts';
import { cellReader, plainText } from '../cellValue.ts';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import { rowIndexOf } from '../rowNumber.ts';
import { type BatteryOptions, rangeFault } from './batteryOptions.ts';

export type BatteryLevel = 'low' | 'medium' | 'high';

export interface BatteryModel {
  /** Null shows the null marker. */
  text: string | null;
  /** The fill from 0 to 1; null without a number. */
  fill: number | null;
  level: BatteryLevel | null;
  color: string | null;
  tooltip: string;
  /** The column is not in the result. */
  missing: string | null;
}

/** visualizations 17: the range may be descending, like a voltage. */
export function batteryModel(table: ResultTable, options: BatteryOptions, settings: DisplaySettings): BatteryModel {
  const { range, valueColumn, colors } = options;
  const raw = cellOf(table, options);
  const value = numericValue(raw);
  const [empty, full] = range;
  const fill = value === null || rangeFault(options) ? null : clamp((value - empty) / (full - empty));
  const level = fill === null ? null : levelOf(fill * 100, options);
  const isGone = valueColumn !== null && table.columns.every(({ name }) => name !== valueColumn);
  return {
    text: value === null ? null : `${formatNumber(raw, options.numberFormat, separatorsOf(settings))}${options.suffix}`,
    fill,
    level,
    color: level && colors[level],
    tooltip: `${plainText(raw).slice(0, 100) || settings.nullValue} (${empty} – ${full})`,
    missing: isGone ? valueColumn : null,
  };
}

function cellOf({ rows }: ResultTable, { valueColumn, rowNumber }: BatteryOptions): unknown {
  const row = rows[rowIndexOf(rowNumber, rows.length)];
  return row === undefined || valueColumn === null ? undefined : cellReader(valueColumn)(row);
}

const clamp = (part: number): number => Math.min(1, Math.max(0, part));

/** Thresholds are percents of the range. */
function levelOf(percent: number, { lowThreshold, mediumThreshold }: BatteryOptions): BatteryLevel {
  if (percent <= lowThreshold) return 'low';
  return percent <= mediumThreshold ? 'medium' : 'high';
}
