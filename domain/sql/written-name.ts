import type { Dialect } from './dialect.ts';
import { quoteName } from './quote.ts';
import { isReservedName } from './reserved-names.ts';

const anyCase = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** These read an unquoted name as if it had no capitals, or may do so. */
const lowerCase = /^[a-z_][a-z0-9_]*$/;
const plainNames: Record<Dialect, RegExp> = {
  postgres: lowerCase,
  generic: lowerCase,
  mysql: anyCase,
  sqlite: anyCase,
  duckdb: anyCase,
  clickhouse: anyCase,
};

/** A column's name as it must stand in a statement: between quotes only where it would mean something else without. */
export const writtenName = (name: string, dialect: Dialect): string =>
  plainNames[dialect].test(name) && !isReservedName(name, dialect) ? name : quoteName(name, dialect);

/** The same for a table as the schema names it, part by part. */
export const writtenTable = (name: string, dialect: Dialect): string =>
  tableParts(name, dialect)
    .map((part) => writtenName(part, dialect))
    .join('.');

const inQuotes = /"((?:[^"]|"")*)"(?=\.|$)/y;
const inBackticks = /`((?:[^`]|``)*)`(?=\.|$)/y;

/**
 * `schema.table` as its names. In a schema a name stands as it is, unless a dot in it would part it (`schemaName`);
 * SQLite has no schemas there, so a dot parts nothing.
 */
export function tableParts(name: string, dialect: Dialect): string[] {
  if (dialect === 'sqlite') return [name];
  const [quote, dotted] = dialect === 'mysql' ? (['`', inBackticks] as const) : (['"', inQuotes] as const);
  const parts: string[] = [];
  for (let at = 0; at <= name.length; ) {
    dotted.lastIndex = at;
    const [whole = '', inner = ''] = dotted.exec(name) ?? [];
    const isQuoted = inner.includes('.');
    const dot = name.indexOf('.', at + (isQuoted ? whole.length : 0));
    const end = dot < 0 ? name.length : dot;
    parts.push(isQuoted ? inner.replaceAll(quote + quote, quote) : name.slice(at, end));
    at = end + 1;
  }
  // ClickHouse has tables called `.inner.reading`.
  return parts.includes('') ? [name] : parts;
}
