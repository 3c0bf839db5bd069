import type { Dialect } from '../sql/dialect.ts';
import { isReserved } from '../sql/keywords.ts';
import { placeholderPattern } from '../sql/placeholder-tag.ts';
import { escapeInside, quoteText, quoteWith } from '../sql/quote.ts';
import type { Token } from '../sql/tokenize.ts';
import { isNumberText } from './number-text.ts';
import type { Resolved } from './resolve.ts';

/** Thrown inside this folder only; `substitute` turns it into its answer. */
export class Refused extends Error {}

/** Letters without modifier letters: some servers read ʼ as an apostrophe. */
const letter = String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{Lo}_]`;
const path = new RegExp(`^${letter}(?:${letter}|[0-9])*(?:\\.${letter}(?:${letter}|[0-9])*)*$`, 'u');
const wordPart = new RegExp(`^(?:${letter}|[0-9])+$`, 'u');
const pathPart = new RegExp(`^(?:${letter}|[0-9])+(?:\\.(?:${letter}|[0-9])+)*$`, 'u');
const placeholders = new RegExp(placeholderPattern, 'g');
const harmless = /^[\p{L}\p{N}_ .:-]*$/u;

export interface Neighbours {
  before: Token | undefined;
  after: Token | undefined;
  /** The last token before it that is neither blank nor comment. */
  previous: Token | undefined;
}

/** Whether this placeholder is a piece of a longer word, number or path, as in `metric_{{ year }}` or `t.{{ column }}`. */
export const isJoined = ({ before, after }: Neighbours): boolean =>
  [before, after].some((token) => token && (isWordLike(token) || token.text === '.'));
const isWordLike = ({ kind }: Token) => kind === 'word' || kind === 'number' || kind === 'placeholder';
const isFree = (token: Token) => !isQuoted(token) && !(token.kind === 'operator' && '$#&@?\\`'.includes(token.text));
const isQuoted = ({ kind }: Token) => kind === 'string' || kind === 'dollar-string' || kind === 'quoted-identifier';

/** design 8, "never pasted", outside of quotes: numbers and plain names stay, everything else becomes a quoted text. */
export function renderBare(value: Resolved, title: string, around: Neighbours, dialect: Dialect): string {
  const touching = [around.before, around.after].filter((token) => token !== undefined);
  if (!touching.every(isFree))
    throw new Refused(`The parameter "${title}" touches a quote or a sign in the query; put a space between them.`);
  if (isJoined(around)) {
    const [text = '', ...more] = value.items;
    const fits = touching.some(isWordLike) ? wordPart : pathPart;
    if (more.length === 0 && !value.multi?.prefix && fits.test(text)) return text;
    throw new Refused(`The parameter "${title}" is a piece of a name in the query, so its value may have only letters, digits and _.`);
  }
  const text = value.items.map((item) => renderItem(item, value, title, dialect)).join(separatorOf(value, title));
  // PostgreSQL would read two texts on two lines as one, with the rules of the first.
  if (around.previous?.kind === 'string' && /^['"]/.test(text)) throw new Refused(`The parameter "${title}" follows a text in the query.`);
  return text.startsWith('-') && around.before?.kind === 'operator' ? ` ${text}` : text;
}

function renderItem(item: string, { form, multi }: Resolved, title: string, dialect: Dialect): string {
  const [prefix, suffix] = [multi?.prefix ?? '', multi?.suffix ?? ''];
  if (prefix !== suffix) throw new Refused(`The quotation of the parameter "${title}" must be the same before and after a value.`);
  if (prefix === "'" || prefix === '"') return quoteWith(prefix, item, dialect);
  if (prefix !== '') throw new Refused(`The quotation of the parameter "${title}" must be none, ' or ".`);
  if (form === 'number') return item;
  if (form === 'date') return quoteText(item, dialect);
  const isName = path.test(item) && (form === 'choice' || !isReserved(item));
  return isName || isNumberText(item) ? item : quoteText(item, dialect);
}

function separatorOf({ multi, items }: Resolved, title: string): string {
  const separator = multi?.separator ?? ',';
  if (items.length > 1 && !/^\s*,\s*$/.test(separator)) throw new Refused(`The separator of the parameter "${title}" must be a comma.`);
  return separator;
}

/** design 8, inside of quotes: the value, escaped. `resolve` returns the value of a placeholder. */
export function renderInside(token: Token, dialect: Dialect, resolve: (content: string) => { value: Resolved; title: string }): string {
  if (!token.text.includes('{{')) return token.text;
  return token.text.replace(placeholders, (_, triple: string | undefined, double: string | undefined, at: number) => {
    const { value, title } = resolve(triple ?? double ?? '');
    if (token.escapes && isBehindBackslash(token.text, at)) throw new Refused(`The parameter "${title}" stands behind a backslash.`);
    return escapedFor(token, joined(value), title, dialect);
  });
}

/** An odd number of backslashes would escape the first character of the value. */
function isBehindBackslash(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function joined({ items, multi }: Resolved): string {
  return items.map((item) => `${multi?.prefix ?? ''}${item}${multi?.suffix ?? ''}`).join(multi?.separator ?? ',');
}

function escapedFor(token: Token, text: string, title: string, dialect: Dialect): string {
  if (token.kind === 'line-comment' || token.kind === 'block-comment') return text.replace(/[^\p{L}\p{N}_ .:-]/gu, '_');
  const quote = /^(?:[eE]|[uU]&)?(.)/su.exec(token.text)?.[1] ?? '';
  const isPlainOnly = token.kind === 'dollar-string' || /^[uU]&/.test(token.text) || (quote === '[' && dialect === 'generic');
  if (isPlainOnly && (!harmless.test(text) || text.includes('--'))) {
    throw new Refused(
      `The parameter "${title}" stands in a special kind of quotes, so its value may have only letters, digits, blanks and _ . : -`,
    );
  }
  if (isPlainOnly) return text;
  if (quote === '[' && text.includes(']')) throw new Refused(`The value of "${title}" must not have a ] in it.`);
  return escapeInside(text, quote, token.escapes === true);
}
