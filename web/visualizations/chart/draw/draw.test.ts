import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { finish } from '../../table/view/sliced.ts';
import { isLegendBelow } from '../ChartFrame.tsx';
import { arrange } from '../model/arrange.ts';
import { chartBase } from '../model/base.ts';
import { pieModel } from '../model/pie.ts';
import { drawnOf, optionsOf, tableOf, textOf, viewOf } from '../testing/drawing.ts';
import { sliceLinkPoint } from './pieOption.ts';
import { linkPointOf } from './seriesOptions.ts';
import { allOfIt, type Zoom } from './view.ts';
import { drawnPoints, wholeRange } from './window.ts';
import { xyPicture } from './xyOption.ts';

const rows: ResultRow[] = [
  { t: '2024-01-01T00:00:00Z', c: 'b', y: 1234.5, z: -20, e: 3, s: 9 },
  { t: '2024-01-01T02:00:00Z', c: 'a', y: null, z: 40, e: 1, s: 25 },
  { t: '2024-01-01T01:00:00Z', c: 'b', y: 300, z: 10, e: 2, s: 16 },
];
const table = tableOf({ t: 'datetime', c: 'string', y: 'float', z: 'float', e: 'float', s: 'float' }, rows);
const lines = { globalSeriesType: 'line', columnMapping: { t: 'x', y: 'y', z: 'y' } };
const bars = { globalSeriesType: 'column', columnMapping: { c: 'x', y: 'y', z: 'y', e: 'yError' } };
const pie = { globalSeriesType: 'pie', columnMapping: { c: 'x', y: 'y', z: 'y' } };
const heat = { globalSeriesType: 'heatmap', columnMapping: { t: 'x', c: 'y', y: 'zVal' } };
const bubbles = { globalSeriesType: 'bubble', columnMapping: { y: 'x', z: 'y', s: 'size' } };
const boxes = { globalSeriesType: 'box', columnMapping: { c: 'x', y: 'y', z: 'y' } };
const right = { seriesOptions: { z: { yAxis: 1 } } };

/** Every stored key with a change that must be visible. */
const changes: [key: string, before: object, change: object][] = [
  ['globalSeriesType', lines, { globalSeriesType: 'area' }],
  ['sortX', lines, { sortX: false }],
  ['sortY', heat, { sortY: true }],
  ['reverseX', lines, { reverseX: true }],
  ['reverseX of a heatmap', heat, { reverseX: true }],
  ['reverseY', heat, { reverseY: true }],
  ['xAxis.type', lines, { xAxis: { type: 'category' } }],
  ['xAxis.labels.enabled', lines, { xAxis: { labels: { enabled: false } } }],
  ['xAxis.title', lines, { xAxis: { title: { text: 'Time' } } }],
  ['xAxis.tickFormat', lines, { xAxis: { tickFormat: '%H:%M' } }],
  ['yAxis.type', lines, { yAxis: [{ type: 'logarithmic' }] }],
  ['yAxis.title', lines, { yAxis: [{ title: { text: 'Left' } }] }],
  ['yAxis.rangeMin', lines, { yAxis: [{ rangeMin: -100 }] }],
  ['yAxis.rangeMax', lines, { yAxis: [{ rangeMax: 5000 }] }],
  ['yAxis.tickFormat', lines, { yAxis: [{ tickFormat: '~s' }] }],
  ['yAxis on the right', { ...lines, ...right }, { yAxis: [{}, { title: 'Right', rangeMin: 1 }] }],
  ['alignYAxesAtZero', { ...lines, ...right }, { alignYAxesAtZero: true }],
  ['error_y.visible', bars, { error_y: { visible: false } }],
  ['series.error_y.visible', bars, { series: { error_y: { visible: false } } }],
  ['series.stacking', bars, { series: { stacking: 'stack' } }],
  ['series.percentValues', bars, { series: { percentValues: true } }],
  ['seriesOptions.name', lines, { seriesOptions: { y: { name: 'Temperature' } } }],
  ['seriesOptions.type', lines, { seriesOptions: { y: { type: 'column' } } }],
  ['seriesOptions.color', lines, { seriesOptions: { y: { color: '#123456' } } }],
  ['seriesOptions.yAxis', lines, right],
  ['seriesOptions.zIndex', lines, { seriesOptions: { y: { zIndex: 5 } } }],
  ['valuesOptions.color', pie, { valuesOptions: { a: { color: '#123456' } } }],
  ['columnMapping', lines, { columnMapping: { t: 'x', y: 'y' } }],
  ['direction', pie, { direction: { type: 'clockwise' } }],
  ['sizemode', bubbles, { sizemode: 'area' }],
  ['coefficient', bubbles, { coefficient: 3 }],
  ['piesort', pie, { piesort: false }],
  ['color_scheme', lines, { color_scheme: 'Viridis' }],
  ['lineShape', lines, { lineShape: 'spline' }],
  ['lineShape in steps', lines, { lineShape: 'hv' }],
  ['showDataLabels', lines, { showDataLabels: true }],
  ['numberFormat', { ...lines, showDataLabels: true }, { numberFormat: '0.0a' }],
  ['percentFormat', pie, { percentFormat: '0.0000%' }],
  ['dateTimeFormat', { ...lines, xAxis: { type: 'category' } }, { dateTimeFormat: 'YYYY' }],
  ['textFormat', { ...lines, showDataLabels: true }, { textFormat: '{{ c }}' }],
  ['missingValuesAsZero', lines, { missingValuesAsZero: false }],
  ['swappedAxes', bars, { swappedAxes: true }],
  ['enableLink', lines, { enableLink: true }],
  ['colorScheme', heat, { colorScheme: 'Viridis' }],
  ['heatMinColor', { ...heat, colorScheme: 'Custom...' }, { heatMinColor: '#010203' }],
  ['heatMaxColor', { ...heat, colorScheme: 'Custom...' }, { heatMaxColor: '#010203' }],
  ['legend.enabled of a heatmap', heat, { legend: { enabled: false } }],
];

test.each(changes)('5.1: %s is seen', (_, before, change) => {
  expect(textOf(drawnOf(table, { ...before, ...change }))).not.toBe(textOf(drawnOf(table, { ...before })));
});

test('visualizations 5.4: all points of a box', () => {
  const many = tableOf(
    { c: 'string', y: 'float' },
    Array.from({ length: 9 }, (_, at) => ({ c: 'a', y: at === 8 ? 90 : at })),
  );
  const mapping = { ...boxes, columnMapping: { c: 'x', y: 'y' } };
  const shapes = (showpoints: boolean): number => {
    const { series } = drawnOf(many, { ...mapping, showpoints }) as {
      series: { renderItem: (...given: unknown[]) => { children: unknown[] } }[];
    };
    const api = { coord: ([x = 0, y = 0]: number[]) => [x, y], size: () => [100, 100], value: () => 0 };
    return series[0]?.renderItem({ dataIndex: 0 }, api).children.length ?? 0;
  };
  expect(shapes(true) - shapes(false)).toBe(8);
});

test('20.7: "Right" flips below at 600 px', () => {
  const legend = { enabled: true, placement: 'auto' as const, traceorder: 'normal' as const };
  expect(isLegendBelow(legend, 601)).toBe(false);
  expect(isLegendBelow(legend, 600)).toBe(true);
  expect(isLegendBelow({ ...legend, placement: 'below' }, 2000)).toBe(true);
});

describe('visualizations 5.14: what an address gets of a point', () => {
  const linked = (given: object) => {
    const options = optionsOf(table, { ...given });
    const model = finish(arrange(finish(chartBase(table, options)), options, new Set()));
    const [series] = model.series;
    return series && linkPointOf(model, series, 0);
  };

  test.each([
    ['a moment', lines, { x: '2024-01-01T00:00:00.000Z', y: '1234.5' }],
    ['a category', { ...lines, columnMapping: { c: 'x', y: 'y' } }, { x: 'a', y: '0' }],
    ['numbers', { globalSeriesType: 'scatter', columnMapping: { y: 'x', z: 'y' }, missingValuesAsZero: false }, { x: '300', y: '10' }],
    ['texts up', { globalSeriesType: 'scatter', columnMapping: { t: 'x', c: 'y' } }, { x: '2024-01-01T00:00:00.000Z', y: 'b' }],
  ])('%s as it is, whatever the formats say', (_, given, expected) => {
    expect(linked({ ...given, numberFormat: '0,0', dateTimeFormat: 'YYYY' })).toEqual(expected);
  });

  test('a slice', () => {
    const options = optionsOf(table, pie);
    const base = finish(chartBase(table, options));
    const [first] = pieModel(base, options, new Set(), (category) => ({ key: String(category), name: 'formatted' })).pies;
    expect(first?.slices.map(sliceLinkPoint)).toEqual([
      { x: 'b', y: '1534.5' },
      { x: 'a', y: '0' },
    ]);
  });
});

describe('a window into many points', () => {
  const many = tableOf(
    { x: 'integer', y: 'float' },
    Array.from({ length: 50_000 }, (_, at) => ({ x: at, y: at === 30_001 ? 500 : Math.sin(at) })),
  );
  const keptIn = (zoom: Zoom, stored: object = {}) => {
    const options = optionsOf(many, { globalSeriesType: 'line', columnMapping: { x: 'x', y: 'y' }, ...stored });
    const model = finish(arrange(finish(chartBase(many, options)), options, new Set()));
    return { model, ...drawnPoints(model, viewOf(options, many, 1, 'x', { zoom })) };
  };

  test('all of it: no more than pixels can show, with the peak', () => {
    const { series, model } = keptIn(allOfIt);
    expect(series[0]?.kept.length).toBeLessThanOrEqual(3200);
    expect(series[0]?.kept).toContain(30_001);
    expect(wholeRange(model)).toEqual([0, 49_999]);
  });

  test('a part of it: every point, and one more on either side', () => {
    expect([...(keptIn({ ...allOfIt, x: [100, 110] }).series[0]?.kept ?? [])]).toEqual(Array.from({ length: 13 }, (_, at) => at + 99));
  });

  test('categories: those that are drawn, by their own names', () => {
    const { series, categories } = keptIn(allOfIt, { globalSeriesType: 'column', xAxis: { type: 'category' } });
    expect(categories?.labels.length).toBeLessThan(1000);
    const place = categories?.placeOf(30_001);
    expect(categories?.labels[place ?? -1]).toBe('30,001');
    expect(categories?.at(place ?? -1)).toBe(30_001);
    expect(series[0]?.kept.length).toBe(categories?.labels.length);
    expect(keptIn({ ...allOfIt, x: [10, 20] }, { xAxis: { type: 'category' } }).categories?.labels).toHaveLength(11);
  });
});

describe('what stands at a place', () => {
  test('a point of each series that is near, not only the nearest', () => {
    const two = tableOf({ x: 'integer', y: 'float', g: 'string' }, [
      { x: 0, y: 1, g: 'a' },
      { x: 1000, y: 2, g: 'a' },
      { x: 3, y: 5, g: 'b' },
      { x: 700, y: 6, g: 'b' },
    ]);
    const options = optionsOf(two, { globalSeriesType: 'line', columnMapping: { x: 'x', y: 'y', g: 'series' } });
    const model = finish(arrange(finish(chartBase(two, options)), options, new Set()));
    const { pointsAt } = xyPicture(model, viewOf(options, two, 2, 'x'));
    expect(pointsAt(2).map(({ series, at }) => [series.key, at])).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    expect(pointsAt(1000).map(({ series, at }) => [series.key, at])).toEqual([['a', 1]]);
  });
});

describe('hostile results', () => {
  const names = ['a.b', 'x"y\'z', '漢字 🌊', '__proto__', 'constructor', '<script>alert(1)</script>', ''];
  const value = (at: number) =>
    [1, '2', null, true, Number.NaN, { a: 1 }, '<b>3</b>', 'x'.repeat(100_000), [], undefined, -0, 1e308][at % 12];
  const odd = Array.from(
    { length: 24 },
    (_, at): ResultRow => JSON.parse(JSON.stringify(Object.fromEntries(names.map((name, place) => [name, value(at + place) ?? null])))),
  );
  const types = ['line', 'column', 'area', 'pie', 'scatter', 'bubble', 'heatmap', 'box'];

  test.each(types)('a %s chart of anything', (globalSeriesType) => {
    const hostile = tableOf(Object.fromEntries(names.map((name) => [name, null])), odd);
    for (const x of names) {
      const columnMapping = Object.fromEntries(
        names.map((name, at) => [name, name === x ? 'x' : ['y', 'series', 'size', 'zVal', 'yError', 'y'][at % 6]]),
      );
      for (const extra of [
        {},
        { series: { stacking: 'percent' } },
        { sortX: false, missingValuesAsZero: false },
        { xAxis: { type: 'datetime' } },
        { yAxis: [{ type: 'logarithmic' }] },
        { swappedAxes: true, showDataLabels: true },
      ]) {
        expect(() => textOf(drawnOf(hostile, { globalSeriesType, columnMapping, ...extra }))).not.toThrow();
      }
    }
  });

  test.each(types)('a %s chart of no rows, of 500 columns', (globalSeriesType) => {
    const empty = tableOf({ a: 'string', b: 'float' }, []);
    expect(() => textOf(drawnOf(empty, { globalSeriesType, columnMapping: { a: 'x', b: 'y' } }))).not.toThrow();
    const columns = Array.from({ length: 500 }, (_, at) => `c${at}`);
    const wide = tableOf(Object.fromEntries(columns.map((name) => [name, 'float'])), [
      Object.fromEntries(columns.map((name, at) => [name, at])),
    ]);
    const columnMapping = Object.fromEntries(columns.map((name, at) => [name, at === 0 ? 'x' : 'y']));
    expect(() => textOf(drawnOf(wide, { globalSeriesType, columnMapping }))).not.toThrow();
  });
});
