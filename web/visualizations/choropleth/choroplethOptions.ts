import { z } from 'zod';
import { type Extent, extentOf } from '../geo/position.ts';
import { countriesPopup, mapTypes } from './mapTypes.ts';
import type { MapType } from './shapes.ts';

export const clusteringModes = { q: 'quantile', e: 'equidistant', k: 'k-means' } as const;
export type ClusteringMode = keyof typeof clusteringModes;
export const legendPositions = {
  'top-left': 'top / left',
  'top-right': 'top / right',
  'bottom-left': 'bottom / left',
  'bottom-right': 'bottom / right',
} as const;
export type LegendPosition = keyof typeof legendPositions;
export const alignments = ['left', 'center', 'right'] as const;

/** South-west, north-east; each latitude, longitude. */
export type StoredBounds = [[number, number], [number, number]];

export interface ChoroplethOptions {
  mapType: MapType;
  /** Null means found by the values (complaint 35). */
  keyColumn: string | null;
  targetField: string | null;
  valueColumn: string | null;
  clusteringMode: ClusteringMode;
  steps: number;
  valueFormat: string;
  noValuePlaceholder: string;
  colors: { min: string; max: string; background: string; borders: string; noValue: string };
  legend: { visible: boolean; position: LegendPosition; alignText: (typeof alignments)[number] };
  tooltip: { enabled: boolean; template: string };
  popup: { enabled: boolean; template: string };
  bounds?: StoredBounds | undefined;
  [unknown: string]: unknown;
}

export const defaultColors = { min: '#799CFF', max: '#002FB4', background: '#ffffff', borders: '#ffffff', noValue: '#dddddd' };
const tooltipTemplate = '<b>{{ @@name }}</b>: {{ @@value }}';

const column = z.string().nullable().catch(null);
const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as K[];
const pair = z.tuple([z.number(), z.number()]);
const Bounds = z
  .tuple([pair, pair])
  .refine((bounds) => extentOfBounds(bounds) !== null)
  .optional()
  .catch(undefined);
const color = (name: keyof typeof defaultColors) => z.string().catch(defaultColors[name]);
const Colors = z.looseObject({
  min: color('min'),
  max: color('max'),
  background: color('background'),
  borders: color('borders'),
  noValue: color('noValue'),
});
const Legend = z.looseObject({
  visible: z.boolean().catch(true),
  position: z.enum(keysOf(legendPositions)).catch('bottom-left'),
  alignText: z.enum(alignments).catch('right'),
});
const words = (template: string) => z.looseObject({ enabled: z.boolean().catch(true), template: z.string().catch(template) });
const orEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}), schema);

const Options = z.looseObject({
  mapType: z.enum(keysOf(mapTypes)).catch('countries'),
  keyColumn: column,
  targetField: column,
  valueColumn: column,
  clusteringMode: z.enum(keysOf(clusteringModes)).catch('e'),
  steps: z.number().min(1).max(100).catch(5),
  valueFormat: z.string().catch('0,0.00'),
  noValuePlaceholder: z.string().catch('N/A'),
  colors: orEmpty(Colors),
  legend: orEmpty(Legend),
  tooltip: orEmpty(words(tooltipTemplate)),
  popup: orEmpty(words(countriesPopup)),
  bounds: Bounds,
});

/** visualizations 10: older options name the columns differently. */
export const choroplethOptions: z.ZodType<ChoroplethOptions> = z
  .preprocess((stored) => {
    if (typeof stored !== 'object' || stored === null) return stored;
    const { countryCodeColumn, countryCodeType, ...rest } = stored as Record<string, unknown>;
    return {
      ...(countryCodeColumn !== undefined && { keyColumn: countryCodeColumn }),
      ...(countryCodeType !== undefined && { targetField: countryCodeType }),
      ...rest,
    };
  }, Options)
  .transform(({ bounds, ...options }) => (bounds ? { ...options, bounds } : options));

export const extentOfBounds = ([[south, west], [north, east]]: StoredBounds): Extent | null => extentOf(south, west, north, east);
export const boundsOfExtent = ({ south, west, north, east }: Extent): StoredBounds => [
  [south, west],
  [north, east],
];
