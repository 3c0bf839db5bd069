import { formatNumber } from '@telltale/domain/visualizations/number-format.ts';
import { cellReader, plainText } from '../cellValue.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import { rowIndexOf } from '../rowNumber.ts';
import type { CounterOptions } from './counterOptions.ts';

export interface CounterModel {
  label: string;
  value: string;
  /** With more digits, for the tooltip. */
  exactValue: string;
  target: string | null;
  exactTarget: string;
  /** Only where both are numbers. */
  trend: 'reached' | 'missed' | null;
  /** Formats of numbers do nothing for text. */
  isNumber: boolean;
  /** The column is not in the result. */
  missing: string | null;
}

/** More would not be read, only shrunk. */
const mostLetters = 200;

/** visualizations 6: one value, beside what it should be. */
export function counterModel(table: ResultTable, options: CounterOptions, name: string): CounterModel {
  const { counterColName, targetColName = '' } = options;
  const raw = options.countRow ? table.rows.length : cellOf(table, counterColName, options.rowNumber);
  const target = targetColName === '' ? undefined : cellOf(table, targetColName, options.targetRowNumber);
  const [number, aim] = [numericValue(raw), numericValue(target)];
  const isGone = (column: string) => column !== '' && table.columns.every((one) => one.name !== column);
  return {
    label: options.counterLabel || name,
    value: valueText(raw, options),
    exactValue: exactText(raw, options),
    target: target === undefined || target === null ? null : targetText(target, options),
    exactTarget: exactText(target, options),
    trend: number === null || aim === null ? null : number >= aim ? 'reached' : 'missed',
    isNumber: number !== null,
    missing: !options.countRow && isGone(counterColName) ? counterColName : isGone(targetColName) ? targetColName : null,
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

/** Decimals that are no number leave the choice to us only where the separators do as well. */
function formatted(value: unknown, { stringDecimal, stringDecChar, stringThouSep }: CounterOptions): string {
  const isGiven = stringDecimal !== null && stringDecimal >= 0;
  if (!isGiven && stringDecChar === '' && stringThouSep === '') return formatNumber(value, '0,0.000');
  const decimals = isGiven ? Math.min(20, Math.trunc(stringDecimal)) : 0;
  // Without any mark 12.34 would read 1234.
  const separators = { thousands: stringThouSep, decimal: stringDecChar || '.' };
  return formatNumber(value, `0,0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`, separators);
}

function targetText(target: unknown, options: CounterOptions): string {
  if (options.formatTargetValue) return valueText(target, options);
  return numericValue(target) === null ? plainText(target).slice(0, mostLetters) : formatNumber(target, '0[.]00[0]');
}

const exactText = (value: unknown, { tooltipFormat }: CounterOptions): string =>
  numericValue(value) === null ? plainText(value).slice(0, mostLetters) : formatNumber(value, tooltipFormat);
