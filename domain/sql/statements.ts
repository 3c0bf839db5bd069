import type { Dialect } from './dialect.ts';
import { isBlankToken, type Token, tokenize } from './tokenize.ts';

/** One statement without its semicolon; comments before and inside it belong to it. */
export interface Statement {
  text: string;
  start: number;
  end: number;
  /** Behind its semicolon, or the end of the text. */
  next: number;
  tokens: Token[];
}

/**
 * The statements of a text, blank and comment-only ones left out. A semicolon always ends a statement: bodies of
 * triggers and procedures are not a console's business.
 */
export function splitStatements(sql: string, dialect: Dialect): Statement[] {
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
  for (const token of tokenize(sql, dialect)) {
    if (token.kind === 'semicolon') close(token.end);
    else tokens.push(token);
  }
  close(sql.length);
  return statements;
}

/** The statement to run when the cursor is here: right behind the semicolon one is still at home. */
export function statementAt(sql: string, dialect: Dialect, cursor: number): Statement | null {
  const statements = splitStatements(sql, dialect);
  return statements.find(({ next }) => cursor <= next) ?? statements.at(-1) ?? null;
}

/** The first word in capitals, through opening parentheses: SELECT, WITH, EXPLAIN …; null when there is none. */
export function firstKeyword({ tokens }: Pick<Statement, 'tokens'>): string | null {
  const first = tokens.find((token) => !isBlankToken(token) && token.kind !== 'open');
  return first?.kind === 'word' ? first.text.toUpperCase() : null;
}
