import { cellReader, plainText } from '../cellValue.ts';
import { type Extent, latitude, longitude } from '../geo/position.ts';
import { category10 } from '../palettes.ts';
import type { ResultTable } from '../resultTable.ts';
import type { MapOptions } from './mapOptions.ts';

export interface MapGroup {
  name: string;
  color: string;
  count: number;
}

/** Markers as parallel arrays: there may be hundreds of thousands. */
export interface MapModel {
  lat: Float64Array;
  lon: Float64Array;
  /** Index of the row in the table. */
  row: Int32Array;
  /** Index in `groups`. */
  group: Uint16Array;
  groups: readonly MapGroup[];
  /** The extent of all markers; null without any. */
  extent: Extent | null;
  /** The number of rows without a valid position. */
  unplaced: number;
  /** Columns of the options that the result lacks. */
  missing: readonly string[];
}

/** The limit of layers; more are of no use as switches. */
const mostGroups = 200;
const otherGroup = 'Other';

type Mapped = Pick<MapOptions, 'latColName' | 'lonColName' | 'classify' | 'groups'>;
const known = new WeakMap<ResultTable, { key: string; model: MapModel }>();

/** visualizations 11. Cached, because the picture and its summary use the same model. */
export function mapModel(table: ResultTable, options: Mapped): MapModel {
  const key = JSON.stringify([options.latColName, options.lonColName, options.classify, options.groups]);
  const last = known.get(table);
  if (last?.key === key) return last.model;
  const model = makeModel(table, options);
  known.set(table, { key, model });
  return model;
}

function makeModel({ columns, rows }: ResultTable, { latColName, lonColName, classify, groups: colors }: Mapped): MapModel {
  const readLat = cellReader(latColName);
  const readLon = cellReader(lonColName);
  const readGroup = classify === null ? undefined : cellReader(classify);
  const lat = new Float64Array(rows.length);
  const lon = new Float64Array(rows.length);
  const row = new Int32Array(rows.length);
  const group = new Uint16Array(rows.length);
  const places = new Map<string, number>();
  const counts: number[] = [];
  let count = 0;
  let south = 90;
  let north = -90;
  let west = 180;
  let east = -180;
  rows.forEach((values, at) => {
    const y = latitude(readLat(values));
    const x = longitude(readLon(values));
    if (y === undefined || x === undefined) return;
    const place = placeOf(readGroup ? groupName(readGroup(values)) : 'All', places);
    counts[place] = (counts[place] ?? 0) + 1;
    lat[count] = y;
    lon[count] = x;
    row[count] = at;
    group[count] = place;
    count += 1;
    if (y < south) south = y;
    if (y > north) north = y;
    if (x < west) west = x;
    if (x > east) east = x;
  });
  const names = new Set(columns.map(({ name }) => name));
  return {
    lat: lat.subarray(0, count),
    lon: lon.subarray(0, count),
    row: row.subarray(0, count),
    group: group.subarray(0, count),
    groups: [...places].map(([name, place]) => ({ name, color: colorOf(name, place, colors), count: counts[place] ?? 0 })),
    extent: count > 0 ? { south, west, north, east } : null,
    unplaced: rows.length - count,
    missing: [latColName, lonColName, ...(classify === null ? [] : [classify])].filter((name) => !names.has(name)),
  };
}

const groupName = (value: unknown): string => (value === null || value === undefined ? 'null' : plainText(value).slice(0, 200));

function placeOf(name: string, places: Map<string, number>): number {
  const found = places.get(name);
  if (found !== undefined) return found;
  const own = places.size < mostGroups ? name : otherGroup;
  const place = places.get(own) ?? places.size;
  places.set(own, place);
  return place;
}

function colorOf(name: string, place: number, colors: Mapped['groups']): string {
  const chosen = Object.hasOwn(colors, name) ? colors[name]?.color : undefined;
  return chosen || (category10[place % category10.length] ?? '#1f77b4');
}
