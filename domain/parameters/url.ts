import { isRangeType, type QueryParameter, typeOf } from './contract.ts';
import { isMulti, normalizeValue, type ParameterValue } from './values.ts';

/** screens 1.7: `p_name` for a query or a dashboard, `p_w12_name` for the parameter of a widget. */
export const urlKey = (name: string, widgetId?: number): string => (widgetId === undefined ? `p_${name}` : `p_w${widgetId}_${name}`);

/** screens 1.7: text, `start--end`, `d_this_week`, a JSON list; null removes a key from the address. */
export function toUrl(definition: QueryParameter, value: ParameterValue, widgetId?: number): Record<string, string | null> {
  const key = urlKey(definition.name, widgetId);
  const entry = { [key]: value === null ? null : urlText(value) };
  // The legacy form could contradict the new one, so it is removed.
  return isRangeType(typeOf(definition)) ? { ...entry, [`${key}.start`]: null, [`${key}.end`]: null } : entry;
}

function urlText(value: NonNullable<ParameterValue>): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'object' ? `${value.start}--${value.end}` : String(value);
}

/** The value in an address, normalised; undefined when the address does not contain this parameter. */
export function fromUrl(
  definition: QueryParameter,
  get: (key: string) => string | null | undefined,
  widgetId?: number,
): ParameterValue | undefined {
  const key = urlKey(definition.name, widgetId);
  const text = get(key);
  if (text != null) return normalizeValue(definition, isMulti(definition) ? listFrom(text) : text);
  if (!isRangeType(typeOf(definition))) return undefined;
  const [start, end] = [get(`${key}.start`), get(`${key}.end`)];
  return start == null || end == null ? undefined : normalizeValue(definition, { start, end });
}

function listFrom(text: string): unknown[] {
  if (!text.startsWith('[')) return [text];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [text];
  } catch {
    return [text];
  }
}
