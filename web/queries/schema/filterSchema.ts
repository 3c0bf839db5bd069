import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';

type SchemaColumn = SchemaTable['columns'][number];

/** Q5: one word matches table or column names; two words a table name, then column names. */
export function filterSchema(tables: readonly SchemaTable[], filter: string): SchemaTable[] {
  const [first, second] = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (first === undefined) return [...tables];
  const has = (name: string, word: string) => name.toLowerCase().includes(word);
  if (second === undefined) {
    return tables.filter(({ name, columns }) => has(name, first) || columns.some((column) => has(column.name, first)));
  }
  return tables
    .filter(({ name }) => has(name, first))
    .map((table) => ({ ...table, columns: table.columns.filter(({ name }) => has(name, second)) }))
    .filter(({ columns }) => columns.length > 0);
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
