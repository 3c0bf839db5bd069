import { parseWall, wallMs } from '../parameters/calendar.ts';
import { isDateType, isRangeType, type QueryParameter, savedValueOf, typeOf } from '../parameters/contract.ts';
import { type Clock, isDynamicDate, isDynamicRange, resolveDynamicDate } from '../parameters/dynamic-dates.ts';
import { resolveRange } from '../parameters/resolve.ts';
import { isSameValue } from '../parameters/same-value.ts';
import { normalizeValue } from '../parameters/values.ts';
import { keptMappings, mappingOf, type ParameterMapping, type ParameterMappings } from './parameter-mapping.ts';

/** The parts of a query's parameters that readers of a shared dashboard may know, and the values they may request (security 23). */

const offered = [
  'title',
  'type',
  'value',
  'default',
  'global',
  'enumOptions',
  'multiValuesOptions',
  'queryId',
  'useCurrentDateTime',
  'min',
  'max',
] as const;
const fixed = ['title', 'type', 'multiValuesOptions'] as const;

/** A fixed value is public; the other choices of its parameter are not. */
export function publicParameters(
  parameters: readonly QueryParameter[],
  mappings: ParameterMappings | undefined,
): { parameters: QueryParameter[]; parameterMappings: ParameterMappings } {
  const all = parameters.map((parameter) => ({ parameter, mapping: mappingOf(parameter, mappings) }));
  const isFixed = (mapping: ParameterMapping) => mapping.type === 'static-value';
  return {
    parameters: all.map(({ parameter, mapping }) => ({
      name: parameter.name,
      ...Object.fromEntries((isFixed(mapping) ? fixed : offered).flatMap((key) => (parameter[key] == null ? [] : [[key, parameter[key]]]))),
    })),
    parameterMappings: keptMappings(
      all.map(({ parameter, mapping }) => (isFixed(mapping) ? { ...mapping, value: fixedValue(parameter, mapping) } : mapping)),
    ),
  };
}

const fixedValue = (parameter: QueryParameter, { value }: ParameterMapping): unknown => value ?? savedValueOf(parameter);

/** Whether a widget that shows the query would request these values: fixed ones must be as the widget fixes them. */
export function isAskedBy(
  widgets: readonly (ParameterMappings | undefined)[],
  parameters: readonly QueryParameter[],
  values: Readonly<Record<string, unknown>>,
  clock: Clock,
): boolean {
  return widgets.some((mappings) =>
    parameters.every((parameter) => {
      const mapping = mappingOf(parameter, mappings);
      const given = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
      return mapping.type !== 'static-value' || isSame(parameter, given, fixedValue(parameter, mapping), clock);
    }),
  );
}

/** Whether a viewer may choose the value of this parameter anywhere. */
export const isAskedFor = (widgets: readonly (ParameterMappings | undefined)[], parameter: QueryParameter): boolean =>
  widgets.some((mappings) => mappingOf(parameter, mappings).type !== 'static-value');

function isSame(parameter: QueryParameter, given: unknown, wanted: unknown, clock: Clock): boolean {
  const [one, other] = [normalizeValue(parameter, given), normalizeValue(parameter, wanted)];
  const isMoving = isDynamicDate(other) || isDynamicRange(other);
  if (isMoving) return one === other || isNear(ends(parameter, one, clock), ends(parameter, other, clock));
  return isSameValue(parameter, given, wanted);
}

/** Browsers resolve dynamic dates in the viewer's zone, so they may differ by the largest offset between zones. */
const zonesMs = 27 * 3_600_000;

const isNear = (one: readonly number[], other: readonly number[]): boolean =>
  one.length > 0 && one.length === other.length && one.every((ms, i) => Math.abs(ms - (other[i] ?? Number.NaN)) <= zonesMs);

function ends(parameter: QueryParameter, value: unknown, clock: Clock): number[] {
  const type = typeOf(parameter);
  const range = isRangeType(type) ? resolveRange(parameter, value, clock) : null;
  const date = isDateType(type) && typeof value === 'string' ? (resolveDynamicDate(value, type, clock) ?? value) : null;
  return [range?.start, range?.end, date].flatMap((text) => {
    const wall = text ? parseWall(text) : null;
    return wall ? [wallMs(wall)] : [];
  });
}
