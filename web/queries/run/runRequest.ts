import { isDateType, isRangeType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { type Clock, resolveDynamicDate, resolveDynamicRange } from '@telltale/domain/parameters/dynamic-dates.ts';
import { isMissing, type ParameterValue } from '@telltale/domain/parameters/values.ts';

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** What is posted: the saved query by its number, or a text. */
export type RunRequest =
  | { kind: 'saved'; id: number; parameters: Record<string, unknown>; max_age: number; apply_auto_limit: boolean; time_zone?: string }
  | {
      kind: 'text';
      query: string;
      data_source_id: number | null;
      /** Which one of a source that has several; null for its own. */
      database: string | null;
      query_id: number | null;
      parameters: Record<string, unknown>;
      max_age: number;
      apply_auto_limit: boolean;
    };

/**
 * Design 8: dynamic dates mean the viewer's day. Of a saved query the server resolves them, and is told whose day where that is not
 * the organisation's: so it knows that they are the query's own values, and its latest result is one of them.
 */
export const savedValuesToSend = (
  parameters: readonly QueryParameter[],
  values: ParameterValues,
  viewerZone: string,
  organizationZone: string,
): { parameters: Record<string, unknown>; time_zone?: string } => ({
  parameters: sentValues(parameters, values, (_, value) => value),
  ...(viewerZone === organizationZone ? {} : { time_zone: viewerZone }),
});

export const textValuesToSend = (parameters: readonly QueryParameter[], values: ParameterValues, clock: Clock): Record<string, unknown> =>
  sentValues(parameters, values, (parameter, value) => resolved(parameter, value, clock));

function sentValues(
  parameters: readonly QueryParameter[],
  values: ParameterValues,
  written: (parameter: QueryParameter, value: ParameterValue | undefined) => unknown,
): Record<string, unknown> {
  const given = parameters.filter(({ name }) => !isMissing(values[name]));
  return Object.fromEntries(given.map((parameter) => [parameter.name, written(parameter, values[parameter.name])]));
}

function resolved(parameter: QueryParameter, value: ParameterValue | undefined, clock: Clock): unknown {
  const type = typeOf(parameter);
  if (typeof value !== 'string') return value;
  if (isRangeType(type)) return resolveDynamicRange(value, type, clock) ?? value;
  return isDateType(type) ? (resolveDynamicDate(value, type, clock) ?? value) : value;
}

/** Q5: a selection counts when it is longer than one character. */
export const isSelectionUsed = (selection: string): boolean => selection.length > 1;
