import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { Clusters, nearestMarker, singleItems } from './clusters.ts';
import { glyphNames, glyphOf } from './glyphs.ts';
import { map } from './index.ts';
import { type MapModel, mapModel } from './mapModel.ts';
import { mapNotes, mapSummary } from './mapNotes.ts';
import { type MapOptions, mapOptions } from './mapOptions.ts';
import { circleLook, clusterLook, customLook, pinLook, safeColor } from './markerLook.ts';
import { popupWords, tooltipWords } from './markerWords.ts';

const columns: ResultColumn[] = [
  { name: 'lat', type: 'float' },
  { name: 'lon', type: 'float' },
  { name: 'kind', type: 'string' },
  { name: 'seen', type: 'datetime' },
];
const effective = (stored: unknown, of: readonly ResultColumn[] = columns) =>
  mapOptions({ columns: of, settings: commonSettings }).parse(stored);
const saved = (stored: unknown) => map.optionsToSave(map.effectiveOptions(stored, { columns, settings: commonSettings }));
const modelOf = (rows: ResultRow[], stored: unknown = {}): MapModel => mapModel(resultTable({ columns, rows }), effective(stored));
const world = { south: -90, west: -180, north: 90, east: 180 };

/** The options that an upstream version 10 stores after its first save. */
const version10 = {
  latColName: 'lat',
  lonColName: 'lon',
  classify: 'kind',
  groups: { soil: { color: '#A55F2A' }, 'a.b "c"': { color: '#000000' } },
  mapTileUrl: '//{s}.tile.openstreetmap.org/{z}/{x}/{y}.png',
  clusterMarkers: false,
  customizeMarkers: true,
  iconShape: 'rectangle',
  iconFont: 'tint',
  foregroundColor: '#FFFFFF',
  backgroundColor: '#E92828',
  borderColor: '#3BD973',
  bounds: { _southWest: { lat: 40.1, lng: -5.5 }, _northEast: { lat: 55.2, lng: 12.25 } },
  tooltip: { enabled: true, template: '{{ kind }}' },
  popup: { enabled: false, template: '' },
  channelid: 'c',
  device_ids: ['d'],
};

describe('11: options', () => {
  test('a new one has the defaults of the contract', () => {
    expect(effective({})).toEqual({
      latColName: 'lat',
      lonColName: 'lon',
      classify: null,
      groups: {},
      mapTileUrl: '//{s}.tile.openstreetmap.org/{z}/{x}/{y}.png',
      clusterMarkers: true,
      customizeMarkers: false,
      iconShape: 'marker',
      iconFont: 'circle',
      foregroundColor: '#ffffff',
      backgroundColor: '#356AFF',
      borderColor: '#356AFF',
      bounds: null,
      tooltip: { enabled: false, template: '' },
      popup: { enabled: true, template: '' },
    });
  });

  test('what version 10 stored survives a save unchanged', () => {
    expect(saved(version10)).toEqual(version10);
  });

  test('an older one gets defaults and keeps what it has, bounds in their own shape (20, check 10)', () => {
    const older = { classify: 'none', bounds: version10.bounds, mapTileUrl: '//{s}.tile.openstreetmap.se/hydda/{z}/{x}/{y}.png', zoom: 3 };
    expect(saved(older)).toEqual({ ...effective({}), ...older, classify: null });
  });

  test.each([
    [['Latitude', 'Longitude'], 'Latitude', 'Longitude'],
    [['id', 'gps_lat', 'gps_lng'], 'gps_lat', 'gps_lng'],
    [['plateau', 'position.lat', 'position.long'], 'position.lat', 'position.long'],
    [['lat_old', 'lat', 'lon'], 'lat', 'lon'],
    [['緯度', '経度'], '緯度', '経度'],
    [['a', 'b'], 'lat', 'lon'],
  ])('complaint 35: of %j a new one takes %s and %s', (names, lat, lon) => {
    const options = effective(
      {},
      names.map((name): ResultColumn => ({ name, type: 'float' })),
    );
    expect([options.latColName, options.lonColName]).toEqual([lat, lon]);
  });

  test.each<[keyof MapOptions, unknown, unknown]>([
    ['classify', 7, null],
    ['groups', [1], {}],
    ['iconShape', 'hexagon', 'marker'],
    ['bounds', { _southWest: { lat: 'x', lng: 0 }, _northEast: { lat: 1, lng: 1 } }, null],
    ['bounds', { _southWest: { lat: -1e9, lng: 0 }, _northEast: { lat: 1, lng: 1 } }, null],
    ['tooltip', null, { enabled: false, template: '' }],
    ['popup', { enabled: 'yes' }, { enabled: true, template: '' }],
    ['clusterMarkers', 1, true],
  ])('nonsense in %s (%j) is the default', (key, value, expected) => {
    expect(effective({ [key]: value })[key]).toEqual(expected);
  });
});

describe('11: markers', () => {
  test.each([
    [51.5, 7.4, [51.5, 7.4]],
    ['51.5', ' 7.4 ', [51.5, 7.4]],
    [-33.9, 200, [-33.9, -160]],
    [90, -180, [90, -180]],
    [0, 0, [0, 0]],
  ])('%j, %j stands at %j', (lat, lon, place) => {
    const { lat: y, lon: x } = modelOf([{ lat, lon }]);
    expect([y[0], x[0]]).toEqual(place);
  });

  test.each([
    [null, 7],
    [51, null],
    [undefined, 7],
    ['', 7],
    ['north', 7],
    [Number.NaN, 7],
    [Number.POSITIVE_INFINITY, 7],
    [91, 7],
    [51, 361],
    [true, 7],
    [{}, 7],
  ])('%j, %j stands nowhere', (lat, lon) => {
    const model = modelOf([{ lat, lon }]);
    expect(model.lat).toHaveLength(0);
    expect(model.unplaced).toBe(1);
    expect(model.extent).toBeNull();
  });

  test('without a group there is one, called All', () => {
    expect(modelOf([{ lat: 1, lon: 2 }]).groups).toEqual([{ name: 'All', color: '#1f77b4', count: 1 }]);
  });

  test('groups have the stored colour, or the next of ten in their order', () => {
    const rows = ['a', 'soil', null, 'a', 7].map((kind) => ({ lat: 1, lon: 2, kind }));
    expect(modelOf(rows, { classify: 'kind', groups: { soil: { color: '#A55F2A' } } }).groups).toEqual([
      { name: 'a', color: '#1f77b4', count: 2 },
      { name: 'soil', color: '#A55F2A', count: 1 },
      { name: 'null', color: '#2ca02c', count: 1 },
      { name: '7', color: '#d62728', count: 1 },
    ]);
  });

  test('a group called constructor or __proto__ is a group', () => {
    const rows = ['constructor', '__proto__', 'toString'].map((kind) => ({ lat: 1, lon: 2, kind }));
    const { groups } = modelOf(rows, { classify: 'kind' });
    expect(groups.map(({ name }) => name)).toEqual(['constructor', '__proto__', 'toString']);
    for (const { color } of groups) expect(color).toMatch(/^#/);
  });

  test('of a hundred thousand groups most are one', () => {
    const { groups, lat } = modelOf(
      Array.from({ length: 100_000 }, (_, at) => ({ lat: at % 80, lon: at % 170, kind: `k${at}` })),
      { classify: 'kind' },
    );
    expect(groups).toHaveLength(201);
    expect(groups.at(-1)).toMatchObject({ name: 'Other', count: 99_800 });
    expect(lat).toHaveLength(100_000);
  });

  test('the extent holds all of them', () => {
    expect(
      modelOf([
        { lat: 1, lon: 2 },
        { lat: -5, lon: 170 },
        { lat: null, lon: 0 },
      ]).extent,
    ).toEqual({ south: -5, west: 2, north: 1, east: 170 });
  });

  test('texts for missing data', () => {
    const table = resultTable({
      columns,
      rows: [
        { lat: 1, lon: 2 },
        { lat: null, lon: 2 },
      ],
    });
    expect(mapNotes(mapModel(table, effective({})), table)).toEqual(['1 row has no place on the map.']);
    expect(mapNotes(mapModel(table, effective({ latColName: 'x' })), table)).toEqual(['The result has no column “x”.']);
    expect(mapSummary(modelOf([{ lat: 1, lon: 2, kind: 'a' }], { classify: 'kind' }), true)).toBe('Map of 1 marker in 1 group: a (1).');
  });
});

describe('11: bundles', () => {
  const dense = modelOf(
    Array.from({ length: 500 }, (_, at) => ({ lat: 50 + (at % 20) / 1e4, lon: 7 + at / 1e6, kind: at % 2 ? 'a' : 'b' })),
    { classify: 'kind' },
  );

  test('far away there is one bubble for each group, and all markers are in it', () => {
    const items = new Clusters(dense).items(world, 2, [0, 1]);
    expect(items.map(({ count, group, marker }) => [count, group, marker])).toEqual([
      [250, 0, -1],
      [250, 1, -1],
    ]);
  });

  test('a group that is switched off is not there', () => {
    expect(new Clusters(dense).items(world, 2, [1]).map(({ group }) => group)).toEqual([1]);
    expect(singleItems(dense, world, [1], 1000)).toHaveLength(250);
    expect(nearestMarker(dense, { lat: 50, lng: 7 }, 1e-6, [1])).not.toBe(0);
    expect(nearestMarker(dense, { lat: 50, lng: 7 }, 1e-6, [0, 1])).toBe(0);
    expect(nearestMarker(dense, { lat: 0, lng: 0 }, 1e-6, [0, 1])).toBeNull();
  });

  test('a bubble knows what its markers cover, and which they are', () => {
    const clusters = new Clusters(dense);
    const [bubble] = clusters.items(world, 3, [0]);
    if (!bubble) throw new Error('no bubble');
    expect(bubble.extent.north).toBeCloseTo(50.0018, 6);
    expect(bubble.extent.south).toBe(50);
    expect(clusters.markersOf(bubble, 1000)).toHaveLength(250);
    expect(clusters.markersOf(bubble, 3)).toHaveLength(3);
  });

  test('nearer the bubble comes apart', () => {
    const near = { south: 49.99, west: 6.99, north: 50.01, east: 7.01 };
    const counts = new Clusters(dense).items(near, 18, [0]).map(({ count }) => count);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(250);
  });

  test('too many to draw one by one', () => {
    expect(singleItems(dense, world, [0, 1], 100)).toBeNull();
    expect(singleItems(dense, { ...world, north: 0 }, [0, 1], 100)).toEqual([]);
  });

  test('a hundred thousand markers are bundled in no time', () => {
    const many = modelOf(
      Array.from({ length: 100_000 }, (_, at) => ({ lat: ((at * 37) % 1700) / 10 - 85, lon: ((at * 73) % 3600) / 10 - 180 })),
    );
    const items = new Clusters(many).items(world, 3, [0]);
    expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(100_000);
    expect(items.length).toBeLessThan(2000);
  });
});

describe('11: what markers say', () => {
  const attack = '<img src=x onerror=alert(1)>';
  const row = { lat: 51.5, lon: 7.4, kind: attack, seen: '2024-02-09T07:05:00Z' };
  const table = resultTable({ columns, rows: [row] });

  test('the place, then every other column, as text (complaint 44)', () => {
    expect(popupWords(row, table, effective({}), commonSettings)).toEqual({
      title: '51.5, 7.4',
      lines: [
        { name: 'kind', value: attack },
        { name: 'seen', value: '09/02/2024 07:05' },
      ],
      more: 0,
    });
    expect(tooltipWords(row, effective({}))).toEqual({ title: '51.5, 7.4', lines: [], more: 0 });
  });

  test('a template of any columns, to be sanitised', () => {
    expect(
      popupWords(row, table, effective({ popup: { enabled: true, template: '<b>{{ kind }}</b> {{ nothing }}' } }), commonSettings),
    ).toEqual({
      html: `<b>${attack}</b> {{ nothing }}`,
    });
    expect(tooltipWords(row, effective({ tooltip: { enabled: true, template: '{{ lat }}°' } }))).toEqual({ html: '51.5°' });
  });

  test('500 columns and a long cell stay readable', () => {
    const many = Array.from({ length: 500 }, (_, at): ResultColumn => ({ name: `c${at}`, type: 'string' }));
    const words = popupWords({ c0: 'x'.repeat(100_000) }, resultTable({ columns: many, rows: [] }), effective({}, many), commonSettings);
    if ('html' in words) throw new Error('not HTML');
    expect(words.lines).toHaveLength(50);
    expect(words.more).toBe(450);
    expect(words.lines[0]?.value.length).toBeLessThan(400);
  });
});

describe('11: looks', () => {
  const base = effective({ customizeMarkers: true });

  test('every shape, icon and colour makes another picture', () => {
    const pictures = [
      pinLook().svg,
      circleLook('#ff0000').svg,
      ...(['marker', 'doughnut', 'circle-dot', 'circle', 'rectangle-dot', 'rectangle'] as const).map(
        (iconShape) => customLook({ ...base, iconShape }).svg,
      ),
      customLook({ ...base, iconFont: 'bolt' }).svg,
      customLook({ ...base, foregroundColor: '#000000' }).svg,
      customLook({ ...base, backgroundColor: '#E92828' }).svg,
      customLook({ ...base, borderColor: '#E92828' }).svg,
      clusterLook(5, '#356AFF').svg,
      clusterLook(6, '#356AFF').svg,
      clusterLook(6, '#E92828').svg,
    ];
    expect(new Set(pictures).size).toBe(pictures.length);
  });

  test('Font Awesome names find their picture, unknown ones a dot', () => {
    expect(glyphOf('fa-bolt')).toBe(glyphOf('flash'));
    expect(glyphOf('fa fa-star')).toBe(glyphOf('star'));
    expect(glyphOf('constructor')).toBe(glyphOf('circle'));
    expect(new Set(glyphNames.map(glyphOf)).size).toBe(glyphNames.length);
  });

  test.each(['"><script>alert(1)</script>', 'red" onload="alert(1)', 'url(javascript:alert(1))', ''])(
    'a colour such as %j does not get into the picture',
    (color) => {
      expect(safeColor(color, '#123456')).toBe('#123456');
      expect(customLook({ ...base, borderColor: color, backgroundColor: color, foregroundColor: color }).svg).not.toContain('alert');
      expect(clusterLook(3, color).svg).not.toContain('alert');
    },
  );

  test.each([
    [999, '>999<'],
    [1000, '>1k<'],
    [99_999, '>99k<'],
    [2_500_000, '>2M<'],
  ])('a bubble of %d says %s', (count, text) => expect(clusterLook(count, '#356AFF').svg).toContain(text));
});
