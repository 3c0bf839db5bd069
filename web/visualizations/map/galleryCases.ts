import type { ResultRow } from '@telltale/domain/results/contract.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';
import type { ResultSource } from '../resultTable.ts';

/** Fixed pseudo-random numbers from 0 to 1. */
const wave = (at: number) => {
  const value = Math.sin(at * 12.9898) * 43758.5453;
  return value - Math.floor(value);
};
const rooms = ['gateway', 'temperature', 'water level', 'soil'];
const cities = [
  [51.5074, -0.1278],
  [48.8566, 2.3522],
  [52.52, 13.405],
  [41.9028, 12.4964],
  [40.4168, -3.7038],
  [59.9139, 10.7522],
] as const;

const device = (at: number): ResultRow => {
  const [lat, lon] = cities[at % cities.length] ?? [0, 0];
  return {
    lat: lat + (wave(at) - 0.5) * 3,
    lon: lon + (wave(at + 7) - 0.5) * 4,
    device: `sensor-${at}`,
    kind: rooms[at % rooms.length],
    temperature: Math.round(wave(at + 3) * 300) / 10,
    seen: '2024-02-09T07:05:00Z',
  };
};
const columns: ResultSource['columns'] = [
  { name: 'lat', type: 'float' },
  { name: 'lon', type: 'float' },
  { name: 'device', type: 'string' },
  { name: 'kind', type: 'string' },
  { name: 'temperature', type: 'float' },
  { name: 'seen', type: 'datetime' },
];
const devices = (count: number) => () => ({ columns, rows: Array.from({ length: count }, (_, at) => device(at)) });
const shared = { type: 'MAP', height: 360 } as const;

export const galleryCases: GalleryCase[] = [
  {
    ...shared,
    name: 'pins',
    note: 'Without a network: outlines of the countries, a scale.',
    options: { clusterMarkers: false },
    make: devices(6),
  },
  { ...shared, name: 'clusters', note: 'Bubbles with the number of their markers.', options: {}, make: devices(400) },
  {
    ...shared,
    name: 'groups',
    note: 'One layer for each kind, one colour chosen by hand.',
    options: { classify: 'kind', clusterMarkers: false, groups: { soil: { color: '#A55F2A' } } },
    make: devices(80),
  },
  {
    ...shared,
    name: 'style',
    note: 'Markers of another shape, a stored view, rows without a place.',
    options: {
      clusterMarkers: false,
      customizeMarkers: true,
      iconShape: 'circle',
      iconFont: 'thermometer',
      backgroundColor: '#2F9E44',
      borderColor: '#12212F',
      bounds: { _southWest: { lat: 44, lng: -6 }, _northEast: { lat: 54, lng: 16 } },
    },
    make: () => ({ columns, rows: [...devices(30)().rows, { lat: null, lon: 3 }, { lat: 95, lon: 3 }, { lat: 'x', lon: Number.NaN }] }),
  },
  { ...shared, name: 'missing', note: 'A column that the result has not.', options: { latColName: 'breite' }, make: devices(3) },
  {
    ...shared,
    name: 'dots',
    note: 'Many markers on one canvas.',
    options: { clusterMarkers: false, classify: 'kind' },
    make: devices(3000),
  },
  {
    ...shared,
    name: 'many',
    note: 'A hundred thousand markers, bundled.',
    options: {},
    make: devices(100_000),
    isHeavy: true,
  },
  {
    ...shared,
    name: 'many-dots',
    note: 'A hundred thousand markers, each by itself.',
    options: { clusterMarkers: false },
    make: devices(100_000),
    isHeavy: true,
  },
];
