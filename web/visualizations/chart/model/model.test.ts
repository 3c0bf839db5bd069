import type { ColumnType, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../../displaySettings.ts';
import { finish } from '../../table/view/sliced.ts';
import { valueColorOf } from '../chartOptions.ts';
import { modelOf, optionsOf, tableOf } from '../testing/drawing.ts';
import { chartBase, mostSeries } from './base.ts';
import { boxesOf, quantile } from './box.ts';
import { heatmapModel } from './heatmap.ts';
import { pieGrid, pieModel, sliceNames } from './pie.ts';
import { alignedAtZero } from './ranges.ts';
import { textsOf } from './texts.ts';
import { cleanNumber, scaleTypeOf } from './values.ts';

const drawn = (types: Record<string, ColumnType>, rows: ResultRow[], stored: Record<string, unknown>, hidden: string[] = []) =>
  modelOf(tableOf(types, rows), stored, hidden);
/** Names with their points. */
const pointsOf = ({ series }: ReturnType<typeof drawn>) =>
  Object.fromEntries(series.map(({ name, x, y }) => [name, Array.from(x, (at, place) => [at, y[place]])]));
const topsOf = ({ series }: ReturnType<typeof drawn>) => Object.fromEntries(series.map(({ name, top }) => [name, [...top]]));
const gap = Number.NaN;

describe('visualizations 5.3: values', () => {
  test.each([
    [1, 1],
    ['2', 2],
    [' "1,234.5" ', 1234.5],
    ['12 %', 12],
    ['$-3', -3],
    ['#7', 7],
    ['1e3', 1000],
    [10n, 10],
    ['', gap],
    ['text', gap],
    ['1.2.3', gap],
    ['Infinity', gap],
    [Number.POSITIVE_INFINITY, gap],
    [null, gap],
    [undefined, gap],
    [true, gap],
    [{}, gap],
    [[5], gap],
    ['9'.repeat(500), gap],
  ])('%s is %d', (value, number) => {
    expect(cleanNumber(value)).toBe(number);
  });

  test.each<[Parameters<typeof scaleTypeOf>, string]>([
    [['-', 'datetime', []], 'time'],
    [['-', 'float', []], 'value'],
    [['-', 'boolean', []], 'category'],
    [['-', 'string', ['a', 'b']], 'category'],
    [['-', 'string', ['1', '2', '3']], 'value'],
    [['-', null, ['2024-01-01', '2024-01-02T00:00:00Z', null]], 'time'],
    [['-', null, [1, 'a', 2]], 'category'],
    [['-', null, []], 'category'],
    [['category', 'datetime', []], 'category'],
    [['logarithmic', 'float', []], 'log'],
  ])('visualizations 5.7: an axis of %j is %s', (given, type) => {
    expect(scaleTypeOf(...given)).toBe(type);
  });
});

describe('visualizations 5.2: series', () => {
  const types: Record<string, ColumnType> = { x: 'integer', a: 'float', b: 'float', g: 'string', e: 'float' };

  test('one per y column, named up to the suffix', () => {
    const model = drawn({ x: 'integer', 'a::y': 'float', b: 'float' }, [{ x: 1, 'a::y': 2, b: 3 }], {
      columnMapping: { x: 'x', 'a::y': 'y', b: 'y' },
    });
    expect(pointsOf(model)).toEqual({ a: [[1, 2]], b: [[1, 3]] });
  });

  test('one per group; null is called so', () => {
    const model = drawn(
      types,
      [
        { x: 1, a: 1, g: 'p' },
        { x: 1, a: 2, g: null },
      ],
      { columnMapping: { x: 'x', a: 'y', g: 'series' } },
    );
    expect(pointsOf(model)).toEqual({ p: [[1, 1]], null: [[1, 2]] });
  });

  test('complaint 37: groups and several columns make a series each', () => {
    const model = drawn(types, [{ x: 1, a: 1, b: 2, g: 'p' }], { columnMapping: { x: 'x', a: 'y', b: 'y', g: 'series' } });
    expect(Object.keys(pointsOf(model))).toEqual(['p / a', 'p / b']);
  });

  test('a row without the key has no point, a null has one', () => {
    const rows = [{ x: 1, a: 1 }, { x: 2 }, { x: 3, a: null }];
    expect(pointsOf(drawn(types, rows, { columnMapping: { x: 'x', a: 'y' } }))).toEqual({
      a: [
        [1, 1],
        [3, 0],
      ],
    });
    expect(pointsOf(drawn(types, rows, { columnMapping: { x: 'x', a: 'y' }, missingValuesAsZero: false }))).toEqual({
      a: [
        [1, 1],
        [3, gap],
      ],
    });
  });

  test('equal x are added, gaps and errors too', () => {
    const rows = [
      { x: 2, a: 1, e: 1 },
      { x: 1, a: 5, e: 1 },
      { x: 2, a: 3, e: 2 },
      { x: 2, a: null, e: 0 },
    ];
    const model = drawn(types, rows, { columnMapping: { x: 'x', a: 'y', e: 'yError' } });
    expect(pointsOf(model)).toEqual({
      a: [
        [1, 5],
        [2, 4],
      ],
    });
    expect([...(model.series[0]?.error ?? [])]).toEqual([1, 3]);
    const unsorted = drawn(types, rows, { columnMapping: { x: 'x', a: 'y' }, sortX: false });
    expect(pointsOf(unsorted)).toEqual({
      a: [
        [2, 4],
        [1, 5],
      ],
    });
  });

  test('markers of equal x stay apart', () => {
    const rows = [
      { x: 1, a: 1 },
      { x: 1, a: 2 },
    ];
    expect(pointsOf(drawn(types, rows, { globalSeriesType: 'scatter', columnMapping: { x: 'x', a: 'y' } }))).toEqual({
      a: [
        [1, 1],
        [1, 2],
      ],
    });
  });

  test('in the order of zIndex, otherwise as seen; names are labels', () => {
    const model = drawn(types, [{ x: 1, a: 1, b: 2 }], {
      columnMapping: { x: 'x', a: 'y', b: 'y' },
      seriesOptions: { a: { zIndex: 2, name: 'First' }, b: { zIndex: 1 } },
    });
    expect(model.series.map(({ key, name }) => [key, name])).toEqual([
      ['b', 'b'],
      ['a', 'First'],
    ]);
  });

  test('complaint 39: a renamed series keeps its type', () => {
    const model = drawn(types, [{ x: 1, a: 1 }], {
      columnMapping: { x: 'x', a: 'y' },
      seriesOptions: { a: { name: 'b', type: 'line' }, b: { type: 'area' } },
    });
    expect(model.series[0]).toMatchObject({ name: 'b', type: 'line' });
  });

  test('moments are parsed as UTC; what has no place is left out', () => {
    const rows = [
      { t: '2024-01-01T00:00:00Z', a: 1 },
      { t: 'yesterday', a: 2 },
      { t: null, a: 3 },
      { t: '2024-01-01T02:00:00+02:00', a: 4 },
    ];
    expect(pointsOf(drawn({ t: 'datetime', a: 'float' }, rows, { columnMapping: { t: 'x', a: 'y' } }))).toEqual({
      a: [[Date.UTC(2024, 0, 1), 5]],
    });
  });

  test('categories are sorted: nothing, numbers, text; or as they come', () => {
    const rows = ['b', 10, null, 'a', 9].map((x) => ({ x, a: 1 }));
    const stored = { columnMapping: { x: 'x', a: 'y' }, xAxis: { type: 'category' } };
    expect(drawn({ x: null, a: 'float' }, rows, stored).x.categories).toEqual([null, 9, 10, 'a', 'b']);
    expect(drawn({ x: null, a: 'float' }, rows, { ...stored, sortX: false }).x.categories).toEqual(['b', 10, null, 'a', 9]);
  });

  test('more series than anybody tells apart are named in a note', () => {
    const rows = Array.from({ length: mostSeries + 20 }, (_, at) => ({ x: 1, a: at, g: `g${at}` }));
    const model = drawn(types, rows, { columnMapping: { x: 'x', a: 'y', g: 'series' } });
    expect(model.series).toHaveLength(mostSeries);
    expect(model.notes).toEqual([`Only the first ${mostSeries} of ${mostSeries + 20} series are drawn.`]);
  });

  test('a column that is gone is named, and nothing is drawn at 0 instead', () => {
    const model = drawn(types, [{ x: 1, a: 1 }], { columnMapping: { gone: 'x', a: 'y' } });
    expect(model.notes).toEqual(['Not in the result: gone.']);
    expect(pointsOf(model)).toEqual({ a: [] });
  });

  test('markers may stand at texts', () => {
    const model = drawn(
      { x: 'integer', a: 'string' },
      [
        { x: 1, a: 'low' },
        { x: 2, a: 'high' },
      ],
      { globalSeriesType: 'scatter', columnMapping: { x: 'x', a: 'y' } },
    );
    expect(model.y[0].categories).toEqual(['low', 'high']);
    expect(pointsOf(model)).toEqual({
      a: [
        [1, 0],
        [2, 1],
      ],
    });
  });

  test('many points that are not in order are sorted', () => {
    const rows = Array.from({ length: 9000 }, (_, at) => ({ x: (at * 7919) % 9001, a: at }));
    const [series] = drawn(types, rows, { columnMapping: { x: 'x', a: 'y' } }).series;
    expect(series?.x.every((x, at) => at === 0 || x > (series.x[at - 1] ?? 0))).toBe(true);
    expect(series?.y.every((y, at) => (y * 7919) % 9001 === series.x[at])).toBe(true);
  });
});

describe('visualizations 5.5: stacking and percent', () => {
  const types: Record<string, ColumnType> = { x: 'integer', y: 'float', g: 'string' };
  const columnMapping = { x: 'x', y: 'y', g: 'series' };
  const rows = [...[10, 20, 30, 40].map((y, at) => ({ x: at + 1, y, g: 'a' })), { x: 2, y: 2, g: 'b' }, { x: 4, y: 4, g: 'b' }];

  test('visualizations 20.5: lines over the union of x: zero, or a gap that keeps the running total', () => {
    const stored = { globalSeriesType: 'line', columnMapping, series: { stacking: 'stack' } };
    expect(topsOf(drawn(types, rows, stored)).b).toEqual([10, 22, 30, 44]);
    expect(topsOf(drawn(types, rows, { ...stored, missingValuesAsZero: false })).b).toEqual([gap, 22, gap, 44]);
  });

  test('labels show unstacked values', () => {
    const [, b] = drawn(types, rows, { globalSeriesType: 'area', columnMapping, series: { stacking: 'stack' } }).series;
    expect([...(b?.value ?? [])]).toEqual([0, 2, 0, 4]);
  });

  test('bars below zero hang downwards', () => {
    const both = [
      { x: 1, y: 5, g: 'a' },
      { x: 1, y: -2, g: 'b' },
      { x: 1, y: 3, g: 'c' },
      { x: 1, y: -4, g: 'd' },
    ];
    const stored = { columnMapping, series: { stacking: 'stack' } };
    expect(topsOf(drawn(types, both, stored))).toEqual({ a: [5], b: [-2], c: [8], d: [-6] });
    expect(topsOf(drawn(types, both, { ...stored, globalSeriesType: 'line' }))).toEqual({ a: [5], b: [3], c: [6], d: [2] });
  });

  test('percent of the absolute sum, alone and stacked', () => {
    const both = [
      { x: 1, y: 10, g: 'a' },
      { x: 1, y: -40, g: 'b' },
      { x: 2, y: 0, g: 'a' },
    ];
    const stored = { columnMapping, series: { stacking: null, percentValues: true } };
    expect(pointsOf(drawn(types, both, stored))).toEqual({
      a: [
        [1, 20],
        [2, 0],
      ],
      b: [[1, -80]],
    });
    const positive = [
      { x: 1, y: 10, g: 'a' },
      { x: 1, y: 40, g: 'b' },
    ];
    expect(topsOf(drawn(types, positive, { columnMapping, series: { stacking: 'percent' } }))).toEqual({ a: [20], b: [100] });
  });

  test('visualizations 20.5, complaint 40: hidden series do not count, horizontal or not', () => {
    const three = [
      { x: 1, y: 10, g: 'a' },
      { x: 1, y: 40, g: 'b' },
      { x: 1, y: 50, g: 'c' },
    ];
    for (const swappedAxes of [false, true]) {
      const stored = { columnMapping, swappedAxes, series: { stacking: 'stack', percentValues: true } };
      expect(topsOf(drawn(types, three, stored))).toEqual({ a: [10], b: [50], c: [100] });
      expect(topsOf(drawn(types, three, stored, ['c']))).toEqual({ a: [20], b: [100] });
      expect(drawn(types, three, stored, ['a']).series.map(({ place }) => place)).toEqual([1, 2]);
    }
  });

  test('visualizations 20.6: stacked bars have the left axis, a line keeps its own', () => {
    const seriesOptions = { a: { yAxis: 1 }, b: { yAxis: 1, type: 'line' } };
    const stored = { columnMapping, seriesOptions, series: { stacking: 'stack' } };
    expect(drawn(types, rows, stored).series.map(({ axis, stack }) => [axis, stack])).toEqual([
      [0, 'bars'],
      [1, null],
    ]);
    expect(drawn(types, rows, { ...stored, series: {} }).series.map(({ axis }) => axis)).toEqual([1, 1]);
    expect(drawn(types, rows, { ...stored, series: {}, swappedAxes: true }).series.map(({ axis }) => axis)).toEqual([0, 0]);
  });

  test('visualizations 5.6: a category axis unites the x values, an automatic one does not', () => {
    const stored = { globalSeriesType: 'line', columnMapping };
    expect(pointsOf(drawn(types, rows, { ...stored, xAxis: { type: 'category' } })).b).toEqual([
      [0, 0],
      [1, 2],
      [2, 0],
      [3, 4],
    ]);
    expect(pointsOf(drawn(types, rows, stored)).b).toEqual([
      [2, 2],
      [4, 4],
    ]);
    expect(pointsOf(drawn(types, rows, { ...stored, xAxis: { type: 'category' }, missingValuesAsZero: false })).b?.[0]).toEqual([0, gap]);
  });

  test('what cannot be brought onto one axis is said', () => {
    const many = Array.from({ length: 15_000 }, (_, at) => ({ x: at, y: 1, g: `g${at % 499}` }));
    const wide = [...many, ...Array.from({ length: 4000 }, (_, at) => ({ x: at + 20_000, y: 1, g: 'g1' }))];
    expect(drawn(types, wide, { columnMapping, series: { stacking: 'stack' } }).notes).toEqual([
      'Too many points to bring the series onto one axis.',
    ]);
  });
});

describe('visualizations 5.7: zeros at one height', () => {
  const zero = ([low, high]: readonly [number, number]) => -low / (high - low);
  test.each<[[number, number], [number, number]]>([
    [
      [0, 10],
      [-5, 5],
    ],
    [
      [3, 10],
      [20, 30],
    ],
    [
      [-10, -2],
      [1, 4],
    ],
    [
      [-1, 100],
      [-100, 1],
    ],
    [
      [0, 0],
      [-3, 9],
    ],
  ])('%j and %j', (left, right) => {
    const [a, b] = alignedAtZero(left, right);
    expect(zero(a)).toBeCloseTo(zero(b), 1);
    for (const [range, before] of [
      [a, left],
      [b, right],
    ] as const) {
      expect(range[0]).toBeLessThanOrEqual(before[0]);
      expect(range[1]).toBeGreaterThanOrEqual(before[1]);
    }
  });
});

describe('visualizations 5.10: pies', () => {
  const types: Record<string, ColumnType> = { x: 'string', y: 'float', z: 'float' };
  const rows = [
    { x: 'p', y: 10, z: 1 },
    { x: 'q', y: -30, z: 1 },
    { x: 'p', y: 10, z: null },
  ];
  const pies = (stored: Record<string, unknown>, hidden: string[] = []) => {
    const table = tableOf(types, rows);
    const options = optionsOf(table, { globalSeriesType: 'pie', ...stored });
    return pieModel(finish(chartBase(table, options)), options, new Set(hidden), sliceNames(textsOf(options, commonSettings), false));
  };

  test('slices of one x are added, percent is of the absolute sum, the largest first', () => {
    const [pie] = pies({ columnMapping: { x: 'x', y: 'y' } }).pies;
    expect(pie?.slices.map(({ key, value, percent }) => [key, value, percent])).toEqual([
      ['q', -30, -60],
      ['p', 20, 40],
    ]);
    expect(pies({ columnMapping: { x: 'x', y: 'y' }, piesort: false }).pies[0]?.slices.map(({ key }) => key)).toEqual(['p', 'q']);
  });

  test('the same x has the same colour in every pie; hidden ones do not count', () => {
    const model = pies({ columnMapping: { x: 'x', y: 'y', z: 'y' } }, ['q']);
    expect(model.pies.map(({ name, slices }) => [name, slices.map(({ place, percent }) => [place, percent])])).toEqual([
      ['y', [[0, 100]]],
      ['z', [[0, 100]]],
    ]);
    expect(model.names.map(({ key }) => key)).toEqual(['p', 'q']);
  });

  test.each([
    [1000, false, { key: '1000', name: '1,000' }],
    [true, false, { key: 'true', name: 'true' }],
    [null, false, { key: 'null', name: 'null' }],
    ['1,000', false, { key: '1,000', name: '1,000' }],
    [{ a: 1 }, false, { key: '{"a":1}', name: '{"a":1}' }],
    ['2024-01-02T03:04:05Z', true, { key: '02/01/2024 03:04', name: '02/01/2024 03:04' }],
  ])('5.1: %j is known by its value and shown by its text', (category, isMoment, names) => {
    const options = optionsOf(tableOf(types, rows), { globalSeriesType: 'pie' });
    expect(sliceNames(textsOf(options, commonSettings), isMoment)(category)).toEqual(names);
  });

  test.each([
    [{ 1000: { color: '#111111' }, '1,000': { color: '#222222' } }, '#111111'],
    [{ '1,000': { color: '#222222' } }, '#222222'],
    [{ 1000: { color: null }, '1,000': { color: '#222222' } }, undefined],
    [{ other: { color: '#222222' } }, undefined],
  ])('5.1: the colour of 1000 in %j', (valuesOptions, color) => {
    expect(valueColorOf({ valuesOptions }, { key: '1000', name: '1,000' })).toBe(color);
  });

  test('without an x column', () => {
    expect(pies({ columnMapping: { y: 'y', z: 'y' } }).pies.map(({ slices }) => slices.map(({ key }) => key))).toEqual([
      ['Slice 0'],
      ['Slice 1'],
    ]);
  });

  test.each([
    [1, { columns: 1, rows: 1 }],
    [2, { columns: 2, rows: 1 }],
    [3, { columns: 2, rows: 2 }],
    [5, { columns: 3, rows: 2 }],
  ])('%i pies', (count, grid) => {
    expect(pieGrid(count)).toEqual(grid);
  });
});

describe('visualizations 5.11: heatmaps', () => {
  const rows = [
    { x: 2, y: 'b', z: 1 },
    { x: 1, y: 'c', z: '7 %' },
    { x: 2, y: 'b', z: 99 },
    { x: 1, y: 'a', z: null },
  ];
  const cells = (stored: Record<string, unknown>) => {
    const table = tableOf({ x: 'integer', y: 'string', z: 'float' }, rows);
    const { x, y, values } = finish(heatmapModel(table, optionsOf(table, { columnMapping: { x: 'x', y: 'y', z: 'zVal' }, ...stored })));
    return { x, y, values: [...values] };
  };

  test('the first row of a cell wins, a missing one is 0; x is sorted, y is not', () => {
    expect(cells({})).toEqual({ x: [1, 2], y: ['b', 'c', 'a'], values: [0, 1, 7, 0, 0, 0] });
  });

  test('sorted, then reversed', () => {
    expect(cells({ sortY: true }).y).toEqual(['a', 'b', 'c']);
    expect(cells({ sortY: true, reverseY: true }).y).toEqual(['c', 'b', 'a']);
    expect(cells({ reverseX: true })).toEqual({ x: [2, 1], y: ['b', 'c', 'a'], values: [1, 0, 0, 7, 0, 0] });
    expect(cells({ sortX: false }).x).toEqual([2, 1]);
  });
});

describe('visualizations 5.4: boxes', () => {
  test('quartiles', () => {
    expect(quantile([1, 2, 3, 4, 5], 0.5)).toBe(3);
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.5);
    expect(quantile([7], 0.75)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  test('whiskers end at values, the rest stands alone', () => {
    const [box] = boxesOf(Float64Array.of(0, 0, 0, 0, 0, 0, 0), Float64Array.of(1, 2, 3, 4, 5, 100, Number.NaN));
    expect(box).toMatchObject({ x: 0, low: 1, high: 5, median: 3.5, outliers: [100] });
  });
});
