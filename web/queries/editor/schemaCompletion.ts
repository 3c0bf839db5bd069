import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';

export interface NameOption {
  label: string;
  detail: string;
  kind: 'table' | 'column';
}

export interface NameOptions {
  /** How many characters before the cursor they replace. */
  length: number;
  options: NameOption[];
}

const capitalised = (type: string | null | undefined) => (type ? type.charAt(0).toUpperCase() + type.slice(1) : 'Column');
const columnsOf = (tables: readonly SchemaTable[]): NameOption[] => {
  const seen = new Map<string, NameOption>();
  for (const { columns } of tables)
    for (const { name, type } of columns) if (!seen.has(name)) seen.set(name, { label: name, detail: capitalised(type), kind: 'column' });
  return [...seen.values()];
};
const tableOptions = (tables: readonly SchemaTable[]): NameOption[] =>
  tables.map(({ name }) => ({ label: name, detail: 'Table', kind: 'table' }));

/** Screens 5.4: names only for a typed beginning; after `table.` or `alias.` the columns of that table. */
export function nameOptions(tables: readonly SchemaTable[], before: string, text: string): NameOptions | null {
  const typed = /[\w$.]*$/.exec(before)?.[0] ?? '';
  if (typed === '') return null;
  const dot = typed.lastIndexOf('.');
  if (dot > 0) {
    const owners = tablesNamed(tables, typed.slice(0, dot), text);
    if (owners.length > 0) return { length: typed.length - dot - 1, options: columnsOf(owners) };
    // The names of the default schema come without it.
    const prefix = typed.slice(0, dot + 1).toLowerCase();
    const isQualified = tables.some(({ name }) => name.toLowerCase().startsWith(prefix));
    if (!isQualified) return { length: typed.length - dot - 1, options: tableOptions(tables.filter(({ name }) => !name.includes('.'))) };
  }
  return { length: typed.length, options: [...tableOptions(tables), ...(dot < 0 ? columnsOf(tables) : [])] };
}

function tablesNamed(tables: readonly SchemaTable[], name: string, text: string): SchemaTable[] {
  const direct = named(tables, name);
  if (direct.length > 0) return direct;
  if (name.includes('.')) return named(tables, name.slice(name.lastIndexOf('.') + 1));
  const aliased = new RegExp(`\\b(?:from|join|,)\\s*([\\w$.]+)\\s+(?:as\\s+)?${name.replace(/[$]/g, '\\$&')}\\b`, 'i').exec(text)?.[1];
  return aliased ? tablesNamed(tables, aliased, '') : [];
}

function named(tables: readonly SchemaTable[], name: string): SchemaTable[] {
  const wanted = name.toLowerCase();
  return tables.filter((table) => table.name.toLowerCase() === wanted || table.name.toLowerCase().endsWith(`.${wanted}`));
}
