import { type QueryParameter, typeOf } from './contract.ts';
import { undeclaredNames } from './placeholders.ts';

/**
 * server-behaviour 10.4: a query is unsafe when a caller can put free text into it: by a text parameter (unknown types are text), or by an
 * undeclared placeholder (W3). Unsafe queries are not embedded, not shared and not run with view-only access.
 */
export function isSafe(text: string, definitions: readonly QueryParameter[]): boolean {
  return definitions.every((definition) => typeOf(definition) !== 'text') && undeclaredNames(text, definitions).length === 0;
}
