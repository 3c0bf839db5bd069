import type { z } from 'zod';
import { invalid, notFound } from '../errors.ts';

/** Names of fields come from the caller: an answer repeats only their beginning, not megabytes. */
const shownName = (name: unknown) => String(name).slice(0, 60);

/** The first fault in one sentence, with the name of the field unless our own message names it. */
export function faultText(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'This request cannot be read.';
  const field = issue.path.slice(0, 6).map(shownName).join('.');
  // The checker's own texts begin with these words; every other sentence was written for its field.
  const isOurs = /^[A-Z]/.test(issue.message) && !/^(Invalid|Too (big|small)|Unrecognized|Expected)\b/.test(issue.message);
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.slice(0, 5).map(shownName).join(', ')}.`;
  if (isOurs) return issue.message;
  if (!field) return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
  return `${field}: ${issue.message}.`;
}

export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (!parsed.success) throw invalid(faultText(parsed.error));
  return parsed.data;
}

/** A path with an invalid id names no object: 404, not 400. */
export function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

/** PostgreSQL text cannot hold U+0000, so it is refused in all input. A loop, because a body can be nested deeper than the stack. */
export function refuseNul(value: unknown): void {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && next.includes('\0')) throw invalid('Text must not contain the character U+0000.');
    if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) open.push(key, item);
    }
  }
}
