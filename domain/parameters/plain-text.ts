import { findPlaceholders } from './placeholders.ts';
import { Refused } from './render.ts';
import type { Resolved } from './resolve.ts';

/** Letters, digits and signs that mean nothing in YAML, JSON, PromQL or an address. */
const harmless = /^[\p{L}\p{N} _.,:@/+~-]*$/u;
/** Where a whole value stands: between these, a quoted text is a value of its own. */
const opens = /(?:^|[\s:,[({=])$/;
const closes = /^(?:$|[\s,\])}])/;

/**
 * Values in texts that are not SQL (YAML, JSON, GraphQL, PromQL). Inside double quotes a value is escaped as JSON does,
 * which all of them read; outside it is plain, or quoted where a whole value stands; anything else is refused.
 */
export function writePlain(text: string, resolve: (content: string) => { value: Resolved; title: string }): string {
  let written = '';
  let from = 0;
  for (const { start, end } of findPlaceholders(text)) {
    written += text.slice(from, start);
    const { value, title } = resolve(text.slice(start, end).replace(/^\{+|\}+$/g, ''));
    written += plainValue(value, title, lineBefore(text, start), text.slice(end));
    from = end;
  }
  return written + text.slice(from);
}

const lineBefore = (text: string, at: number) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

function plainValue(value: Resolved, title: string, before: string, after: string): string {
  const { separator, prefix, suffix } = value.multi ?? {};
  const joined = value.items.map((item) => `${prefix ?? ''}${item}${suffix ?? ''}`).join(separator ?? ',');
  if (isInsideQuotes(before)) return JSON.stringify(joined).slice(1, -1);
  if (value.form === 'number' || (harmless.test(joined) && !/^[ :@~-]|[ :]$|: | #/.test(joined))) return joined;
  if (opens.test(before) && closes.test(after)) return JSON.stringify(joined);
  throw new Refused(`The value of "${title}" cannot be used safely in this place of the query.`);
}

/** An odd number of quotes that are not escaped: a text is open here. */
const isInsideQuotes = (before: string): boolean => [...before.replace(/\\./g, '').matchAll(/"/g)].length % 2 === 1;
