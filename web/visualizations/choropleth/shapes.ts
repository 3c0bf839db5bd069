import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson';
import type { Extent } from '../geo/position.ts';

/** The names of a shape; values of the key column are compared with one of them. */
export interface ShapeProperties {
  [field: string]: string | null | undefined | FormerNames;
}
/** Former names of a shape, by field, for older results. */
type FormerNames = Record<string, string[]>;

export type Shape = Feature<Polygon | MultiPolygon, ShapeProperties>;
export type Shapes = FeatureCollection<Polygon | MultiPolygon, ShapeProperties>;

export type MapType = 'countries' | 'subdiv_japan' | 'usa';

const files: Readonly<Record<MapType, () => Promise<{ default: string }>>> = {
  countries: () => import('./data/countries.json?raw'),
  subdiv_japan: () => import('./data/japan-prefectures.json?raw'),
  usa: () => import('./data/usa-states.json?raw'),
};
const loaded = new Map<MapType, Promise<Shapes>>();

/** Loaded when the first map is drawn. As JSON text, which parses faster than compiled code. */
export function loadShapes(type: MapType): Promise<Shapes> {
  const known = loaded.get(type);
  if (known) return known;
  const loading = files[type]().then(({ default: text }): Shapes => JSON.parse(text));
  loaded.set(type, loading);
  loading.catch(() => loaded.delete(type));
  return loading;
}

const extents = new WeakMap<Shapes, Extent>();

export function shapesExtent(shapes: Shapes): Extent {
  const known = extents.get(shapes);
  if (known) return known;
  const extent = { south: 90, west: 540, north: -90, east: -540 };
  for (const { geometry } of shapes.features) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    for (const [outline = []] of polygons) {
      for (const [lng = 0, lat = 0] of outline) {
        extent.south = Math.min(extent.south, lat);
        extent.north = Math.max(extent.north, lat);
        extent.west = Math.min(extent.west, lng);
        extent.east = Math.max(extent.east, lng);
      }
    }
  }
  extents.set(shapes, extent);
  return extent;
}
