import type { Dialect } from './dialect.ts';
import { tokenize } from './tokenize.ts';

/** A longer text is used as it is: tokenizing it costs more than an occasional second result for a different blank. */
const longest = 100_000;

/**
 * The text of a query for a cache key (W2): exactly the sent text, without blanks before it and blanks and semicolons behind it. Nothing
 * inside is changed, so two queries share a result only when they are the same query. The server hashes it together with the data source.
 */
export function fingerprintText(sql: string, dialect: Dialect): string {
  if (sql.length > longest) return sql;
  const tokens = tokenize(sql, dialect);
  const first = tokens.find(({ kind }) => kind !== 'space');
  const last = tokens.findLast(({ kind }) => kind !== 'space' && kind !== 'semicolon');
  return first && last ? sql.slice(first.start, last.end) : '';
}
