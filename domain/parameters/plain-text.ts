import type { Steps } from '../steps.ts';
import { findPlaceholders } from './placeholders.ts';
import { Refused } from './render.ts';
import type { Resolved } from './resolve.ts';

/** Letters, digits and signs without a meaning in YAML, JSON, PromQL or an address. */
const harmless = /^[\p{L}\p{N} _.,:@/+~-]*$/u;
/** The surroundings of a whole value: between these, a quoted text is a value of its own. */
const opens = /(?:^|[\s:,[({=])$/;
const closes = /^(?:$|[\s,\])}])/;

/**
 * Writes values into texts that are not SQL (YAML, JSON, GraphQL, PromQL). Inside double quotes a value is escaped as in JSON, which all of
 * them read; outside it is plain, or quoted in place of a whole value; anything else is refused.
 */
export function* writePlain(text: string, resolve: (content: string) => { value: Resolved; title: string }): Steps<string> {
  let written = '';
  const line = new LineSoFar(text);
  let from = 0;
  for (const { start, end } of findPlaceholders(text)) {
    written += text.slice(from, start);
    const { value, title } = resolve(text.slice(start, end).replace(/^\{+|\}+$/g, ''));
    written += plainValue(value, title, {
      isQuoted: line.isQuotedAt(start),
      before: text.slice(start - 1, start),
      after: text.slice(end, end + 1),
    });
    from = end;
    yield;
  }
  return written + text.slice(from);
}

interface Place {
  isQuoted: boolean;
  /** The adjacent characters. */
  before: string;
  after: string;
}

function plainValue(value: Resolved, title: string, { isQuoted, before, after }: Place): string {
  const { separator, prefix, suffix } = value.multi ?? {};
  const joined = value.items.map((item) => `${prefix ?? ''}${item}${suffix ?? ''}`).join(separator ?? ',');
  if (isQuoted) return JSON.stringify(joined).slice(1, -1);
  if (value.form === 'number' || (harmless.test(joined) && !/^[ :@~-]|[ :]$|: | #/.test(joined))) return joined;
  if (opens.test(before) && closes.test(after)) return JSON.stringify(joined);
  throw new Refused(`The value of "${title}" cannot be used safely in this place of the query.`);
}

/** Says for one place after the other whether a text is open there: an odd number of unescaped quotes on its line. */
class LineSoFar {
  readonly #text: string;
  #at = 0;
  #isQuoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  isQuotedAt(place: number): boolean {
    for (; this.#at < place; this.#at++) {
      const char = this.#text[this.#at];
      if (char === '\n') this.#isQuoted = false;
      else if (char === '\\' && this.#text[this.#at + 1] !== '\n') this.#at++;
      else if (char === '"') this.#isQuoted = !this.#isQuoted;
    }
    return this.#isQuoted;
  }
}
