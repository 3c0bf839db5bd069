import type { DatabaseSync } from 'node:sqlite';
import type { Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { isBlankToken } from '@telltale/domain/sql/tokenize.ts';
import { ResultLimitError } from '../../wire/limits.ts';
import { placeOf, QueryError } from '../connector.ts';
import { readOnlyFileMessage } from '../files.ts';
import { placeOfName } from '../named-place.ts';

const [authorizationDenied, readOnly] = [23, 8];

export function queryErrorOf(query: string, statement: SqlStatement, database: DatabaseSync, error: unknown): unknown {
  if (error instanceof ResultLimitError) return new QueryError(error.message, {}, error);
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const isRefused =
    error.errcode === authorizationDenied || error.errcode === readOnly || /not authorized|may not be modified/.test(error.message);
  if (isRefused) return new QueryError(readOnlyFileMessage, placeOf(query, statement.start), error);
  return new QueryError(error.message, placeOfFault(query, statement, database, error.message), error);
}

/** Finds the place of an error: SQLite only names the word, so prefixes of the text are tried until one fails at that word. */
function placeOfFault(query: string, statement: SqlStatement, database: DatabaseSync, message: string) {
  if (message === 'incomplete input') return placeOf(query, statement.end);
  const near = /^near "([\s\S]+)": syntax error$/.exec(message)?.[1];
  const missing = /^(?:no such (?:column|table|function|table column)|ambiguous column name): (.+?)(?: - should.*)?$/.exec(message)?.[1];
  if (missing !== undefined) return placeOfName(query, statement, missing);
  const tokens = statement.tokens.filter((token) => !isBlankToken(token) && token.text === near);
  const found = tokens.find(({ end }) => faultOf(database, query.slice(statement.start, end)) === message);
  return found ? placeOf(query, found.start) : {};
}

function faultOf(database: DatabaseSync, text: string): string | undefined {
  try {
    database.prepare(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}
