import { placeOf, QueryError } from './connector.ts';

/**
 * Complaint 5, for servers that cannot check a statement without running it: an unknown first word is most likely a typing mistake and not
 * a write. The statement is refused either way.
 */
export const mistyped = (first: { text: string; start: number } | undefined, query: string): QueryError =>
  new QueryError(`Syntax error: no statement begins with ${first?.text.slice(0, 100) ?? 'this'}.`, placeOf(query, first?.start ?? 0));
