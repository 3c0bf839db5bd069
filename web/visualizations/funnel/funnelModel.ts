import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { cellReader, plainText } from '../cellValue.ts';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import { isMoment } from '../firstColumn.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import { firstInOrder } from './firstRows.ts';
import type { FunnelOptions } from './funnelOptions.ts';

interface FunnelStep {
  name: string;
  value: string;
  /** 0 to 100, relative to the largest value: the width of its bar. */
  ofMax: number;
  maxText: string;
  /** 0 to 100, relative to the largest share of a previous step. */
  previousBar: number;
  previousText: string;
}

export interface FunnelModel {
  steps: FunnelStep[];
  /** The number of steps in the result. */
  count: number;
}

/** Further rows are not drawn, whatever the limit says. */
export const mostSteps = 1000;
const mostLetters = 300;

/** visualizations 9; null while a column is missing. */
export function funnelModel(table: ResultTable, options: FunnelOptions, settings: DisplaySettings): FunnelModel | null {
  const { stepCol, valueCol, sortKeyCol, percentValuesRange: range } = options;
  if (stepCol.colName === null || valueCol.colName === null) return null;
  const readValue = cellReader(valueCol.colName);
  const valueIn = (row: ResultRow): number => numericValue(readValue(row)) ?? 0;
  const rows = firstInOrder(table.rows, orderOf(sortKeyCol, options.autoSort ? valueIn : null), Math.min(options.itemsLimit, mostSteps));

  const values = rows.map(valueIn);
  let max = 0;
  for (const row of table.rows) max = Math.max(max, valueIn(row));
  const ofPrevious = values.map((value, at) => {
    const before = values[at - 1];
    return before === undefined || before === value ? 100 : (value / before) * 100;
  });
  const largest = Math.max(0, ...ofPrevious.filter(Number.isFinite));
  const printNumber = numberFormatter(options.numberFormat, separatorsOf(settings));
  const printPercent = percentPrinter(options.percentFormat, range, settings);
  const nameOf = stepPrinter(table, stepCol.colName, settings);
  const steps = rows.map((row, at): FunnelStep => {
    const value = values[at] ?? 0;
    const ofMax = max > 0 ? (value / max) * 100 : 0;
    const previous = ofPrevious[at] ?? 100;
    return {
      name: nameOf(row),
      value: printNumber(value),
      ofMax: inPercent(ofMax),
      maxText: printPercent(ofMax),
      previousBar: inPercent(largest > 0 ? (previous / largest) * 100 : 0),
      previousText: printPercent(previous),
    };
  });
  return { steps, count: table.rows.length };
}

const inPercent = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(100, Math.max(0, value)));

type Order = (a: ResultRow, b: ResultRow) => number;

/** The order of steps: by value, by the sort column (numbers by size, text by its letters), or else as the rows came. */
function orderOf({ colName, reverse }: FunnelOptions['sortKeyCol'], valueIn: ((row: ResultRow) => number) | null): Order {
  if (valueIn) return (a, b) => valueIn(b) - valueIn(a);
  if (colName === null) return () => 0;
  const read = cellReader(colName);
  const sign = reverse ? -1 : 1;
  return (a, b) => sign * compareValues(read(a), read(b));
}

function compareValues(a: unknown, b: unknown): number {
  const [left, right] = [numericValue(a), numericValue(b)];
  if (left !== null && right !== null) return left - right;
  const [first, second] = [plainText(a), plainText(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function stepPrinter(table: ResultTable, name: string, settings: DisplaySettings): (row: ResultRow) => string {
  const read = cellReader(name);
  const column = table.columns.find((one) => one.name === name);
  const print = column && isMoment(column) ? dateFormatter(settings.dateTimeFormat) : plainText;
  return (row) => print(read(row)).slice(0, mostLetters);
}

/** Percentages outside the range print only the bound: `<0.01%`, `>1000%`. */
function percentPrinter(format: string, { min, max }: FunnelOptions['percentValuesRange'], settings: DisplaySettings) {
  const print = numberFormatter(format, separatorsOf(settings));
  return (value: number): string => {
    if (Number.isNaN(value)) return '';
    if (value < min) return `<${print(min)}`;
    return value > max ? `>${print(max)}` : print(value);
  };
}
