import type { Dialect } from './dialect.ts';
import { tokenize } from './tokenize.ts';

/** A longer one stands for itself alone: reading it twice costs more than two results of it that differ in a blank. */
const longest = 100_000;

/**
 * The text that stands for a query in a cache key (W2): exactly what is sent, but for blanks before it and blanks and
 * semicolons behind it. Nothing inside is touched, so two queries share a result only when they are the same query.
 * The server hashes it together with the data source.
 */
export function fingerprintText(sql: string, dialect: Dialect): string {
  if (sql.length > longest) return sql;
  const tokens = tokenize(sql, dialect);
  const first = tokens.find(({ kind }) => kind !== 'space');
  const last = tokens.findLast(({ kind }) => kind !== 'space' && kind !== 'semicolon');
  return first && last ? sql.slice(first.start, last.end) : '';
}
