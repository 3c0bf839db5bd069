import { type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { dynamicValues } from '@telltale/domain/parameters/dynamic-dates.ts';
import { normalizeValue } from '@telltale/domain/parameters/values.ts';

/** Screens 9.5: dynamic dates by their name, ranges with a tilde, several values one after the other. */
export function valueText(parameter: QueryParameter, given: unknown): string {
  const value = normalizeValue(parameter, given);
  if (value === null) return '–';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return `${value.start} ~ ${value.end}`;
  return dynamicValues(typeOf(parameter)).find((one) => one.value === value)?.name ?? String(value);
}
