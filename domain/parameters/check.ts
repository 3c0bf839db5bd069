import { parseWall, wallMs } from './calendar.ts';
import { enumOptionsOf, isDateType, isRangeType, type QueryParameter, titleOf, typeOf } from './contract.ts';
import { isDynamicDate, isDynamicRange } from './dynamic-dates.ts';
import { canonicalNumber } from './number-text.ts';
import { parametersInUse } from './placeholders.ts';
import { isMissing, isMulti, normalizeDate, normalizeRange } from './values.ts';

/** Values as they were sent, by parameter name. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/**
 * The choices of query-driven dropdowns by parameter name. A parameter that is not listed offers nothing, so that no free text gets into a
 * query that counts as safe (10.4); `unchecked` is for users who may run any text.
 */
export type DropdownOptions = Readonly<Record<string, readonly string[]>> | 'unchecked';

export const valueFor = (values: ParameterValues, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

/**
 * server-behaviour 10.2, with canonical dates only (W1): the names whose values do not fit. Without any definition nothing is known about
 * the values. Missing values are checked elsewhere.
 */
export function incompatibleNames(
  definitions: readonly QueryParameter[],
  values: ParameterValues,
  dropdowns: DropdownOptions = {},
): string[] {
  if (definitions.length === 0) return [];
  // The first of two definitions of a name counts.
  const byName = new Map(definitions.toReversed().map((definition) => [definition.name, definition]));
  return Object.keys(values).filter((name) => {
    const definition = byName.get(name);
    const value = values[name];
    if (!definition) return true;
    return !isMissing(value) && !fits(definition, value, offered(dropdowns, name));
  });
}

const offered = (dropdowns: DropdownOptions, name: string): readonly string[] | 'unchecked' =>
  dropdowns === 'unchecked' ? dropdowns : ((Object.hasOwn(dropdowns, name) ? dropdowns[name] : undefined) ?? []);

export const incompatibleMessage = (names: readonly string[]): string =>
  `The following parameter values are incompatible with their definitions: ${names.join(', ')}`;

/** Q5: the parameters that a text uses and that have no value. */
export function missingParameters(text: string, definitions: readonly QueryParameter[], values: ParameterValues): QueryParameter[] {
  return parametersInUse(text, definitions).filter((definition) => {
    const value = valueFor(values, definition.name);
    return isMissing(value) && !(definition.useCurrentDateTime && isDateType(typeOf(definition)));
  });
}

/** Q5: "missing value for {titles} parameter." */
export function missingMessage(missing: readonly QueryParameter[]): string {
  const titles = missing.map(titleOf).join(', ');
  return missing.length === 1 ? `missing value for ${titles} parameter.` : `missing values for ${titles} parameters.`;
}

/** Text that every database accepts: no NUL, no half of a surrogate pair. */
const isCleanText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

/** A text, or a number that stands for one. */
export const isTextLike = (value: unknown): boolean => isCleanText(value) || Number.isFinite(value) || typeof value === 'boolean';

function fits(definition: QueryParameter, value: unknown, options: readonly string[] | 'unchecked'): boolean {
  const type = typeOf(definition);
  if (type === 'number') return isNumberWithin(definition, value);
  if (type === 'enum') return isChoice(value, enumOptionsOf(definition), isMulti(definition));
  if (type === 'query') return isChoice(value, options, isMulti(definition));
  if (isDateType(type)) return isDynamicDate(value) || isWithin(definition, normalizeDate(value, type));
  if (!isRangeType(type)) return isTextLike(value);
  const range = normalizeRange(value, type);
  if (range === null || typeof range === 'string') return isDynamicRange(range);
  return isWithin(definition, range.start) && isWithin(definition, range.end);
}

function isChoice(value: unknown, options: readonly string[] | 'unchecked', multi: boolean): boolean {
  if (Array.isArray(value)) return multi && value.every((item) => isChoice(item, options, false));
  return isTextLike(value) && (options === 'unchecked' || options.includes(String(value)));
}

function isNumberWithin({ min, max }: QueryParameter, value: unknown): boolean {
  const number = canonicalNumber(value) === null ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= bound(min, -Infinity) && number <= bound(max, Infinity);
}

const bound = (limit: unknown, none: number) => (canonicalNumber(limit) === null ? none : Number(limit));

function isWithin({ min, max }: QueryParameter, date: string | null): boolean {
  const at = dateMs(date);
  return at !== null && at >= (dateMs(min) ?? -Infinity) && at <= (dateMs(max) ?? Infinity);
}

function dateMs(text: unknown): number | null {
  const wall = typeof text === 'string' ? parseWall(text) : null;
  return wall && wallMs(wall);
}
