import { finish, type Steps } from '../steps.ts';
import type { Dialect } from './dialect.ts';
import { isBlankToken, type Token, tokenizing } from './tokenize.ts';

/** One statement without its semicolon; comments before and inside it belong to it. */
export interface Statement {
  text: string;
  start: number;
  end: number;
  /** The offset behind its semicolon, or the end of the text. */
  next: number;
  tokens: Token[];
}

/**
 * The statements of a text, without blank and comment-only ones. A semicolon always ends a statement: bodies of triggers and procedures are
 * not supported.
 */
export const splitStatements = (sql: string, dialect: Dialect): Statement[] => finish(splitting(sql, dialect));

export function* splitting(sql: string, dialect: Dialect): Steps<Statement[]> {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  const close = (next: number) => {
    const first = tokens.findIndex(({ kind }) => kind !== 'space');
    const kept = tokens.slice(first, tokens.findLastIndex(({ kind }) => kind !== 'space') + 1);
    const { start = 0 } = kept[0] ?? {};
    const { end = 0 } = kept.at(-1) ?? {};
    if (!kept.every(isBlankToken)) statements.push({ text: sql.slice(start, end), start, end, next, tokens: kept });
    tokens = [];
  };
  const all = yield* tokenizing(sql, dialect);
  for (const token of all) {
    if (token.kind === 'semicolon') close(token.end);
    else tokens.push(token);
  }
  close(sql.length);
  return statements;
}

/** The statement to run at this cursor; right behind its semicolon the cursor still belongs to it. */
export function statementAt(sql: string, dialect: Dialect, cursor: number): Statement | null {
  const statements = splitStatements(sql, dialect);
  return statements.find(({ next }) => cursor <= next) ?? statements.at(-1) ?? null;
}

/** The first word in capitals, through opening parentheses: SELECT, WITH, EXPLAIN …; null when there is none. */
export function firstKeyword({ tokens }: Pick<Statement, 'tokens'>): string | null {
  const first = tokens.find((token) => !isBlankToken(token) && token.kind !== 'open');
  return first?.kind === 'word' ? first.text.toUpperCase() : null;
}
