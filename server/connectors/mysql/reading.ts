import { firstKeyword, type Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';
import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { nameIn } from '../named-place.ts';

/**
 * Statements that may run in a read-only transaction. The transaction refuses all changes of rows, but neither statements that end it
 * implicitly (MariaDB drops a table in one) nor those that write files.
 */
const reading = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'HELP', 'USE']);
/** Other words that begin a statement: refused without asking the server. */
const other = new Set(
  `ALTER ANALYZE BACKUP BEGIN BINLOG CACHE CALL CHANGE CHECK CHECKSUM CLONE COMMIT CREATE DEALLOCATE DELETE DO DROP EXECUTE FLUSH GET GRANT
  HANDLER IMPORT INSERT INSTALL KILL LOAD LOCK OPTIMIZE PREPARE PURGE RELEASE RENAME REPAIR REPLACE RESET RESIGNAL RESTART REVOKE ROLLBACK
  SAVEPOINT SHUTDOWN SIGNAL START STOP TRUNCATE UNINSTALL UNLOCK UPDATE XA`.split(/\s+/),
);
/** Settings that a script may change: they affect neither the ends of texts nor the format of values, and end with the script. */
const harmlessSettings = new Set(
  `group_concat_max_len cte_max_recursion_depth max_recursive_iterations max_execution_time max_statement_time lc_time_names
  default_week_format div_precision_increment optimizer_switch`.split(/\s+/),
);
/** Functions that read the server's files or run programs on it (security 6). */
const dangerous = new Set(['load_file', 'sys_exec', 'sys_eval', 'sys_get', 'sys_set']);

/** True when the first word begins no statement, so that it is most likely a typing mistake. */
export function isMistyped(statement: SqlStatement): boolean {
  const word = firstKeyword(statement) ?? '';
  return !reading.has(word) && !other.has(word) && word !== 'SET';
}

/** Checks all statements. Mistyped ones pass: the caller has the server report them by preparing them, which runs nothing. */
export function requireReading(query: string, statements: readonly SqlStatement[]): void {
  for (const statement of statements) {
    requireAllowed(query, statement);
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

function requireAllowed(query: string, statement: SqlStatement): void {
  const word = firstKeyword(statement) ?? '';
  const [first, ...rest] = statement.tokens.filter((token) => !isBlankToken(token));
  if (word === 'SET') requireHarmless(query, first, rest);
  // MariaDB's ANALYZE SELECT runs the query to explain it; ANALYZE TABLE writes.
  const isRefused = word === 'ANALYZE' ? !isWord(rest[0], 'SELECT', 'WITH', 'FORMAT') : other.has(word);
  if (isRefused) throw new QueryError(readOnlyMessage, placeOf(query, statement.start));
}

/** Allows only a script's own variables and harmless settings: `SET @a = 1, SESSION group_concat_max_len = 5`. */
function requireHarmless(query: string, set: Token | undefined, rest: readonly Token[]): void {
  for (const item of itemsOf(rest)) {
    if (isAt(item[0]) && !isAt(item[1])) continue;
    const [name, next] = withoutScope(item);
    const isHarmless = harmlessSettings.has((name && nameIn(name)?.toLowerCase()) ?? '') && (next?.text === '=' || next?.text === ':');
    const isOurs = item.length === 2 && isWord(name, 'NAMES') && /^['"]?utf8mb4['"]?$/i.test(next?.text ?? '');
    if (set?.kind === 'word' && (isHarmless || isOurs)) continue;
    throw new QueryError(`SET ${name?.text ?? ''} cannot be used in a read-only data source.`, at(query, name ?? rest[0] ?? set));
  }
}

function itemsOf(tokens: readonly Token[]): Token[][] {
  const items: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close') depth--;
    if (depth === 0 && token.text === ',') items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

/** Removes the scope: `SESSION x`, `@@x`, `@@session.x` → `x`. */
function withoutScope(item: readonly Token[]): readonly Token[] {
  const isNamed = isAt(item[0]) && isAt(item[1]);
  const rest = isNamed ? item.slice(2) : item;
  if (!isWord(rest[0], 'SESSION', 'LOCAL')) return rest;
  if (isNamed) return rest[1]?.text === '.' ? rest.slice(2) : rest;
  return rest.slice(1);
}

const isAt = (token: Token | undefined) => token?.text === '@';
const isWord = (token: Token | undefined, ...words: string[]) => token?.kind === 'word' && words.includes(token.text.toUpperCase());
const at = (query: string, token: Token | undefined) => placeOf(query, token?.start ?? 0);
