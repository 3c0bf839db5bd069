import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { storedTileUrl } from '@telltale/domain/visualizations/map-tiles.ts';
import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { type Extent, extentOf, type Position } from '../geo/position.ts';

/** visualizations 11: the shapes of a marker by their stored names. */
export const iconShapes = {
  marker: 'Marker + Icon',
  doughnut: 'Circle',
  'circle-dot': 'Circle Dot',
  circle: 'Circle + Icon',
  'rectangle-dot': 'Square Dot',
  rectangle: 'Square + Icon',
} as const;
export type IconShape = keyof typeof iconShapes;
export const hasIcon = (shape: IconShape): boolean => ['marker', 'circle', 'rectangle'].includes(shape);
export const hasGround = (shape: IconShape): boolean => !shape.endsWith('-dot');

/** Bounds as Leaflet writes them, unlike CHOROPLETH. */
export interface StoredBounds {
  _southWest: Position;
  _northEast: Position;
}

interface Words {
  enabled: boolean;
  template: string;
}

export interface MapOptions {
  latColName: string;
  lonColName: string;
  classify: string | null;
  groups: Record<string, { color?: string | null | undefined }>;
  mapTileUrl: string;
  clusterMarkers: boolean;
  customizeMarkers: boolean;
  iconShape: IconShape;
  iconFont: string;
  foregroundColor: string;
  backgroundColor: string;
  borderColor: string;
  bounds: StoredBounds | null;
  tooltip: Words;
  popup: Words;
  [unknown: string]: unknown;
}

const Place = z.looseObject({ lat: z.number(), lng: z.number() });
const Bounds = z
  .looseObject({ _southWest: Place, _northEast: Place })
  .nullable()
  .refine((bounds) => bounds === null || extentOfBounds(bounds) !== null);
const words = (enabled: boolean) =>
  z.looseObject({ enabled: z.boolean().catch(enabled), template: z.string().catch('') }).catch({ enabled, template: '' });
const Group = z.looseObject({ color: z.string().nullish().catch(undefined) });

export const mapOptions = ({ columns }: OptionsSource): z.ZodType<MapOptions> =>
  z.looseObject({
    latColName: z.string().catch(findColumn(columns, latitudes) ?? 'lat'),
    lonColName: z.string().catch(findColumn(columns, longitudes) ?? 'lon'),
    // Older options contain "none".
    classify: z
      .string()
      .nullable()
      .transform((name) => (name === 'none' || name === '' ? null : name))
      .catch(null),
    groups: z.record(z.string(), Group).catch({}),
    mapTileUrl: z.string().catch(storedTileUrl),
    clusterMarkers: z.boolean().catch(true),
    customizeMarkers: z.boolean().catch(false),
    iconShape: z.enum(Object.keys(iconShapes) as IconShape[]).catch('marker'),
    iconFont: z.string().catch('circle'),
    foregroundColor: z.string().catch('#ffffff'),
    backgroundColor: z.string().catch('#356AFF'),
    borderColor: z.string().catch('#356AFF'),
    bounds: Bounds.catch(null),
    tooltip: words(false),
    popup: words(true),
  });

const latitudes = [/^lat$/i, /^latitude$/i, /(^|[._\s-])lat(itude)?([._\s-]|$)/i, /lat(itude)?$/i, /緯度/];
const longitudes = [
  /^lon$/i,
  /^(lng|long|longitude)$/i,
  /(^|[._\s-])(lon|lng|long|longitude)([._\s-]|$)/i,
  /(lon|lng|longitude)$/i,
  /経度/,
];

/** Complaint 35: the column with one of these names, or nearly so; a better name wins over an earlier column. */
function findColumn(columns: readonly ResultColumn[], names: readonly RegExp[]): string | undefined {
  for (const name of names) {
    const found = columns.find((column) => name.test(column.name));
    if (found) return found.name;
  }
  return undefined;
}

export const extentOfBounds = ({ _southWest: sw, _northEast: ne }: StoredBounds): Extent | null => extentOf(sw.lat, sw.lng, ne.lat, ne.lng);
export const boundsOfExtent = ({ south, west, north, east }: Extent): StoredBounds => ({
  _southWest: { lat: south, lng: west },
  _northEast: { lat: north, lng: east },
});
