import { type AttributeDisplay, displayState, type ThresholdState } from '@telltale/domain/channels/attribute-display.ts';
import { formatNumber, type Separators } from '@telltale/domain/visualizations/number-format.ts';
import { cellReader, plainText } from '../cellValue.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import { rowIndexOf } from '../rowNumber.ts';
import type { CounterOptions } from './counterOptions.ts';

export interface CounterModel {
  label: string;
  value: string;
  /** The value with more digits, for the tooltip. */
  exactValue: string;
  target: string | null;
  exactTarget: string;
  /** Set only where both are numbers. */
  trend: 'reached' | 'missed' | null;
  /** Number formats do not apply to text. */
  isNumber: boolean;
  /** By the thresholds of the attribute. */
  state: ThresholdState | null;
  /** The column of the value is not in the result; a target that is not there is none. */
  missing: string | null;
}

/** Longer text would only be shrunk to an unreadable size. */
const mostLetters = 200;

/** visualizations 6: one value, beside what it should be. */
export function counterModel(
  table: ResultTable,
  given: CounterOptions,
  name: string,
  separators: Separators,
  display?: AttributeDisplay,
): CounterModel {
  const options = withDisplay(given, display);
  const { counterColName } = options;
  const isGone = (column: string) => column !== '' && table.columns.every((one) => one.name !== column);
  const targetColName = isGone(options.targetColName ?? '') ? '' : (options.targetColName ?? '');
  const raw = options.countRow ? table.rows.length : cellOf(table, counterColName, options.rowNumber);
  const target = targetColName === '' ? undefined : cellOf(table, targetColName, options.targetRowNumber);
  const [number, aim] = [numericValue(raw), numericValue(target)];
  return {
    label: options.counterLabel || name,
    value: valueText(raw, options),
    exactValue: exactText(raw, options, separators),
    target: target === undefined || target === null ? null : targetText(target, options, separators),
    exactTarget: exactText(target, options, separators),
    trend: number === null || aim === null ? null : number >= aim ? 'reached' : 'missed',
    isNumber: number !== null,
    state: number === null || options.countRow ? null : displayState(number, display?.thresholds ?? []),
    missing: !options.countRow && isGone(counterColName) ? counterColName : null,
  };
}

/** Unit and decimals of the attribute stand in where nobody has chosen others for this counter. */
function withDisplay(options: CounterOptions, display: AttributeDisplay | undefined): CounterOptions {
  if (!display || options.countRow) return options;
  return {
    ...options,
    stringDecimal: options.stringDecimal === 0 && display.decimals !== null ? display.decimals : options.stringDecimal,
    stringSuffix: options.stringSuffix ?? (display.unit ? ` ${display.unit}` : undefined),
  };
}

function cellOf({ rows }: ResultTable, column: string, rowNumber: number): unknown {
  const row = rows[rowIndexOf(rowNumber, rows.length)];
  return row === undefined ? undefined : cellReader(column)(row);
}

function valueText(value: unknown, options: CounterOptions): string {
  if (numericValue(value) === null) return plainText(value).slice(0, mostLetters);
  return `${options.stringPrefix ?? ''}${formatted(value, options)}${options.stringSuffix ?? ''}`;
}

/** Without a valid number of decimals the default format applies, but only if the separators are empty as well. */
function formatted(value: unknown, { stringDecimal, stringDecChar, stringThouSep }: CounterOptions): string {
  const isGiven = stringDecimal !== null && stringDecimal >= 0;
  if (!isGiven && stringDecChar === '' && stringThouSep === '') return formatNumber(value, '0,0.000');
  const decimals = isGiven ? Math.min(20, Math.trunc(stringDecimal)) : 0;
  // Without any decimal mark 12.34 would read 1234.
  const separators = { thousands: stringThouSep, decimal: stringDecChar || '.' };
  return formatNumber(value, `0,0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`, separators);
}

function targetText(target: unknown, options: CounterOptions, separators: Separators): string {
  if (options.formatTargetValue) return valueText(target, options);
  return numericValue(target) === null ? plainText(target).slice(0, mostLetters) : formatNumber(target, '0[.]00[0]', separators);
}

const exactText = (value: unknown, { tooltipFormat }: CounterOptions, separators: Separators): string =>
  numericValue(value) === null ? plainText(value).slice(0, mostLetters) : formatNumber(value, tooltipFormat, separators);
