import type { ColumnType, ResultColumn, ResultData, ResultRow } from '@telltale/domain/results/contract.ts';
import { isDay, isTimestamp } from '@telltale/domain/visualizations/instant.ts';
import { cellReader } from './cellValue.ts';

/** The data of a visualization. The rows are those of the answer, never copies: there may be a million. */
export interface ResultTable {
  columns: readonly ResultColumn[];
  rows: readonly ResultRow[];
  /** Filters have removed rows. */
  isFiltered: boolean;
}

export type ResultSource = Pick<ResultData, 'columns' | 'rows'>;

const known = new WeakMap<ResultSource, ResultTable>();
const mostVoters = 20_000;

/** Returns the same table for the same data, so that derived values are computed once. */
export function resultTable(data: ResultSource): ResultTable {
  const found = known.get(data);
  if (found) return found;
  const columns = data.columns.map((column) => ({ ...column, type: typeOfColumn(column, data.rows) }));
  const table = { columns, rows: data.rows, isFiltered: false };
  known.set(data, table);
  return table;
}

/**
 * visualizations 2.1: the values decide where the server's type is only text; otherwise the server's type wins. Unlike upstream a null is
 * ignored, so one gap does not turn numbers into text. Of many rows an even sample is used.
 */
function typeOfColumn({ name, type }: ResultColumn, rows: readonly ResultRow[]): ColumnType {
  if (type !== null && type !== 'string') return type;
  const read = cellReader(name);
  const step = Math.max(1, Math.ceil(rows.length / mostVoters));
  let result: ColumnType = null;
  for (let at = 0; at < rows.length; at += step) {
    const row = rows[at];
    const vote = row === undefined ? null : voteOf(read(row));
    if (vote === null) continue;
    if (vote === 'string' || (result !== null && result !== vote)) return 'string';
    result = vote;
  }
  return result ?? type;
}

function voteOf(value: unknown): ColumnType {
  if (typeof value === 'number') return 'float';
  if (typeof value === 'object' || value === undefined) return null;
  if (typeof value !== 'string') return 'string';
  if (isTimestamp(value)) return 'datetime';
  return isDay(value) ? 'date' : 'string';
}
