import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { type ChartType, chartTypes } from './chartTypes.ts';
import { firstMapping } from './firstMapping.ts';

const axisTypes = ['-', 'datetime', 'linear', 'logarithmic', 'category'] as const;
export type AxisType = (typeof axisTypes)[number];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
/** A record as it is stored, key by key: a column may be called `__proto__`, and unknown values stay. */
const record = z.custom<Record<string, unknown>>(isRecord).catch(() => ({}));
const flag = z.boolean().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
/** A title, which older versions store as plain text. */
const title = z
  .union([z.string(), z.looseObject({ text })])
  .optional()
  .catch(undefined);
const bound = z
  .union([z.number(), z.string().regex(/\d/).pipe(z.coerce.number()), z.null()])
  .optional()
  .catch(undefined);

const axis = z.looseObject({
  type: z.enum(axisTypes).catch('linear'),
  title,
  rangeMin: bound,
  rangeMax: bound,
  tickFormat: text,
});
export type YAxisOptions = z.infer<typeof axis>;

const xAxis = z.looseObject({
  type: z.enum(axisTypes).catch('-'),
  labels: z.looseObject({ enabled: z.boolean().catch(true) }).catch({ enabled: true }),
  title,
  tickFormat: text,
});

const legend = z.looseObject({
  enabled: z.boolean().catch(true),
  placement: z.enum(['auto', 'below']).catch('auto'),
  traceorder: z.enum(['normal', 'reversed']).catch('normal'),
});

const error = z.looseObject({ type: z.string().catch('data'), visible: z.boolean().catch(true) });
const shownErrors = { type: 'data', visible: true };

/** visualizations 5.1: `normal` and `percent` were kinds of stacking; percent is now an option of its own. */
const series = z
  .looseObject({ stacking: z.string().nullable().catch(null), percentValues: flag, error_y: error.catch(() => ({ ...shownErrors })) })
  .transform(({ stacking, percentValues, ...rest }) => {
    const isOld = stacking === 'normal' || stacking === 'percent';
    const percent = isOld ? stacking === 'percent' : percentValues;
    return { ...rest, stacking: stacking ? ('stack' as const) : null, ...(percent !== undefined && { percentValues: percent }) };
  });

/** The schema with the parsed empty object as its fallback. */
const made = <T>(schema: z.ZodType<T>): z.ZodType<T> => schema.catch(() => schema.parse({}));

const saved = z.looseObject({
  globalSeriesType: z.enum(chartTypes).catch('column'),
  sortX: z.boolean().catch(true),
  sortY: flag,
  reverseX: flag,
  reverseY: flag,
  legend: made(legend),
  xAxis: made(xAxis),
  yAxis: z.unknown().optional(),
  alignYAxesAtZero: z.boolean().catch(false),
  error_y: made(error),
  series: made(series),
  seriesOptions: record,
  valuesOptions: record,
  columnMapping: z.custom<Record<string, unknown>>(isRecord).optional().catch(undefined),
  direction: z
    .looseObject({ type: z.enum(['counterclockwise', 'clockwise']).catch('counterclockwise') })
    .catch({ type: 'counterclockwise' }),
  sizemode: z.enum(['diameter', 'area']).catch('diameter'),
  coefficient: z.number().catch(1),
  piesort: z.boolean().catch(true),
  color_scheme: z.string().catch('Redash'),
  lineShape: z.enum(['linear', 'spline', 'hv', 'vh']).catch('linear'),
  showDataLabels: flag,
  numberFormat: z.string().catch('0,0[.]00000'),
  percentFormat: z.string().catch('0[.]00%'),
  dateTimeFormat: text,
  textFormat: z.string().catch(''),
  missingValuesAsZero: z.boolean().catch(true),
  swappedAxes: flag,
  enableLink: z.boolean().catch(false),
  linkOpenNewTab: z.boolean().catch(true),
  linkFormat: z.string().catch(''),
  colorScheme: text,
  heatMinColor: text,
  heatMaxColor: text,
  showpoints: flag,
  customCode: text,
  hiddenSeries: z.array(z.string()).optional().catch(undefined),
});
/** Only the known keys, without those that are merely kept. */
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
type Saved = Known<z.infer<typeof saved>>;

export interface ChartOptions extends Omit<Saved, 'yAxis' | 'showDataLabels' | 'dateTimeFormat' | 'columnMapping'> {
  /** Left and right; further axes are kept. */
  yAxis: YAxisOptions[];
  showDataLabels: boolean;
  dateTimeFormat: string;
  columnMapping: Record<string, unknown>;
  [unknown: string]: unknown;
}

/** The options that decide which points there are; the rest concerns their look. */
export type DataOptions = Pick<
  ChartOptions,
  'globalSeriesType' | 'columnMapping' | 'sortX' | 'seriesOptions' | 'missingValuesAsZero' | 'swappedAxes' | 'series' | 'xAxis' | 'yAxis'
>;

export function dataOptions(options: ChartOptions): DataOptions {
  const { globalSeriesType, columnMapping, sortX, seriesOptions, missingValuesAsZero, swappedAxes, series, xAxis, yAxis } = options;
  return { globalSeriesType, columnMapping, sortX, seriesOptions, missingValuesAsZero, swappedAxes, series, xAxis, yAxis };
}

/** visualizations 5.1. A chart that never had a mapping shows something at once (complaint 35); an empty one is kept (visualizations 0.2). */
export const chartOptions = ({ columns, settings }: OptionsSource): z.ZodType<ChartOptions> =>
  saved.transform(({ yAxis, showDataLabels, dateTimeFormat, columnMapping, ...rest }) => ({
    ...withoutUndefined(rest),
    yAxis: bothAxes(yAxis),
    showDataLabels: showDataLabels ?? rest.globalSeriesType === 'pie',
    dateTimeFormat: dateTimeFormat ?? settings.dateTimeFormat,
    columnMapping: columnMapping ?? firstMapping(columns, rest.globalSeriesType),
  }));

/** Removes keys without a default, so that a save adds none. */
function withoutUndefined<T extends object>(value: T): T {
  const kept = { ...value };
  for (const key of Object.keys(kept)) if (Reflect.get(kept, key) === undefined) Reflect.deleteProperty(kept, key);
  return kept;
}

function bothAxes(stored: unknown): YAxisOptions[] {
  const list = Array.isArray(stored) ? stored : [stored];
  const [left, right, ...more] = list.map((one) => (isRecord(one) ? one : {}));
  return [
    withoutUndefined(axis.parse({ type: 'linear', ...left })),
    withoutUndefined(axis.parse({ type: 'linear', opposite: true, ...right })),
    ...more.map((one) => axis.parse(one)),
  ];
}

export const titleOf = ({ title }: { title?: string | { text?: string | undefined } | undefined }): string =>
  (typeof title === 'string' ? title : title?.text) ?? '';

/** The options of one series, by its original name. */
export interface SeriesOptions {
  name?: string | undefined;
  type?: ChartType | undefined;
  color?: string | undefined;
  yAxis?: 0 | 1 | undefined;
  zIndex?: number | undefined;
}

const one = z.object({
  name: text,
  type: z.enum(chartTypes).optional().catch(undefined),
  color: text,
  yAxis: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .catch(undefined),
  zIndex: z.number().optional().catch(undefined),
});

export function seriesOptionsOf({ seriesOptions }: Pick<ChartOptions, 'seriesOptions'>, key: string): SeriesOptions {
  return Object.hasOwn(seriesOptions, key) ? (one.safeParse(seriesOptions[key]).data ?? {}) : {};
}

/** The colour of a slice of a pie by its raw value, or by its text, as earlier versions stored it. */
export function valueColorOf(
  { valuesOptions }: Pick<ChartOptions, 'valuesOptions'>,
  { key, name }: { key: string; name: string },
): string | undefined {
  const stored = [key, name].find((one) => Object.hasOwn(valuesOptions, one));
  const found = stored === undefined ? undefined : valuesOptions[stored];
  return isRecord(found) && typeof found.color === 'string' ? found.color : undefined;
}

/** Returns the record with changes to one entry; a key may be any text. */
export function withEntry(all: Record<string, unknown>, key: string, changes: object): Record<string, unknown> {
  const before = Object.hasOwn(all, key) ? all[key] : undefined;
  return { ...all, [key]: { ...(isRecord(before) ? before : {}), ...changes } };
}
