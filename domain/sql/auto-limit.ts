import { finish, roundsPerStep, type Steps } from '../steps.ts';
import { type Dialect, rulesOf } from './dialect.ts';
import type { LimitRules } from './dialects/rules.ts';
import { splitting } from './statements.ts';
import { isBlankToken, type Token } from './tokenize.ts';

/** Q9. */
const autoLimit = 1000;

/**
 * Q5, Q9 and W32: the last statement gets ` LIMIT 1000` when it reads rows and does not bound them itself.
 *
 * Limited: SELECT, WITH … SELECT, UNION and its like as a whole, all of these in parentheses, TABLE t, FROM t (DuckDB,
 * ClickHouse). Left as it is: VALUES (as long as its text), SELECT … INTO, WITH … INSERT and other writes, EXPLAIN, SHOW,
 * set operations in ClickHouse (there a LIMIT counts for the last branch only), anything that is not understood to the end.
 * Nothing else in the text changes.
 */
export const applyAutoLimit = (sql: string, dialect: Dialect, limit: number = autoLimit): string =>
  finish(applyingAutoLimit(sql, dialect, limit));

export function* applyingAutoLimit(sql: string, dialect: Dialect, limit: number = autoLimit): Steps<string> {
  const last = (yield* splitting(sql, dialect)).at(-1);
  yield;
  if (!last || last.tokens.some((token) => token.unterminated || token.ambiguous)) return sql;
  yield;
  const at = yield* limitPosition(
    last.tokens.filter((token) => !isBlankToken(token)),
    rulesOf(dialect).limits,
  );
  return at === null ? sql : `${sql.slice(0, at)} LIMIT ${limit}${sql.slice(at)}`;
}

/** Where the clause belongs: behind the last token before FOR UPDATE, OFFSET, SETTINGS …; null when none belongs there. */
function* limitPosition(tokens: Token[], rules: LimitRules): Steps<number | null> {
  const clauses = yield* topLevel(tokens);
  if (!clauses) return null;
  const main = yield* mainVerb(clauses, rules);
  if (main === null || isBounded(clauses, main, rules)) return null;
  yield;
  const tail = clauses.findIndex((clause, i) => i > main && isTail(clauses, i, clause, rules));
  return clauses[tail < 0 ? clauses.length - 1 : tail - 1]?.end ?? null;
}

/** A token outside of all parentheses; a parenthesis with its content counts as one. */
interface Clause {
  /** The word in capitals, unless it is a name (behind a dot or AS); `(` for a parenthesis; else its kind. */
  is: string;
  inside: Token[];
  end: number;
}

function* topLevel(tokens: Token[]): Steps<Clause[] | null> {
  const clauses: Clause[] = [];
  const opened: number[] = [];
  for (const [i, token] of tokens.entries()) {
    if (i % roundsPerStep === 0) yield;
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
function* mainVerb(clauses: Clause[], rules: LimitRules, depth = 0): Steps<number | null> {
  const first = clauses[0];
  if (first?.is === '(') {
    if (!rules.followsParenthesis || depth > 20) return null;
    const alone = clauses.length === 1;
    const inside = yield* topLevel(first.inside);
    const main = inside && (yield* mainVerb(inside, rules, depth + 1));
    return inside === null || main === null || (alone && isBounded(inside, main, rules)) ? null : 0;
  }
  const isVerb = ({ is }: Clause, i: number) => verbs.has(is) && !['WITH', 'RECURSIVE', ','].includes(clauses[i - 1]?.is ?? '');
  const main = first?.is === 'WITH' ? clauses.findIndex(isVerb) : 0;
  const verb = clauses[main]?.is ?? '';
  if (verb === 'FROM') return rules.startsWithFrom ? main : null;
  return reads.has(verb) ? main : null;
}

/** LIMIT, FETCH FIRST and TOP bound the rows; INTO writes them somewhere. */
function isBounded(clauses: Clause[], main: number, rules: LimitRules): boolean {
  return clauses.some(({ is }, i) => {
    if (i <= main) return false;
    const next = clauses[i + 1]?.is ?? '';
    if (is === 'INTO') return true;
    if (is === 'LIMIT') return !(rules.hasLimitBy && isLimitBy(clauses, i));
    if (is === 'FETCH') return next === 'FIRST' || next === 'NEXT';
    if (is === 'UNION' || is === 'INTERSECT' || is === 'EXCEPT') return rules.boundsLastBranchOnly;
    if (is === 'TOP') return rules.hasTop && ['number', 'placeholder', '('].includes(next);
    return false;
  });
}

/** True for `LIMIT 2 BY device`. */
function isLimitBy(clauses: Clause[], at: number): boolean {
  const rest = clauses.slice(at + 1).findIndex(({ is }) => !['number', 'placeholder', ',', 'OFFSET'].includes(is));
  return rest >= 0 && clauses[at + 1 + rest]?.is === 'BY';
}

const locks = new Set(['UPDATE', 'SHARE', 'NO', 'KEY', 'READ', 'XML', 'JSON', 'BROWSE']);
/** After these a word is an operand, so a name, even if it looks like a clause. */
const operandFollows =
  /^(?:SELECT|DISTINCT|ALL|BY|WHERE|HAVING|ON|AND|OR|NOT|IN|LIKE|BETWEEN|IS|CASE|WHEN|THEN|ELSE|WITH|FROM|JOIN|[^\w(]|)$/;

/** A clause that stands behind LIMIT. */
function isTail(clauses: Clause[], at: number, { is }: Clause, rules: LimitRules): boolean {
  const before = clauses[at - 1]?.is ?? '';
  const next = clauses[at + 1]?.is ?? '';
  if (operandFollows.test(before)) return false;
  if (is === 'FOR') return locks.has(next);
  if (is === 'LOCK') return next === 'IN';
  const later = clauses[at + 2]?.is;
  if (is === 'OFFSET') return ['number', 'placeholder', '('].includes(next) && later !== 'BY';
  return rules.isTail?.(is, next, later) ?? false;
}
