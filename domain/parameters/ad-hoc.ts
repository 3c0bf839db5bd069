import { isTextLike, type ParameterValues, valueFor } from './check.ts';
import type { Clock } from './dynamic-dates.ts';
import { newParameter } from './placeholders.ts';
import { type Resolved, resolveValue } from './resolve.ts';
import { isMissing } from './values.ts';

/** design 8: without a definition a value is a text, a list of texts, or an object of texts for `{{ range.start }}`. */
export function isAdHocValue(value: unknown): boolean {
  if (isMissing(value)) return true;
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isTextLike);
  return isTextLike(value);
}

/** Null when the placeholder names a missing part, or the whole of a value that has parts. */
export function adHocValue(value: unknown, part: string | null, clock: Clock): Resolved | null {
  const isParts = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isParts !== (part !== null)) return null;
  const member = isParts && part !== null ? valueFor(value as ParameterValues, part) : value;
  return isMissing(member) ? null : resolveValue(newParameter(''), member, null, clock);
}
