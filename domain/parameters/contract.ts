import { z } from 'zod';

/** Q3. An unknown or missing type is treated as text. */
const parameterTypes = [
  'text',
  'number',
  'enum',
  'query',
  'date',
  'datetime-local',
  'datetime-with-seconds',
  'date-range',
  'datetime-range',
  'datetime-range-with-seconds',
] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** Q3: how several values are put into a query: each between prefix and suffix, joined by the separator. */
export const MultiValuesOptions = z.looseObject({
  separator: z.string().max(20).nullish(),
  prefix: z.string().max(20).nullish(),
  suffix: z.string().max(20).nullish(),
});
export type MultiValuesOptions = z.infer<typeof MultiValuesOptions>;

const limit = z.union([z.number(), z.string().max(40)]).nullish();

/** Q3 and server-behaviour 10.5: one entry of a query's `options.parameters`, stored as sent, unknown keys included. */
export const QueryParameter = z.looseObject({
  name: z.string().min(1).max(255),
  title: z.string().max(255).nullish(),
  type: z.string().max(64).nullish(),
  /** The value in use when the query was saved, which scheduled runs use. */
  value: z.unknown().optional(),
  global: z.boolean().nullish(),
  locals: z.array(z.unknown()).nullish(),
  /** One option per line, or a list. */
  enumOptions: z.union([z.string(), z.array(z.union([z.string(), z.number()]))]).nullish(),
  multiValuesOptions: MultiValuesOptions.nullish(),
  queryId: z.int().nullish(),
  parentQueryId: z.int().nullish(),
  /** Old queries: a date without a value means now. */
  useCurrentDateTime: z.boolean().nullish(),
  /** Ours: inclusive bounds of numbers and dates. */
  min: limit,
  max: limit,
  /** Ours: the initial value, whatever was applied last. */
  default: z.unknown().optional(),
});
export type QueryParameter = z.infer<typeof QueryParameter>;

/** Q3: the options of a saved query; unknown keys are kept. */
export const QueryOptions = z.looseObject({
  parameters: z.array(QueryParameter).max(500).default([]),
  apply_auto_limit: z.boolean().nullish(),
  /** Complaint 16: changed values are applied by themselves, a moment after the last change. */
  auto_apply: z.boolean().nullish(),
});
export type QueryOptions = z.infer<typeof QueryOptions>;

const known = new Set<string>(parameterTypes);
export function typeOf({ type }: Pick<QueryParameter, 'type'>): ParameterType {
  return type && known.has(type) ? (type as ParameterType) : 'text';
}

export const isDateType = (type: ParameterType): boolean =>
  type === 'date' || type === 'datetime-local' || type === 'datetime-with-seconds';
export const isRangeType = (type: ParameterType): boolean => type.includes('-range');

export function enumOptionsOf({ enumOptions }: Pick<QueryParameter, 'enumOptions'>): string[] {
  const options = typeof enumOptions === 'string' ? enumOptions.split(/\r?\n/) : (enumOptions ?? []).map(String);
  return options.filter((option) => option !== '');
}

/** screens 8.2: "start_date" → "Start date". */
export function humanize(name: string): string {
  const words = name.replace(/[_\s]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const titleOf = ({ title, name }: Pick<QueryParameter, 'title' | 'name'>): string => title?.trim() || humanize(name);

/** The value of a run without other values: the explicit default, else the saved value. */
export const savedValueOf = (parameter: QueryParameter): unknown => parameter.default ?? parameter.value ?? null;
