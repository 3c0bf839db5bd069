import { type Dialect, rulesOf } from './dialect.ts';

/**
 * The text as it must stand between these quotes. The quote itself is doubled, never escaped by a backslash: that is correct in every
 * dialect, with backslash escapes on or off.
 */
export function escapeInside(text: string, quote: string, escapes: boolean): string {
  const doubled = text.replaceAll(quote, quote + quote);
  return escapes ? doubled.replaceAll('\\', '\\\\') : doubled;
}

/** A text literal: `O'Brien` → `'O''Brien'`. */
export const quoteText = (text: string, dialect: Dialect): string => quoteWith("'", text, dialect);

/** Text or name between the given quotes, by the rules of the dialect. */
export function quoteWith(quote: `'` | '"' | '`', text: string, dialect: Dialect): string {
  return quote + escapeInside(text, quote, rulesOf(dialect).backslashIn.includes(quote)) + quote;
}

/** A name that came from elsewhere (a table, a column): always quoted (security row 4). */
export const quoteName = (name: string, dialect: Dialect): string => quoteWith(rulesOf(dialect).writesNamesWith, name, dialect);

/** server-behaviour 19: in a schema a name stands as it is, unless it contains a dot. */
export const schemaName = (name: string, dialect: Dialect): string => (name.includes('.') ? quoteName(name, dialect) : name);
