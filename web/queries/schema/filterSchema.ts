import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import { fuzzyMatch } from './fuzzyMatch.ts';

type SchemaColumn = SchemaTable['columns'][number];

export const wordsOf = (filter: string): string[] => filter.trim().split(/\s+/).filter(Boolean);

/**
 * Q5: one word matches table or column names; two words a table name, then column names. Where that finds nothing, words in any order and with
 * letters left out do (complaint 11).
 */
export function filterSchema(tables: readonly SchemaTable[], filter: string): SchemaTable[] {
  const words = wordsOf(filter);
  if (words.length === 0) return [...tables];
  const exact = words.length <= 2 ? exactly(tables, words) : [];
  return exact.length > 0 ? exact : nearly(tables, words);
}

function exactly(tables: readonly SchemaTable[], [first = '', second]: readonly string[]): SchemaTable[] {
  const has = (name: string, word: string) => name.toLowerCase().includes(word.toLowerCase());
  if (second === undefined) {
    return tables.filter(({ name, columns }) => has(name, first) || columns.some((column) => has(column.name, first)));
  }
  return tables
    .filter(({ name }) => has(name, first))
    .map((table) => ({ ...table, columns: table.columns.filter(({ name }) => has(name, second)) }))
    .filter(({ columns }) => columns.length > 0);
}

/** Each word stands in the table's name or in that of a column; of several words, those for columns choose the columns. */
function nearly(tables: readonly SchemaTable[], words: readonly string[]): SchemaTable[] {
  return tables.flatMap((table) => {
    const ofColumns = words.filter((word) => !fuzzyMatch(table.name, word));
    const columns = table.columns.filter(({ name }) => ofColumns.some((word) => fuzzyMatch(name, word)));
    if (!ofColumns.every((word) => columns.some(({ name }) => fuzzyMatch(name, word)))) return [];
    return [{ ...table, columns: words.length > 1 && ofColumns.length > 0 ? columns : table.columns }];
  });
}

const tableHeight = 22;
const columnHeight = 18;

export interface SchemaRow {
  table: SchemaTable;
  /** Null for the row of the table itself. */
  column: SchemaColumn | null;
  top: number;
  height: number;
}

/** Q2: 22 px for a table, 18 px for each column of an expanded one. */
export function schemaRows(tables: readonly SchemaTable[], expanded: ReadonlySet<string>): { rows: SchemaRow[]; height: number } {
  const rows: SchemaRow[] = [];
  let top = 0;
  const add = (table: SchemaTable, column: SchemaColumn | null, height: number) => {
    rows.push({ table, column, top, height });
    top += height;
  };
  for (const table of tables) {
    add(table, null, tableHeight);
    if (expanded.has(table.name)) for (const column of table.columns) add(table, column, columnHeight);
  }
  return { rows, height: top };
}

/** The rows that can be seen, and a few around them. */
export function visibleRows(rows: readonly SchemaRow[], scrollTop: number, viewHeight: number): SchemaRow[] {
  const margin = 200;
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const row = rows[middle];
    if (row && row.top + row.height < scrollTop - margin) from = middle + 1;
    else to = middle;
  }
  const shown: SchemaRow[] = [];
  for (let at = from; at < rows.length; at++) {
    const row = rows[at];
    if (!row || row.top > scrollTop + viewHeight + margin) break;
    shown.push(row);
  }
  return shown;
}

export const countColumns = (tables: readonly SchemaTable[]): number => tables.reduce((sum, { columns }) => sum + columns.length, 0);
/** Q9 */
export const mostLiveColumns = 5000;
