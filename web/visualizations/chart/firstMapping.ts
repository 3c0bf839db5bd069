import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import { filterKindOf } from '../filters/columnName.ts';
import type { ChartType } from './chartTypes.ts';
import type { Role } from './columnMapping.ts';

const isMoment = ({ type }: ResultColumn) => type === 'datetime' || type === 'date';
export const isNumber = ({ type }: ResultColumn) => type === 'integer' || type === 'float';
const isText = ({ type }: { type: ColumnType }) => type === 'string' || type === 'boolean' || type === null;
const isId = ({ name }: ResultColumn) => /(^|[\s_.-])id$/i.test(name) || /[a-z]I[dD]$/.test(name);

/**
 * Complaint 35: time or text along x, the first measured number along y; a text column beside a time makes the series. A filter column is
 * left to the filter.
 */
export function firstMapping(columns: readonly ResultColumn[], type: ChartType): Record<string, Role> {
  const free = columns.filter(({ name }) => !filterKindOf(name));
  const numbers = [
    ...free.filter((column) => isNumber(column) && !isId(column)),
    ...free.filter((column) => isNumber(column) && isId(column)),
  ];
  const texts = free.filter(isText);
  const moment = free.find(isMoment);
  const x = moment ?? texts[0] ?? (numbers.length > 1 ? free.find(isNumber) : undefined);
  const measured = numbers.filter((column) => column !== x);
  if (type === 'heatmap') {
    const y = free.find((column) => column !== x && !isMoment(column) && column !== measured.at(-1));
    return roles([x, 'x'], [y, 'y'], [measured.at(-1), 'zVal']);
  }
  const series = moment && texts.length === 1 && type !== 'pie' ? texts[0] : undefined;
  const size = type === 'bubble' ? measured[1] : undefined;
  return roles([x, 'x'], [measured[0], 'y'], [series, 'series'], [size, 'size']);
}

/** A time and numbers make a line, with gaps for missing values: a missing reading is not a reading of 0. */
export function firstChartOptions(columns: readonly ResultColumn[]): Record<string, unknown> {
  const isSeries = columns.some(isMoment) && columns.some(isNumber);
  return { ...(isSeries && { globalSeriesType: 'line' }), missingValuesAsZero: false };
}

function roles(...given: [column: ResultColumn | undefined, role: Role][]): Record<string, Role> {
  return Object.fromEntries(given.flatMap(([column, role]): [string, Role][] => (column ? [[column.name, role]] : [])));
}
