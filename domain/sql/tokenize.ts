import { finish, roundsPerStep, type Steps } from '../steps.ts';
import { type Dialect, rulesOf } from './dialect.ts';
import type { DialectRules } from './dialects/rules.ts';
import { placeholderPattern } from './placeholder-tag.ts';

export type TokenKind =
  | 'space'
  | 'line-comment'
  | 'block-comment'
  | 'string'
  | 'dollar-string'
  | 'quoted-identifier'
  | 'word'
  | 'number'
  | 'placeholder'
  | 'semicolon'
  | 'open'
  | 'close'
  /** Operators are single characters: no code here needs `<=` as one token. */
  | 'operator';

export interface Token {
  kind: TokenKind;
  text: string;
  start: number;
  end: number;
  /** The closing quote or comment mark is missing; the token runs to the end of the text. */
  unterminated?: true;
  /** A backslash in this text or name escapes the next character. */
  escapes?: true;
  /** Another version or kind of database may end this token elsewhere. */
  ambiguous?: true;
}

type Draft = Omit<Token, 'text' | 'start'>;

/** Cuts SQL into tokens in linear time. Never throws; the tokens' texts joined are the input. */
export const tokenize = (sql: string, dialect: Dialect): Token[] => finish(tokenizing(sql, dialect));

export function* tokenizing(sql: string, dialect: Dialect): Steps<Token[]> {
  const rules = rulesOf(dialect);
  const tokens: Token[] = [];
  for (let start = 0; start < sql.length; ) {
    const token = readQuickly(sql, start, rules) ?? readToken(sql, start, rules, tokens);
    if (rules.isAmbiguous(token, sql, tokens.at(-1))) token.ambiguous = true;
    tokens.push(token);
    start = token.end;
    if (tokens.length % roundsPerStep === 0) yield;
  }
  return tokens;
}

export const isBlankToken = ({ kind }: Token): boolean => kind === 'space' || kind === 'line-comment' || kind === 'block-comment';

const placeholder = new RegExp(placeholderPattern, 'y');
const number = /0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;
const escapePrefix = /[eE](?=')|[uU]&(?=['"])/y;
const marks = new Map<string, TokenKind>([
  [';', 'semicolon'],
  ['(', 'open'],
  [')', 'close'],
]);
const commentMark = /\/\*|\*\//g;

const [letter, digit, blank, mark] = [1, 2, 3, 4];
/** First characters of tokens that mean the same in all dialects. */
const beginnings = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_') beginnings[char.charCodeAt(0)] = letter;
for (const char of '0123456789') beginnings[char.charCodeAt(0)] = digit;
for (const char of ' \n\t') beginnings[char.charCodeAt(0)] = blank;
for (const char of '();,=+*<>') beginnings[char.charCodeAt(0)] = mark;

/** A text of a million characters is read while others wait: this spares it the patterns that cannot match. */
function readQuickly(sql: string, start: number, rules: DialectRules): Token | undefined {
  switch (beginnings[sql.charCodeAt(start)]) {
    case letter:
      if (rules.escapeStrings && match(escapePrefix, sql, start)) return undefined;
      return tokenOf('word', sql, start, match(rules.word, sql, start));
    case digit:
      return tokenOf('number', sql, start, match(number, sql, start));
    case blank:
      return tokenOf('space', sql, start, match(rules.space, sql, start));
    case mark:
      return tokenOf(marks.get(sql.charAt(start)) ?? 'operator', sql, start, start + 1);
    default:
      return undefined;
  }
}

const tokenOf = (kind: TokenKind, sql: string, start: number, end: number): Token => ({ kind, text: sql.slice(start, end), start, end });

function readToken(sql: string, start: number, rules: DialectRules, before: Token[]): Token {
  const draft = read(sql, start, rules, before);
  return { ...draft, text: sql.slice(start, draft.end), start };
}

function read(sql: string, start: number, rules: DialectRules, before: Token[]): Draft {
  const space = match(rules.space, sql, start);
  if (space) return { kind: 'space', end: space };
  if (match(rules.lineComment, sql, start)) return { kind: 'line-comment', end: find(rules.lineEnd, sql, start)?.index ?? sql.length };
  if (sql.startsWith('/*', start)) return blockComment(sql, start, rules.nestedComments);
  const prefixed = rules.escapeStrings ? match(escapePrefix, sql, start) : 0;
  const quoteAt = prefixed || start;
  const quote = sql.charAt(quoteAt);
  if (rules.stringQuotes.includes(quote)) {
    const escapes = prefixed ? prefixed - start === 1 : rules.backslashIn.includes(quote) || (rules.escapeStrings && continues(before));
    return quoted('string', sql, quoteAt, quote, escapes);
  }
  if (rules.nameQuotes.includes(quote)) return quoted('quoted-identifier', sql, quoteAt, quote, rules.backslashIn.includes(quote));
  const tagEnd = rules.dollarTag ? match(rules.dollarTag, sql, start) : 0;
  if (tagEnd) {
    const tag = sql.slice(start, tagEnd);
    return closed('dollar-string', sql, sql.indexOf(tag, tagEnd), tag.length);
  }
  const placeholderEnd = match(placeholder, sql, start);
  if (placeholderEnd) return { kind: 'placeholder', end: placeholderEnd };
  const numberEnd = match(number, sql, start);
  if (numberEnd) return { kind: 'number', end: numberEnd };
  const wordEnd = match(rules.word, sql, start);
  if (wordEnd) return { kind: 'word', end: wordEnd };
  return { kind: marks.get(sql.charAt(start)) ?? 'operator', end: start + 1 };
}

function quoted(kind: 'string' | 'quoted-identifier', sql: string, at: number, quote: string, escapes: boolean): Draft {
  const close = quote === '[' ? ']' : quote;
  for (let i = at + 1; i < sql.length; i++) {
    const char = sql[i];
    if (escapes && char === '\\') i++;
    else if (char === close && sql[i + 1] === close && quote !== '[') i++;
    else if (char === close) return { kind, end: i + 1, ...(escapes && { escapes }) };
  }
  return { kind, end: sql.length, unterminated: true, ...(escapes && { escapes }) };
}

function blockComment(sql: string, start: number, nested: boolean): Draft {
  if (!nested) return closed('block-comment', sql, sql.indexOf('*/', start + 2), 2);
  let depth = 0;
  for (let mark = find(commentMark, sql, start); mark; mark = find(commentMark, sql, mark.index + 2)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return { kind: 'block-comment', end: mark.index + 2 };
  }
  return { kind: 'block-comment', end: sql.length, unterminated: true };
}

function closed(kind: TokenKind, sql: string, at: number, length: number): Draft {
  return at < 0 ? { kind, end: sql.length, unterminated: true } : { kind, end: at + length };
}

/** PostgreSQL: `E'a'` continues in a plain `'b'` on a later line, where backslashes still escape. */
function continues(before: Token[]): boolean {
  let newLine = false;
  for (let i = before.length - 1; i >= 0; i--) {
    const token = before[i];
    if (token?.kind === 'space') newLine ||= /[\n\r]/.test(token.text);
    else if (token?.kind !== 'line-comment') return newLine && token?.kind === 'string' && token.escapes === true;
  }
  return false;
}

/** The end of a sticky pattern's match at this place, or 0. */
function match(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : 0;
}

function find(pattern: RegExp, sql: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(sql);
}
