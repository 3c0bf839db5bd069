import type { z } from 'zod';
import { invalid, notFound } from '../errors.ts';

/** The first fault in one sentence, with the field it is about when our own message does not name it. */
export function faultText(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'This request cannot be read.';
  const field = issue.path.map(String).join('.');
  const isOurs = /^[A-Z].*\.$/.test(issue.message);
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.join(', ')}.`;
  if (isOurs || !field) return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
  return `${field}: ${issue.message}.`;
}

export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (!parsed.success) throw invalid(faultText(parsed.error));
  return parsed.data;
}

/** A path that cannot name an object names none: 404, not 400. */
export function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

/** PostgreSQL text cannot hold U+0000, so no text that comes in may. */
export function refuseNul(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid('Text must not contain the character U+0000.');
  } else if (Array.isArray(value)) {
    for (const item of value) refuseNul(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseNul(key);
      refuseNul(item);
    }
  }
}
