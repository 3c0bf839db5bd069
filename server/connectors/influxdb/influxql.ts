import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { mistyped } from '../mistyped.ts';

type Kind = 'word' | 'name' | 'text' | 'regex' | 'number' | 'semicolon' | 'operator';

interface Token {
  kind: Kind;
  text: string;
  start: number;
}

const patterns: [Kind | 'blank', RegExp][] = [
  ['blank', /\s+|--[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['text', /'(?:\\[\s\S]|[^'\\])*'?/y],
  ['name', /"(?:\\[\s\S]|[^"\\])*"?/y],
  ['number', /\d+(?:\.\d*)?/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y],
  ['semicolon', /;/y],
  ['operator', /=~|!~|[\s\S]/y],
];
/** Only the slash is escaped in a regular expression: `\\\\/` is a back-slash and a slash that does not end it. */
const regex = /\/(?:\\\/|[^/\n\r])*\/?/y;
/** After these tokens the server expects a regular expression; anywhere else a slash is a division. */
const beforeRegex = /^(?:=~|!~|,|\(|select|from|by)$/i;

/** Splits InfluxQL into statements of tokens, without blanks and comments, at the same places as the server. */
function statementsOf(text: string): Token[][] {
  const statements: Token[][] = [[]];
  let before: Token | undefined;
  for (let at = 0; at < text.length; ) {
    const { kind, text: found } = read(text, at, before);
    const start = at;
    at += found.length;
    if (kind === 'blank') continue;
    before = kind === 'semicolon' ? undefined : { kind, text: found, start };
    if (before) statements.at(-1)?.push(before);
    else statements.push([]);
  }
  return statements.filter((statement) => statement.length > 0);
}

function read(text: string, at: number, before: Token | undefined): { kind: Kind | 'blank'; text: string } {
  const isRegex = before && (before.kind === 'word' || before.kind === 'operator') && beforeRegex.test(before.text);
  if (isRegex && text[at] === '/' && text[at + 1] !== '*') return { kind: 'regex', text: match(regex, text, at) };
  for (const [kind, pattern] of patterns) {
    const found = match(pattern, text, at);
    if (found !== '') return { kind, text: found };
  }
  return { kind: 'operator', text: text.charAt(at) };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const reading = new Set(['SELECT', 'SHOW', 'EXPLAIN']);
/** Other words that begin a statement. */
const other = new Set(['ALTER', 'CREATE', 'DELETE', 'DROP', 'GRANT', 'INSERT', 'KILL', 'REVOKE', 'SET', 'USE']);

/**
 * Checks the text, because the server has no read-only mode (it runs a write sent by GET, with a warning): only reading statements pass,
 * and none with INTO. Returns the number of statements.
 */
export function requireReading(text: string): number {
  // The server treats this character as the end of a comment.
  if (text.includes('\0')) throw new QueryError('The query holds a character that is not allowed.');
  const statements = statementsOf(text);
  if (statements.length === 0) throw new QueryError("Can't execute empty query.");
  for (const statement of statements) {
    const [first] = statement;
    const word = first?.kind === 'word' ? first.text.toUpperCase() : '';
    const isWrite = other.has(word) || statement.some((token) => token.kind === 'word' && token.text.toUpperCase() === 'INTO');
    if (isWrite) throw new QueryError(readOnlyMessage, placeOf(text, first?.start ?? 0));
    if (!reading.has(word)) throw mistyped(first, text);
  }
  return statements.length;
}
