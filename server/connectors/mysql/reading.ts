import { firstKeyword, type Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';
import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { nameIn } from '../named-place.ts';

/**
 * A read-only transaction refuses changed rows, wherever they hide. It does not refuse what ends it unasked (MariaDB
 * drops a table in one) nor what writes files, so only these statements run in it.
 */
const reading = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'HELP', 'USE']);
/** Functions that read the server's files or run programs on it (security 6). */
const dangerous = new Set(['load_file', 'sys_exec', 'sys_eval', 'sys_get', 'sys_set']);

export function requireReading(query: string, statements: readonly SqlStatement[]): void {
  for (const statement of statements) {
    if (!isReading(statement)) throw new QueryError(readOnlyMessage, placeOf(query, statement.start));
    const tokens = statement.tokens;
    const run = tokens.find(({ kind, ambiguous }) => kind === 'block-comment' && ambiguous);
    if (run) throw new QueryError('Comments that the server runs (/*! … */) cannot be used in a read-only data source.', at(query, run));
    const solid = tokens.filter((token) => !isBlankToken(token));
    const file = solid.find((token, i) => isWord(token, 'INTO') && isWord(solid[i + 1], 'OUTFILE', 'DUMPFILE'));
    if (file) throw new QueryError(readOnlyMessage, at(query, file));
    const call = solid.find((token, i) => dangerous.has(nameIn(token)?.toLowerCase() ?? '') && solid[i + 1]?.kind === 'open');
    if (call) throw new QueryError(`The function ${call.text} cannot be used in a read-only data source.`, at(query, call));
  }
}

function isReading(statement: SqlStatement): boolean {
  const word = firstKeyword(statement) ?? '';
  if (reading.has(word)) return true;
  const [, ...rest] = statement.tokens.filter((token) => !isBlankToken(token));
  // MariaDB's ANALYZE SELECT explains by running; ANALYZE TABLE writes.
  if (word === 'ANALYZE') return isWord(rest[0], 'SELECT', 'WITH', 'FORMAT');
  return word === 'SET' && setsOnlyVariables(rest);
}

/** `SET @a = 1, @b = 2`: a script's own variables, no setting among them. */
function setsOnlyVariables(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.every((token, i) => {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close') depth--;
    const isFirst = i === 0 || (depth === 0 && tokens[i - 1]?.text === ',');
    return !isFirst || (token.text === '@' && tokens[i + 1]?.text !== '@');
  });
}

const isWord = (token: Token | undefined, ...words: string[]) => token?.kind === 'word' && words.includes(token.text.toUpperCase());
const at = (query: string, token: Token) => placeOf(query, token.start);
