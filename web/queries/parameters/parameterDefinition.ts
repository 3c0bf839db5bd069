import { formatWall, parseWall } from '@telltale/domain/parameters/calendar.ts';
import { isDateType, isRangeType, type ParameterType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { precisionOf } from '@telltale/domain/parameters/dynamic-dates.ts';
import { normalizeNumber, normalizeValue, type ParameterValue } from '@telltale/domain/parameters/values.ts';

type Limit = QueryParameter['min'];

/** The type of one end of a range; other types are their own. */
export const endType = (type: ParameterType): ParameterType => {
  if (type === 'date-range') return 'date';
  if (type === 'datetime-range') return 'datetime-local';
  return type === 'datetime-range-with-seconds' ? 'datetime-with-seconds' : type;
};

export const isDated = (type: ParameterType): boolean => isDateType(type) || isRangeType(type);

/** A limit as this type needs it, null where there is none: numbers have numbers, dates and the ends of ranges have dates. */
export function limitFor(type: ParameterType, limit: Limit): number | string | null {
  if (type === 'number') return limit == null || normalizeNumber(limit) === null ? null : limit;
  const wall = isDated(type) && typeof limit === 'string' ? parseWall(limit) : null;
  return wall && formatWall(wall, precisionOf(type));
}

/** What the dialog saves of its draft: the members that belong to the type, others of the parameter unchanged. */
export function definitionOf(draft: QueryParameter, title: string): QueryParameter {
  const { enumOptions, queryId, multiValuesOptions, min, max, default: initial, ...common } = draft;
  const type = typeOf(draft);
  const [least, most] = [limitFor(type, min), limitFor(type, max)];
  const definition: QueryParameter = {
    ...common,
    name: draft.name.trim(),
    title: title.trim(),
    type,
    ...(least !== null && { min: least }),
    ...(most !== null && { max: most }),
    ...(type === 'enum' && { enumOptions: enumOptions ?? '' }),
    ...(type === 'query' && { queryId }),
    ...((type === 'enum' || type === 'query') && multiValuesOptions && { multiValuesOptions }),
  };
  const start = defaultOf(definition, initial);
  const value = normalizeValue(definition, draft.value ?? start);
  return { ...definition, value, ...(start !== null && { default: start }) };
}

/** The explicit default of a parameter; null where it starts with the value that was saved last. */
export const defaultOf = (parameter: QueryParameter, initial: unknown): ParameterValue =>
  initial === null || initial === undefined ? null : normalizeValue(parameter, initial);
