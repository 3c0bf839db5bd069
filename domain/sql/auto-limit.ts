import type { Dialect } from './dialect.ts';
import { splitStatements } from './statements.ts';
import { isBlankToken, type Token } from './tokenize.ts';

/** Q9. */
export const autoLimit = 1000;

/**
 * Q5, Q9 and W32: the last statement gets ` LIMIT 1000` when it reads rows and does not bound them itself.
 *
 * Limited: SELECT, WITH … SELECT, UNION and its like as a whole, all of these in parentheses, TABLE t, FROM t (DuckDB,
 * ClickHouse). Left as it is: VALUES (as long as its text), SELECT … INTO, WITH … INSERT and other writes, EXPLAIN, SHOW,
 * set operations in ClickHouse (there a LIMIT counts for the last branch only), anything that is not understood to the end.
 * Nothing else in the text changes.
 */
export function applyAutoLimit(sql: string, dialect: Dialect, limit: number = autoLimit): string {
  const last = splitStatements(sql, dialect).at(-1);
  if (!last || last.tokens.some((token) => token.unterminated || token.ambiguous)) return sql;
  const at = limitPosition(
    last.tokens.filter((token) => !isBlankToken(token)),
    dialect,
  );
  return at === null ? sql : `${sql.slice(0, at)} LIMIT ${limit}${sql.slice(at)}`;
}

/** Where the clause belongs: behind the last token before FOR UPDATE, OFFSET, SETTINGS …; null when none belongs there. */
function limitPosition(tokens: Token[], dialect: Dialect): number | null {
  const clauses = topLevel(tokens);
  if (!clauses) return null;
  const main = mainVerb(clauses, dialect);
  if (main === null || isBounded(clauses, main, dialect)) return null;
  const tail = clauses.findIndex((clause, i) => i > main && isTail(clauses, i, clause, dialect));
  return clauses[tail < 0 ? clauses.length - 1 : tail - 1]?.end ?? null;
}

/** A token outside of all parentheses; a parenthesis with all inside it counts as one. */
interface Clause {
  /** The word in capitals, unless it is a name (behind a dot or AS); `(` for a parenthesis; else its kind. */
  is: string;
  inside: Token[];
  end: number;
}

function topLevel(tokens: Token[]): Clause[] | null {
  const clauses: Clause[] = [];
  const opened: number[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'open' || '[{'.includes(token.text)) opened.push(i);
    else if (token.kind === 'close' || ']}'.includes(token.text)) {
      const from = opened.pop();
      if (from === undefined) return null;
      if (opened.length === 0) clauses.push({ is: '(', inside: tokens.slice(from + 1, i), end: token.end });
    } else if (opened.length === 0) {
      const before = clauses.at(-1)?.is;
      const isName = before === '.' || before === 'AS';
      const is = token.kind === 'word' ? (isName ? 'name' : token.text.toUpperCase()) : token.kind === 'operator' ? token.text : token.kind;
      clauses.push({ is, inside: [], end: token.end });
    }
  }
  return opened.length === 0 ? clauses : null;
}

const reads = new Set(['SELECT', 'TABLE']);
const verbs = new Set([...reads, 'FROM', 'VALUES', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE']);

/** The place of the verb that gives the rows; null when it does not only read. */
function mainVerb(clauses: Clause[], dialect: Dialect, depth = 0): number | null {
  const first = clauses[0];
  if (first?.is === '(') {
    // SQLite and ClickHouse take no LIMIT behind a parenthesis.
    if (dialect === 'sqlite' || dialect === 'clickhouse' || depth > 20) return null;
    const alone = clauses.length === 1;
    const inside = topLevel(first.inside);
    const main = inside && mainVerb(inside, dialect, depth + 1);
    return inside === null || main === null || (alone && isBounded(inside, main, dialect)) ? null : 0;
  }
  const isVerb = ({ is }: Clause, i: number) => verbs.has(is) && !['WITH', 'RECURSIVE', ','].includes(clauses[i - 1]?.is ?? '');
  const main = first?.is === 'WITH' ? clauses.findIndex(isVerb) : 0;
  const verb = clauses[main]?.is ?? '';
  if (verb === 'FROM') return dialect === 'duckdb' || dialect === 'clickhouse' ? main : null;
  return reads.has(verb) ? main : null;
}

/** LIMIT, FETCH FIRST and TOP bound the rows; INTO writes them somewhere. */
function isBounded(clauses: Clause[], main: number, dialect: Dialect): boolean {
  return clauses.some(({ is }, i) => {
    if (i <= main) return false;
    const next = clauses[i + 1]?.is ?? '';
    if (is === 'INTO') return true;
    if (is === 'LIMIT') return !(dialect === 'clickhouse' && isLimitBy(clauses, i));
    if (is === 'FETCH') return next === 'FIRST' || next === 'NEXT';
    if (is === 'UNION' || is === 'INTERSECT' || is === 'EXCEPT') return dialect === 'clickhouse';
    if (is === 'TOP') return (dialect === 'generic' || dialect === 'clickhouse') && ['number', 'placeholder', '('].includes(next);
    return false;
  });
}

/** ClickHouse: `LIMIT 2 BY device` bounds each group, not the rows. */
function isLimitBy(clauses: Clause[], at: number): boolean {
  const rest = clauses.slice(at + 1).findIndex(({ is }) => !['number', 'placeholder', ',', 'OFFSET'].includes(is));
  return rest >= 0 && clauses[at + 1 + rest]?.is === 'BY';
}

const locks = new Set(['UPDATE', 'SHARE', 'NO', 'KEY', 'READ', 'XML', 'JSON', 'BROWSE']);
/** Behind these a word is an operand, so a name, however much it looks like a clause. */
const operandFollows =
  /^(?:SELECT|DISTINCT|ALL|BY|WHERE|HAVING|ON|AND|OR|NOT|IN|LIKE|BETWEEN|IS|CASE|WHEN|THEN|ELSE|WITH|FROM|JOIN|[^\w(]|)$/;

/** A clause that stands behind LIMIT. */
function isTail(clauses: Clause[], at: number, { is }: Clause, dialect: Dialect): boolean {
  const before = clauses[at - 1]?.is ?? '';
  const next = clauses[at + 1]?.is ?? '';
  if (operandFollows.test(before)) return false;
  if (is === 'FOR') return locks.has(next);
  if (is === 'LOCK') return next === 'IN';
  const later = clauses[at + 2]?.is;
  if (is === 'OFFSET') return ['number', 'placeholder', '('].includes(next) && later !== 'BY';
  if (dialect !== 'clickhouse') return false;
  if (is === 'SETTINGS') return later === '=';
  return is === 'FORMAT' && /^\w+$/.test(next) && !['ASC', 'DESC'].includes(next) && (later === undefined || later === 'SETTINGS');
}
