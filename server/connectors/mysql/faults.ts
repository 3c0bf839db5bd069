import type { Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { ResultLimitError } from '../../wire/limits.ts';
import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { placeOfName } from '../named-place.ts';
import { isServerFault } from './session.ts';

const readOnlyTransaction = 1792;
/** Patterns for the unknown name by error number: a column (unknown, ambiguous), a table, a function. */
const missing: Record<number, RegExp> = {
  1052: /'(.+?)'/,
  1054: /'(.+?)'/,
  1146: /'(.+?)'/,
  1305: /^\w+ (\S+)/,
  1630: /^FUNCTION (\S+)/,
};

/** The server reports the line within the statement and quotes the text from the error on. */
export function queryErrorOf(query: string, statement: SqlStatement, error: unknown): unknown {
  if (error instanceof ResultLimitError) return new QueryError(error.message, {}, error);
  if (!isServerFault(error)) return error;
  const { errno, sqlMessage } = error;
  if (errno === readOnlyTransaction) return new QueryError(readOnlyMessage, {}, error);
  const [, near, line] = /near '([\s\S]*)' at line (\d+)$/.exec(sqlMessage) ?? [];
  if (near !== undefined) return new QueryError(sqlMessage, placeOfNear(query, statement, near, Number(line)), error);
  const name = missing[errno]?.exec(sqlMessage)?.[1];
  return new QueryError(sqlMessage, name === undefined ? {} : placeOfName(query, statement, name), error);
}

/** The quoted text may be cut, and question marks replace characters that a message cannot contain. */
function placeOfNear(query: string, { text, start }: SqlStatement, near: string, line: number) {
  const letters = [...text];
  const quoted = [...near.replace(/\.\.\.$/, '')];
  const isAt = (place: number) =>
    quoted.every((letter, i) => letter === letters[place + i] || (letter === '?' && (letters[place + i] ?? '') > '~'));
  const tail = letters.length - quoted.length;
  const found = isAt(tail) ? tail : letters.findIndex((_, place) => isAt(place));
  if (found >= 0) return placeOf(query, start + letters.slice(0, found).join('').length);
  return { line: placeOf(query, start).line + line - 1 };
}
