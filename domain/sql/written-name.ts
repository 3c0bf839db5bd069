import { type Dialect, rulesOf } from './dialect.ts';
import { quoteName } from './quote.ts';

/** A column's name as it must stand in a statement: between quotes only where it would mean something else without. */
export function writtenName(name: string, dialect: Dialect): string {
  const { plainName, reservedNames } = rulesOf(dialect);
  return plainName.test(name) && !reservedNames.has(name.toLowerCase()) ? name : quoteName(name, dialect);
}

/** The same for a table as the schema names it, part by part. */
export const writtenTable = (name: string, dialect: Dialect): string =>
  tableParts(name, dialect)
    .map((part) => writtenName(part, dialect))
    .join('.');

const inQuotes = /"((?:[^"]|"")*)"(?=\.|$)/y;
const inBackticks = /`((?:[^`]|``)*)`(?=\.|$)/y;

/**
 * Splits `schema.table` into its names. In a schema a name stands as it is, unless it contains a dot (`schemaName`); SQLite has no schemas
 * there, so a dot does not split.
 */
export function tableParts(name: string, dialect: Dialect): string[] {
  const { hasSchemas, writesNamesWith: quote } = rulesOf(dialect);
  if (!hasSchemas) return [name];
  const dotted = quote === '`' ? inBackticks : inQuotes;
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
