import { type QueryParameter, typeOf } from './contract.ts';
import { isMissing, normalizeValue } from './values.ts';

/** Whether two values mean the same: 5 and "5", a date with a T and without. Dynamic dates compare by name. */
export function isSameValue(parameter: QueryParameter, given: unknown, wanted: unknown): boolean {
  if (isMissing(given) || isMissing(wanted)) return isMissing(given) && isMissing(wanted);
  const [one, other] = [normalizeValue(parameter, given), normalizeValue(parameter, wanted)];
  // Normalising replaces a value that is not offered by one that is, so choices are compared as they were sent.
  const asSent = typeOf(parameter) === 'enum' || typeOf(parameter) === 'query' ? texts(given) : one;
  return JSON.stringify(asSent) === JSON.stringify(Array.isArray(asSent) ? texts(other) : other);
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);
