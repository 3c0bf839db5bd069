import { isDateType, isRangeType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { type Clock, resolveDynamicDate, resolveDynamicRange } from '@telltale/domain/parameters/dynamic-dates.ts';
import { isMissing, type ParameterValue } from '@telltale/domain/parameters/values.ts';

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** What is posted: the saved query by its number, or a text. */
export type RunRequest =
  | { kind: 'saved'; id: number; parameters: Record<string, unknown>; max_age: number; apply_auto_limit: boolean }
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

/** Design 8: dynamic dates mean the viewer's day. Where that is the organisation's day too, the server may resolve them. */
export function valuesToSend(
  parameters: readonly QueryParameter[],
  values: ParameterValues,
  clock: Clock,
  keepsDynamic: boolean,
): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = values[parameter.name];
    if (isMissing(value)) continue;
    sent[parameter.name] = keepsDynamic ? value : resolved(parameter, value, clock);
  }
  return sent;
}

function resolved(parameter: QueryParameter, value: ParameterValue | undefined, clock: Clock): unknown {
  const type = typeOf(parameter);
  if (typeof value !== 'string') return value;
  if (isRangeType(type)) return resolveDynamicRange(value, type, clock) ?? value;
  return isDateType(type) ? (resolveDynamicDate(value, type, clock) ?? value) : value;
}

/** Q5: a selection counts when it is longer than one character. */
export const isSelectionUsed = (selection: string): boolean => selection.length > 1;
