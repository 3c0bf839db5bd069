import type { BBox } from 'geojson';
import Supercluster, { type ClusterFeature, type PointFeature } from 'supercluster';
import { type Extent, worldX, worldY } from '../geo/position.ts';
import type { MapModel } from './mapModel.ts';

/** Something to draw: one marker, or a bubble that stands for many. */
export interface Item {
  /** The same as long as it is the same thing. */
  key: string;
  lat: number;
  lng: number;
  group: number;
  /** Index in the model; −1 of a bubble. */
  marker: number;
  count: number;
  cluster: number | null;
}

interface Leaf {
  marker: number;
}

const radius = 60;
const deepest = 18;

/** The markers of some groups, bundled where they would cover each other. One index for each group (visualizations 11). */
export class Clusters {
  readonly #indexes = new Map<number, Supercluster<Leaf, Leaf>>();
  readonly #model: MapModel;

  constructor(model: MapModel) {
    this.#model = model;
  }

  items(extent: Extent, zoom: number, groups: readonly number[]): Item[] {
    const box: BBox = [extent.west, extent.south, extent.east, extent.north];
    return groups.flatMap((group) =>
      this.#index(group)
        .getClusters(box, Math.min(zoom, deepest))
        .map((feature) => itemOf(feature, group)),
    );
  }

  /** Null where no zoom takes the bubble apart: its markers stand in one place. */
  expansionZoom({ group, cluster }: Item): number | null {
    if (cluster === null) return null;
    const zoom = this.#index(group).getClusterExpansionZoom(cluster);
    return zoom > deepest ? null : zoom;
  }

  markersOf({ group, cluster, marker }: Item, most: number): number[] {
    if (cluster === null) return [marker];
    return this.#index(group)
      .getLeaves(cluster, most)
      .map(({ properties }) => properties.marker);
  }

  #index(group: number): Supercluster<Leaf, Leaf> {
    const found = this.#indexes.get(group);
    if (found) return found;
    const { lat, lon, group: groups } = this.#model;
    const leaves: PointFeature<Leaf>[] = [];
    for (let marker = 0; marker < lat.length; marker += 1) {
      if (groups[marker] !== group) continue;
      leaves.push({
        type: 'Feature',
        properties: { marker },
        geometry: { type: 'Point', coordinates: [lon[marker] ?? 0, lat[marker] ?? 0] },
      });
    }
    const made = new Supercluster<Leaf, Leaf>({ radius, maxZoom: deepest, extent: 256 }).load(leaves);
    this.#indexes.set(group, made);
    return made;
  }
}

type Found = ClusterFeature<Leaf> | PointFeature<Leaf>;
const isCluster = (feature: Found): feature is ClusterFeature<Leaf> => 'cluster' in feature.properties;

function itemOf(feature: Found, group: number): Item {
  const [lng = 0, lat = 0] = feature.geometry.coordinates;
  if (!isCluster(feature)) {
    const { marker } = feature.properties;
    return { key: `m${marker}`, lat, lng, group, marker, count: 1, cluster: null };
  }
  const { cluster_id: cluster, point_count: count } = feature.properties;
  return { key: `c${group}-${cluster}-${count}`, lat, lng, group, marker: -1, count, cluster };
}

/** Every marker by itself. */
export function singleItems({ lat, lon, group }: MapModel, extent: Extent, groups: readonly number[], most: number): Item[] | null {
  const shown = new Set(groups);
  const items: Item[] = [];
  for (let marker = 0; marker < lat.length; marker += 1) {
    const y = lat[marker] ?? 0;
    const x = lon[marker] ?? 0;
    const own = group[marker] ?? 0;
    if (!shown.has(own) || y < extent.south || y > extent.north || x < extent.west || x > extent.east) continue;
    if (items.length === most) return null;
    items.push({ key: `m${marker}`, lat: y, lng: x, group: own, marker, count: 1, cluster: null });
  }
  return items;
}

/** The marker nearest to a place, not farther than this in parts of the world; null for none. */
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
    if (distance > least) continue;
    least = distance;
    best = marker;
  }
  return best;
}
