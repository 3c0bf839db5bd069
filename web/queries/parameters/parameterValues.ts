import { type QueryParameter, savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { fromUrl, toUrl } from '@telltale/domain/parameters/url.ts';
import { normalizeValue, type ParameterValue } from '@telltale/domain/parameters/values.ts';

export type Values = Readonly<Record<string, ParameterValue>>;

/** The values in use: the applied ones, else those of the address, else the saved ones (screens 1.7). */
export function effectiveValues(
  parameters: readonly QueryParameter[],
  applied: Values,
  address: URLSearchParams,
  widgetId?: number,
): Values {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { name } = parameter;
      if (Object.hasOwn(applied, name)) return [name, normalizeValue(parameter, applied[name])];
      return [name, fromUrl(parameter, (key) => address.get(key), widgetId) ?? normalizeValue(parameter, savedValueOf(parameter))];
    }),
  );
}

/** Screens 8.3: a value set back to the applied one is not pending any more. */
export function withPending(pending: Values, applied: Values, name: string, value: ParameterValue): Values {
  const { [name]: _, ...others } = pending;
  return isSameValue(applied[name] ?? null, value) ? others : { ...others, [name]: value };
}

const isSameValue = (one: ParameterValue, other: ParameterValue): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The address with these values; null removes a key. */
export function addressWith(search: string, parameters: readonly QueryParameter[], values: Values, widgetId?: number): string {
  const address = new URLSearchParams(search);
  for (const parameter of parameters) {
    for (const [key, text] of Object.entries(toUrl(parameter, values[parameter.name] ?? null, widgetId))) {
      if (text === null) address.delete(key);
      else address.set(key, text);
    }
  }
  const text = address.toString();
  return text && `?${text}`;
}

/** The definitions to save: with the applied values as the new defaults (screens 5.3). */
export const withValues = (parameters: readonly QueryParameter[], values: Values): QueryParameter[] =>
  parameters.map((parameter) => ({ ...parameter, value: normalizeValue(parameter, values[parameter.name] ?? null) }));
