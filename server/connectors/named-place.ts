import type { Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import type { Token } from '@telltale/domain/sql/tokenize.ts';
import { placeOf } from './connector.ts';

/** The name in a word or a quoted identifier. */
export function nameIn({ kind, text }: Token): string | undefined {
  if (kind === 'word') return text;
  if (kind !== 'quoted-identifier') return undefined;
  const quote = text.at(-1) ?? '';
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Finds the place of a missing name in a statement, if it occurs only once, for servers that report only the name. */
export function placeOfName(query: string, { tokens }: SqlStatement, name: string): { line?: number; column?: number } {
  const wanted = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const [found, second] = tokens.filter((token) => nameIn(token)?.toLowerCase() === wanted);
  return found && !second ? placeOf(query, found.start) : {};
}
