import { formatWall, parseWall } from './calendar.ts';
import { enumOptionsOf, isDateType, isRangeType, type ParameterType, type QueryParameter, typeOf } from './contract.ts';
import { type DateRange, isDynamicDate, isDynamicRange, precisionOf } from './dynamic-dates.ts';
import { canonicalNumber } from './number-text.ts';

/** The value of a parameter: dynamic dates by their name (`d_today`), several choices as a list, nothing as null. */
export type ParameterValue = string | number | string[] | DateRange | null;

/**
 * Q5: normalises a value for a definition, as the browser does. `options` are the loaded choices of a query-driven dropdown; without them
 * its value is accepted as it is.
 */
export function normalizeValue(definition: QueryParameter, value: unknown, options?: readonly string[]): ParameterValue {
  const type = typeOf(definition);
  if (type === 'number') return normalizeNumber(value);
  if (type === 'enum') return normalizeChoice(value, enumOptionsOf(definition), isMulti(definition));
  if (type === 'query') return normalizeQueryChoice(definition, value, options);
  if (isDateType(type)) return normalizeDate(value, type) ?? (definition.useCurrentDateTime && value == null ? 'd_now' : null);
  if (isRangeType(type)) return normalizeRange(value, type);
  return normalizeText(value);
}

/** Several values may be chosen. */
export const isMulti = ({ multiValuesOptions }: QueryParameter): boolean => multiValuesOptions != null;

/** A missing value, which blocks execution (Q4). */
export const isMissing = (value: unknown): boolean => value == null || value === '' || (Array.isArray(value) && value.length === 0);

const isText = (value: unknown): value is string => typeof value === 'string';

/** A number, or null when it is not one (Q5). */
export function normalizeNumber(value: unknown): number | null {
  const text = canonicalNumber(value);
  return text === null ? null : Number(text);
}

function normalizeText(value: unknown): string | null {
  if (isText(value)) return value || null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Q5: one of the options, else the first; of several values only those that are options. */
function normalizeChoice(value: unknown, options: readonly string[], multi: boolean): string | string[] | null {
  const chosen = (Array.isArray(value) ? value : [value])
    .map(normalizeText)
    .filter((item): item is string => item !== null && options.includes(item));
  if (multi) return chosen.length > 0 ? chosen : null;
  return chosen[0] ?? options[0] ?? null;
}

function normalizeQueryChoice(definition: QueryParameter, value: unknown, options?: readonly string[]): string | string[] | null {
  if (options) return normalizeChoice(value, options, isMulti(definition));
  const chosen = (Array.isArray(value) ? value : [value]).map(normalizeText).filter((item) => item !== null);
  if (isMulti(definition)) return chosen.length > 0 ? chosen : null;
  return chosen[0] ?? null;
}

/** Canonical text of a date by its type, a dynamic date unchanged, null for any other value (Q5). */
export function normalizeDate(value: unknown, type: ParameterType): string | null {
  if (isDynamicDate(value)) return value;
  const wall = isText(value) ? parseWall(value) : null;
  return wall && formatWall(wall, precisionOf(type));
}

/** Two valid dates, as an object, a pair or `start--end`; or a dynamic range (Q5, screens 1.7). */
export function normalizeRange(value: unknown, type: ParameterType): string | DateRange | null {
  if (isDynamicRange(value)) return value;
  const [from, to] = rangeEnds(value);
  const [start, end] = [from, to].map((text) => (isText(text) && !isDynamicDate(text) ? normalizeDate(text, type) : null));
  return start && end ? { start, end } : null;
}

function rangeEnds(value: unknown): [unknown, unknown] {
  if (isText(value)) value = value.split('--');
  if (Array.isArray(value)) return value.length === 2 ? [value[0], value[1]] : [null, null];
  if (typeof value !== 'object' || value === null) return [null, null];
  return ['start' in value ? value.start : null, 'end' in value ? value.end : null];
}
