import { isDateType, isRangeType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { type Clock, resolveDynamicDate, resolveDynamicRange } from '@telltale/domain/parameters/dynamic-dates.ts';
import { isMissing, type ParameterValue } from '@telltale/domain/parameters/values.ts';

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** The request to post: the saved query by its id, or a text. */
export type RunRequest =
  | { kind: 'saved'; id: number; parameters: Record<string, unknown>; max_age: number; apply_auto_limit: boolean; time_zone: string }
  | {
      kind: 'text';
      query: string;
      data_source_id: number | null;
      /** The database of a source that has several; null for its default. */
      database: string | null;
      query_id: number | null;
      parameters: Record<string, unknown>;
      max_age: number;
      apply_auto_limit: boolean;
      time_zone: string;
    };

/**
 * Design 8: dynamic dates follow the viewer's day. Those of a saved query are sent by name and resolved by the server in the viewer's zone,
 * so that it recognises the query's own values and stores the result as the query's latest.
 */
export const savedValuesToSend = (
  parameters: readonly QueryParameter[],
  values: ParameterValues,
  viewerZone: string,
): { parameters: Record<string, unknown>; time_zone: string } => ({
  parameters: sentValues(parameters, values, (_, value) => value),
  time_zone: viewerZone,
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

/** Q5: a selection is used when it is longer than one character. */
export const isSelectionUsed = (selection: string): boolean => selection.length > 1;
