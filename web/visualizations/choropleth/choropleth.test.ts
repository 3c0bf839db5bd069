import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { choroplethModel } from './choroplethModel.ts';
import { choroplethNotes } from './choroplethNotes.ts';
import { choroplethOptions } from './choroplethOptions.ts';
import { classOf, colorClasses } from './colorClasses.ts';
import { choropleth } from './index.ts';
import { mapTypes } from './mapTypes.ts';
import { loadShapes, type MapType, shapesExtent } from './shapes.ts';
import { shapeWords } from './shapeWords.ts';
import { themeColors } from './themeColors.ts';

const countries = await loadShapes('countries');
const japan = await loadShapes('subdiv_japan');
const usa = await loadShapes('usa');
const shapesOf = { countries, subdiv_japan: japan, usa };

const columns: ResultColumn[] = [
  { name: 'key', type: 'string' },
  { name: 'value', type: 'float' },
];
const tableOf = (rows: ResultRow[], of = columns) => resultTable({ columns: of, rows });
const modelOf = (rows: ResultRow[], stored: unknown = {}, of = columns) => {
  const options = choroplethOptions.parse(stored);
  return choroplethModel(tableOf(rows, of), shapesOf[options.mapType], options);
};
const valuesOf = (rows: ResultRow[], stored: unknown = {}, of = columns) =>
  Object.fromEntries(
    modelOf(rows, stored, of).shapes.flatMap(({ shape, value }) => (value === null ? [] : [[shape.properties.name, value]])),
  );
const saved = (stored: unknown) => choropleth.optionsToSave(choropleth.effectiveOptions(stored, { columns, settings: commonSettings }));

const defaults = {
  mapType: 'countries',
  keyColumn: null,
  targetField: null,
  valueColumn: null,
  clusteringMode: 'e',
  steps: 5,
  valueFormat: '0,0.00',
  noValuePlaceholder: 'N/A',
  colors: { min: '#799CFF', max: '#002FB4', background: '#ffffff', borders: '#ffffff', noValue: '#dddddd' },
  legend: { visible: true, position: 'bottom-left', alignText: 'right' },
  tooltip: { enabled: true, template: '<b>{{ @@name }}</b>: {{ @@value }}' },
  popup: { enabled: true, template: 'Country: <b>{{ @@name_long }} ({{ @@iso_a2 }})</b>\n<br>\nValue: <b>{{ @@value }}</b>' },
};

describe('10: options', () => {
  test('the defaults of the contract', () => expect(choroplethOptions.parse({})).toEqual(defaults));

  test('a version-10 object survives a save unchanged, its bounds in their own shape (20, check 10)', () => {
    const stored = {
      ...defaults,
      mapType: 'subdiv_japan',
      keyColumn: 'key',
      targetField: 'iso_3166_2',
      valueColumn: 'value',
      clusteringMode: 'k',
      steps: 7,
      legend: { visible: false, position: 'top-right', alignText: 'left' },
      bounds: [
        [24.1, 122.9],
        [45.5, 153.9],
      ],
      channelid: 'c',
    };
    expect(saved(stored)).toEqual(stored);
  });

  test('older names of the columns are moved, not kept', () => {
    const stored = { countryCodeColumn: 'key', countryCodeType: 'iso_a3', valueColumn: 'value', more: { deep: 1 } };
    expect(saved(stored)).toEqual({ ...defaults, keyColumn: 'key', targetField: 'iso_a3', valueColumn: 'value', more: { deep: 1 } });
  });

  test.each([
    [{ mapType: 'atlantis' }, 'mapType'],
    [{ clusteringMode: 'z' }, 'clusteringMode'],
    [{ steps: 'many' }, 'steps'],
    [{ colors: null }, 'colors'],
    [{ colors: { min: 7 } }, 'colors'],
    [{ legend: { position: 'middle' } }, 'legend'],
    [{ tooltip: 'x' }, 'tooltip'],
  ] as const)('%j is the default', (stored, key) => expect(choroplethOptions.parse(stored)[key]).toEqual(defaults[key]));

  test.each([
    [null],
    ['x'],
    [[[1, 2]]],
    [{ _southWest: {} }],
    [
      [
        [Number.NaN, 0],
        [1, 1],
      ],
    ],
  ])('bounds of %j are none', (bounds) => expect(choroplethOptions.parse({ bounds })).not.toHaveProperty('bounds'));
});

describe('D5 and 10: shapes', () => {
  test('every country and every prefecture, with what they can be named by', () => {
    expect(countries.features.length).toBeGreaterThanOrEqual(176);
    expect(japan.features).toHaveLength(48);
    expect(usa.features).toHaveLength(51);
    expect(japan.features.filter(({ properties }) => properties.name === null)).toHaveLength(1);
    for (const type of Object.keys(mapTypes) as MapType[]) {
      for (const { properties } of shapesOf[type].features) {
        for (const field of Object.keys(mapTypes[type].fields)) expect(properties).toHaveProperty(field);
      }
    }
  });

  test('codes are whole and unique', () => {
    const of = (field: string, shapes = countries) =>
      shapes.features.flatMap(({ properties }) => (typeof properties[field] === 'string' ? [properties[field]] : []));
    expect(new Set(of('iso_a2')).size).toBe(of('iso_a2').length);
    expect(of('iso_a2').every((code) => /^[A-Z]{2}$/.test(String(code)))).toBe(true);
    expect(of('iso_a3').every((code) => /^[A-Z]{3}$/.test(String(code)))).toBe(true);
    expect(of('iso_n3').every((code) => /^\d{3}$/.test(String(code)))).toBe(true);
    expect(of('iso_3166_2', japan).sort()).toEqual(Array.from({ length: 47 }, (_, at) => `JP-${String(at + 1).padStart(2, '0')}`));
    expect(of('name_local', japan)).toHaveLength(47);
  });

  test('outlines are closed, inside the world, and small to fetch', () => {
    for (const { features } of [countries, japan, usa]) {
      for (const { geometry } of features) {
        const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
        expect(polygons.length).toBeGreaterThan(0);
        for (const ring of polygons.flat()) {
          expect(ring.length).toBeGreaterThanOrEqual(4);
          expect(ring.at(-1)).toEqual(ring[0]);
        }
      }
    }
    const { south, west, north, east } = shapesExtent(countries);
    expect([south > -60, west >= -180, north < 84, east < 200]).toEqual([true, true, true, true]);
    for (const [file, most] of [
      ['countries', 400_000],
      ['japan-prefectures', 150_000],
      ['usa-states', 120_000],
    ] as const) {
      expect(readFileSync(join(import.meta.dirname, 'data', `${file}.json`)).length).toBeLessThan(most);
    }
  });
});

describe('10: rows join shapes', () => {
  test.each([
    ['iso_a2', 'JP'],
    ['iso_a3', 'JPN'],
    ['iso_n3', '392'],
    ['name', 'Japan'],
    ['name_long', 'Japan'],
    ['abbrev', 'Japan'],
  ])('by %s', (targetField, key) => expect(valuesOf([{ key, value: 3 }], { keyColumn: 'key', targetField })).toEqual({ Japan: 3 }));

  test('exactly: case counts', () => {
    expect(valuesOf([{ key: 'jp', value: 3 }], { keyColumn: 'key', targetField: 'iso_a2' })).toEqual({});
  });

  test('the last row wins; other values than numbers are none', () => {
    const stored = { keyColumn: 'key', targetField: 'iso_a2' };
    expect(
      valuesOf(
        [
          { key: 'JP', value: 3 },
          { key: 'JP', value: 4 },
          { key: 'FR', value: 'x' },
          { key: 'DE', value: null },
        ],
        stored,
      ),
    ).toEqual({ Japan: 4 });
    expect(valuesOf([{ key: 'JP', value: '5.5' }], stored)).toEqual({ Japan: 5.5 });
  });

  test('a country that is called otherwise today is still found', () => {
    const stored = { keyColumn: 'key', targetField: 'name' };
    expect(
      valuesOf(
        [
          { key: 'Swaziland', value: 1 },
          { key: 'Macedonia', value: 2 },
          { key: 'Korea', value: 3 },
          { key: 'United States of America', value: 4 },
        ],
        stored,
      ),
    ).toEqual({
      Eswatini: 1,
      'North Macedonia': 2,
      'South Korea': 3,
      'United States': 4,
    });
  });

  test('a code of three digits that came as a number', () => {
    const of: ResultColumn[] = [
      { name: 'key', type: 'integer' },
      { name: 'value', type: 'integer' },
    ];
    expect(valuesOf([{ key: 4, value: 7 }], { keyColumn: 'key', targetField: 'iso_n3', valueColumn: 'value' }, of)).toEqual({
      Afghanistan: 7,
    });
  });

  test('one region colours all its prefectures', () => {
    const values = valuesOf([{ key: 'Shikoku', value: 2 }], { mapType: 'subdiv_japan', keyColumn: 'key', targetField: 'region' });
    expect(Object.keys(values).sort()).toEqual(['Ehime', 'Kagawa', 'Kochi', 'Tokushima']);
  });

  test.each<[string, ResultRow[], object]>([
    [
      'countries by name',
      [
        { key: 'Japan', value: 1 },
        { key: 'France', value: 2 },
      ],
      { keyColumn: 'key', targetField: 'name', valueColumn: 'value' },
    ],
    [
      'countries by code',
      [
        { key: 'JPN', value: 1 },
        { key: 'FRA', value: 2 },
      ],
      { keyColumn: 'key', targetField: 'iso_a3', valueColumn: 'value' },
    ],
  ])('complaint 35: a new one finds %s', (_, rows, mapping) => expect(modelOf(rows).mapping).toEqual(mapping));

  test('complaint 35: prefectures by their own names', () => {
    expect(modelOf([{ key: '東京都', value: 1 }], { mapType: 'subdiv_japan' }).mapping.targetField).toBe('name_local');
  });

  test('[newer] states of the USA, by name or by code', () => {
    expect(valuesOf([{ key: 'TX', value: 2 }], { mapType: 'usa' })).toEqual({ Texas: 2 });
    expect(valuesOf([{ key: '06', value: 2 }], { mapType: 'usa', keyColumn: 'key', targetField: 'geoid' })).toEqual({ California: 2 });
    expect(new Set(usa.features.map(({ properties }) => properties.ns_code)).size).toBe(51);
  });

  test('words about what does not join', () => {
    const rows = [
      { key: 'JP', value: 1 },
      { key: 'XX', value: 2 },
      { key: 'YY', value: 2 },
    ];
    const options = { keyColumn: 'key', targetField: 'iso_a2' };
    expect(choroplethNotes(modelOf(rows, options), tableOf(rows), 'Countries')).toEqual(['2 rows name no shape of Countries: XX, YY']);
    expect(choroplethNotes(modelOf(rows, { keyColumn: 'gone' }), tableOf(rows), 'Countries')).toEqual(['The result has no column “gone”.']);
    const alien = [{ key: 'x', value: 1 }];
    expect(choroplethNotes(modelOf(alien), tableOf(alien), 'Countries')).toEqual(['No column names shapes of Countries.']);
    expect(choropleth.summary(tableOf(rows), options, commonSettings)).toBe(
      'Map of Countries by value, 3 values: most in XX (2), least in JP (1).',
    );
  });
});

describe('10: classes of colour', () => {
  const [min, max] = ['#000000', '#ffffff'];
  const limits = (values: number[], mode: 'q' | 'e' | 'k', steps: number) =>
    colorClasses(values, mode, steps, min, max).map(({ limit }) => limit);

  test.each([
    ['e', [0, 1, 2, 3, 100], 5, [0, 25, 50, 75, 100]],
    ['q', [0, 1, 2, 3, 100], 5, [0, 1, 2, 3, 100]],
    ['q', [1, 2, 3, 4], 3, [1, 2.5, 4]],
    ['k', [1, 2, 3, 50, 51, 52, 900], 4, [1, 3, 52, 900]],
    ['e', [5, 5, 5], 5, [5]],
    ['e', [1, 2], 5, [1, 2]],
    ['e', [-1.7e308, 1.7e308], 3, [-1.7e308, 1.7e308]],
    ['q', [], 5, []],
  ] as const)('%s of %j in %d', (mode, values, steps, expected) => expect(limits([...values], mode, steps)).toEqual(expected));

  test('colours go from min to max, one value has the max', () => {
    expect(colorClasses([1, 2, 3], 'e', 3, min, max).map(({ color }) => color)).toEqual(['#000000', '#808080', '#ffffff']);
    expect(colorClasses([7], 'e', 5, min, max)).toEqual([{ limit: 7, color: max }]);
  });

  test('a value takes the first class whose limit is not below it', () => {
    const classes = colorClasses([0, 1, 2, 3, 100], 'e', 5, min, max);
    expect([0, 3, 25, 26, 100].map((value) => classOf(value, classes)?.limit)).toEqual([0, 25, 25, 50, 100]);
  });

  test('in the dark only what nobody chose is changed', () => {
    const own = { ...defaults.colors, min: '#FF0000', borders: '#00FF00' };
    expect(themeColors(own, 'light')).toBe(own);
    expect(themeColors(own, 'dark')).toMatchObject({ min: '#FF0000', max: '#002FB4', borders: '#00FF00', background: '#0E1620' });
    expect(themeColors(defaults.colors, 'dark').max).not.toBe(defaults.colors.max);
  });
});

describe('10: what shapes say', () => {
  const rows = [{ key: 'JP', value: 1234.5, 'my column': '<script>x</script>' }];
  const words = (stored: object) => {
    const options = choroplethOptions.parse({ keyColumn: 'key', targetField: 'iso_a2', ...stored });
    const shown = modelOf(rows, options).shapes;
    const [withValue, without] = [shown.find(({ value }) => value !== null), shown.find(({ value }) => value === null)];
    const say = shapeWords(options, commonSettings);
    return {
      tooltip: withValue && say.tooltip(withValue),
      popup: withValue && say.popup(withValue),
      none: without && say.value(without.value),
      label: withValue && say.label(withValue),
    };
  };

  test('the templates of the contract', () => {
    expect(words({})).toMatchObject({
      tooltip: '<b>Japan</b>: 1,234.50',
      popup: 'Country: <b>Japan (JP)</b>\n<br>\nValue: <b>1,234.50</b>',
      none: 'N/A',
      label: 'Japan: 1,234.50',
    });
  });

  test('every setting changes the text', () => {
    expect(words({ valueFormat: '0.0a' }).tooltip).toBe('<b>Japan</b>: 1.2k');
    expect(words({ noValuePlaceholder: '–' }).none).toBe('–');
    expect(words({ tooltip: { enabled: false } }).tooltip).toBeNull();
    expect(words({ popup: { enabled: false } }).popup).toBeNull();
    expect(words({ tooltip: { enabled: true, template: '{{ @@iso_n3 }} {{ my column }} {{ key }} {{ @@nothing }}' } }).tooltip).toBe(
      '392 <script>x</script> JP {{ @@nothing }}',
    );
  });

  test('prefectures are not asked for what only countries have', () => {
    const options = choroplethOptions.parse({ mapType: 'subdiv_japan', keyColumn: 'key', targetField: 'iso_3166_2' });
    const [tokyo] = modelOf([{ key: 'JP-13', value: 5 }], options).shapes.filter(({ value }) => value !== null);
    expect(tokyo && shapeWords(options, commonSettings).popup(tokyo)).toContain('Tokyo (東京都)');
  });
});
