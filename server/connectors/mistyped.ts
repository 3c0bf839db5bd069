import { placeOf, QueryError } from './connector.ts';

/**
 * Complaint 5, where a server cannot be asked about a statement without running it: a first word that begins none is most
 * likely mistyped, which is something else than a write. It is refused all the same.
 */
export const mistyped = (first: { text: string; start: number } | undefined, query: string): QueryError =>
  new QueryError(`Syntax error: no statement begins with ${first?.text.slice(0, 100) ?? 'this'}.`, placeOf(query, first?.start ?? 0));
