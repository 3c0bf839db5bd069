import type { BBox } from 'geojson';
import Supercluster, { type ClusterFeature, type PointFeature } from 'supercluster';
import { type Extent, worldX, worldY } from '../geo/position.ts';
import type { MapModel } from './mapModel.ts';

/** An item to draw: one marker, or a bubble of several. */
export interface Item {
  /** A stable key of the item. */
  key: string;
  lat: number;
  lng: number;
  group: number;
  /** Index in the model; −1 for a bubble. */
  marker: number;
  count: number;
  /** The extent of its markers. */
  extent: Extent;
}

/** Pixels within which markers become a bubble. */
const radius = 60;
const tile = 256;
/** Markers this close are merged before clustering: so a hundred thousand of them take no longer than the visible ones. */
const cell = 8;
const fewEnough = 3000;

/** The unit of clustering: a marker, or all markers of a cell. */
interface Crumb {
  count: number;
  /** The first marker of the cell. */
  marker: number;
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The markers of some groups, clustered where they would overlap; each group by itself (visualizations 11). */
export class Clusters {
  readonly #model: MapModel;
  readonly #known = new Map<number, { region: string; index: Supercluster<Crumb, Crumb> }>();

  constructor(model: MapModel) {
    this.#model = model;
  }

  items(extent: Extent, zoom: number, groups: readonly number[]): Item[] {
    const region = regionOf(extent, zoom);
    const box: BBox = [-180, -90, 180, 90];
    return groups.flatMap((group) =>
      this.#index(region, zoom, group)
        .getClusters(box, zoom)
        .map((feature) => itemOf(feature, group)),
    );
  }

  /** The markers of a bubble that no zoom takes apart; at most so many. */
  markersOf({ group, extent, marker }: Item, most: number): number[] {
    if (marker >= 0) return [marker];
    return markersIn(this.#model, extent, [group], most);
  }

  #index(region: Region, zoom: number, group: number): Supercluster<Crumb, Crumb> {
    const known = this.#known.get(group);
    if (known?.region === region.key) return known.index;
    const index = new Supercluster<Crumb, Crumb>({ radius, extent: tile, minZoom: zoom, maxZoom: zoom, map: copied, reduce: merge });
    index.load(this.#crumbs(region, zoom, group));
    this.#known.set(group, { region: region.key, index });
    return index;
  }

  #crumbs({ west, east, north, south }: Region, zoom: number, group: number): PointFeature<Crumb>[] {
    const { lat, lon } = this.#model;
    const inside: number[] = [];
    for (let marker = 0; marker < lat.length; marker += 1) {
      if (this.#model.group[marker] !== group) continue;
      const x = worldX(lon[marker] ?? 0);
      if (x < west || x > east) continue;
      const y = worldY(lat[marker] ?? 0);
      if (y >= north && y <= south) inside.push(marker);
    }
    if (inside.length <= fewEnough)
      return inside.map((marker) => feature(lat[marker] ?? 0, lon[marker] ?? 0, crumbOf(this.#model, marker)));
    const cells = new Map<number, Crumb>();
    const scale = (tile * 2 ** zoom) / cell;
    for (const marker of inside) {
      const key = Math.floor(worldY(lat[marker] ?? 0) * scale) * 2 ** 26 + Math.floor(worldX(lon[marker] ?? 0) * scale);
      const known = cells.get(key);
      const own = crumbOf(this.#model, marker);
      if (known) merge(known, own);
      else cells.set(key, own);
    }
    return [...cells.values()].map((crumb) => feature((crumb.south + crumb.north) / 2, (crumb.west + crumb.east) / 2, crumb));
  }
}

interface Region {
  key: string;
  /** Tile coordinates: 0 is the date line and the north. */
  west: number;
  east: number;
  north: number;
  south: number;
}

/** The visible area, extended to whole tiles: a small move finds the same bubbles. */
function regionOf({ south, west, north, east }: Extent, zoom: number): Region {
  const tiles = 2 ** zoom;
  const from = [Math.floor(worldX(west) * tiles) - 1, Math.floor(worldY(north) * tiles) - 1];
  const to = [Math.ceil(worldX(east) * tiles) + 1, Math.ceil(worldY(south) * tiles) + 1];
  const [left = 0, top = 0, right = 0, bottom = 0] = [...from, ...to];
  return {
    key: `${zoom} ${left} ${top} ${right} ${bottom}`,
    west: left / tiles,
    east: right / tiles,
    north: top / tiles,
    south: bottom / tiles,
  };
}

function crumbOf({ lat, lon }: MapModel, marker: number): Crumb {
  const y = lat[marker] ?? 0;
  const x = lon[marker] ?? 0;
  return { count: 1, marker, south: y, west: x, north: y, east: x };
}

const copied = (crumb: Crumb): Crumb => ({ ...crumb });

function merge(into: Crumb, { count, south, west, north, east }: Readonly<Crumb>): void {
  into.count += count;
  into.south = Math.min(into.south, south);
  into.west = Math.min(into.west, west);
  into.north = Math.max(into.north, north);
  into.east = Math.max(into.east, east);
}

const feature = (lat: number, lng: number, properties: Crumb): PointFeature<Crumb> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [lng, lat] },
});

function itemOf({ geometry, properties }: ClusterFeature<Crumb> | PointFeature<Crumb>, group: number): Item {
  const [lng = 0, lat = 0] = geometry.coordinates;
  const { count, marker, south, west, north, east } = properties;
  const extent = { south, west, north, east };
  if (count === 1) return { key: `m${marker}`, lat, lng, group, marker, count, extent };
  return { key: `c${group} ${count} ${lat.toFixed(7)} ${lng.toFixed(7)}`, lat, lng, group, marker: -1, count, extent };
}

/** Indexes of the markers in an area; at most so many. */
function markersIn({ lat, lon, group }: MapModel, { south, west, north, east }: Extent, groups: readonly number[], most: number): number[] {
  const shown = new Set(groups);
  const found: number[] = [];
  for (let marker = 0; marker < lat.length && found.length < most; marker += 1) {
    const y = lat[marker] ?? 0;
    const x = lon[marker] ?? 0;
    if (y >= south && y <= north && x >= west && x <= east && shown.has(group[marker] ?? 0)) found.push(marker);
  }
  return found;
}

/** All markers as single items; null where there are too many. */
export function singleItems(model: MapModel, extent: Extent, groups: readonly number[], most: number): Item[] | null {
  const found = markersIn(model, extent, groups, most + 1);
  if (found.length > most) return null;
  return found.map((marker) => {
    const { south: lat, west: lng, ...crumb } = crumbOf(model, marker);
    return { key: `m${marker}`, lat, lng, group: model.group[marker] ?? 0, marker, count: 1, extent: { ...crumb, south: lat, west: lng } };
  });
}

/** The marker nearest to a place, within this distance in parts of the world; null for none. */
export function nearestMarker(
  { lat, lon, group }: MapModel,
  at: { lat: number; lng: number },
  reach: number,
  groups: readonly number[],
): number | null {
  const shown = new Set(groups);
  const x = worldX(at.lng);
  const y = worldY(at.lat);
  let best: number | null = null;
  let least = reach * reach;
  for (let marker = 0; marker < lat.length; marker += 1) {
    if (!shown.has(group[marker] ?? 0)) continue;
    const across = worldX(lon[marker] ?? 0) - x;
    if (Math.abs(across) > reach) continue;
    const distance = across ** 2 + (worldY(lat[marker] ?? 0) - y) ** 2;
    if (distance > least || (best !== null && distance === least)) continue;
    least = distance;
    best = marker;
  }
  return best;
}
