import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { seriesOptionsOf, titleOf, withEntry } from './chartOptions.ts';
import { mappingOf, missingColumns, withRole } from './columnMapping.ts';
import { changedType } from './editor/changeType.ts';
import { firstMapping } from './firstMapping.ts';
import { chart } from './index.ts';
import { columnsOf, drawnOf, optionsOf, tableOf, textOf } from './testing/drawing.ts';
import { storedCharts } from './testing/fixtures.ts';

const table = tableOf({ time: 'datetime', room: 'string', temperature: 'float', humidity: 'integer', size: 'float' }, [
  { time: '2024-01-01T00:00:00Z', room: 'roof', temperature: 1, humidity: 2, size: 3 },
  { time: '2024-01-01T01:00:00Z', room: 'boiler house', temperature: 4, humidity: 5, size: 6 },
]);
const source = { columns: table.columns, settings: commonSettings };

/** The paths of stored values that are not there any more; a list may have grown at its end. */
function changesOf(stored: unknown, saved: unknown, path = ''): string[] {
  if (typeof stored !== 'object' || stored === null) return Object.is(stored, saved) ? [] : [path];
  if (typeof saved !== 'object' || saved === null || Array.isArray(stored) !== Array.isArray(saved)) return [path];
  return Object.entries(stored).flatMap(([key, value]) => changesOf(value, Reflect.get(saved, key), `${path}.${key}`));
}

describe('visualizations 5.1: options', () => {
  test('of a new chart', () => {
    expect(chart.effectiveOptions({}, { ...source, columns: [] })).toEqual({
      globalSeriesType: 'column',
      sortX: true,
      legend: { enabled: true, placement: 'auto', traceorder: 'normal' },
      xAxis: { type: '-', labels: { enabled: true } },
      yAxis: [{ type: 'linear' }, { type: 'linear', opposite: true }],
      alignYAxesAtZero: false,
      error_y: { type: 'data', visible: true },
      series: { stacking: null, error_y: { type: 'data', visible: true } },
      seriesOptions: {},
      valuesOptions: {},
      columnMapping: {},
      direction: { type: 'counterclockwise' },
      sizemode: 'diameter',
      coefficient: 1,
      piesort: true,
      color_scheme: 'Redash',
      lineShape: 'linear',
      showDataLabels: false,
      numberFormat: '0,0[.]00000',
      percentFormat: '0[.]00%',
      dateTimeFormat: commonSettings.dateTimeFormat,
      textFormat: '',
      missingValuesAsZero: true,
      enableLink: false,
      linkOpenNewTab: true,
      linkFormat: '',
    });
  });

  test('labels are shown on a pie', () => {
    expect(optionsOf(table, { globalSeriesType: 'pie' }).showDataLabels).toBe(true);
    expect(optionsOf(table, { globalSeriesType: 'pie', showDataLabels: false }).showDataLabels).toBe(false);
  });

  test.each([
    ['normal', { stacking: 'stack', percentValues: false }],
    ['percent', { stacking: 'stack', percentValues: true }],
    ['stack', { stacking: 'stack' }],
    [null, { stacking: null }],
    ['', { stacking: null }],
  ])('visualizations 20.2: stacking %j', (stacking, expected) => {
    expect(optionsOf(table, { series: { stacking } }).series).toMatchObject(expected);
  });

  test('a title is a text or has one', () => {
    expect(titleOf(optionsOf(table, { xAxis: { title: 'Time' } }).xAxis)).toBe('Time');
    expect(titleOf(optionsOf(table, { xAxis: { title: { text: 'Time' } } }).xAxis)).toBe('Time');
    expect(titleOf(optionsOf(table, {}).xAxis)).toBe('');
  });

  test('ends of an axis may be stored as text', () => {
    expect(optionsOf(table, { yAxis: [{ rangeMin: '5', rangeMax: null }] }).yAxis[0]).toMatchObject({ rangeMin: 5, rangeMax: null });
  });

  test.each(Object.entries(storedCharts))('0.2: %s survives a save, only defaults are added', (_, stored) => {
    const saved = chart.optionsToSave(chart.effectiveOptions(stored, source));
    expect(changesOf(stored, saved)).toEqual([]);
    expect(chart.optionsToSave(chart.effectiveOptions(saved, source))).toEqual(saved);
  });

  test.each(Object.entries(storedCharts))('0.2: %s draws', (_, stored) => {
    expect(textOf(drawnOf(table, stored)).length).toBeGreaterThan(100);
  });

  const wrong = [null, 7, 'text', [], [null], true, { a: { b: 1 } }];
  const keys = Object.keys(optionsOf(table, {}));
  test.each(keys)('%s of the wrong kind is as good as none', (key) => {
    for (const value of wrong) expect(() => drawnOf(table, { [key]: value })).not.toThrow();
  });

  test('all of them wrong at once', () => {
    for (const value of wrong) expect(() => drawnOf(table, Object.fromEntries(keys.map((key) => [key, value])))).not.toThrow();
  });

  test('series and columns may be called anything', () => {
    const stored = JSON.parse(
      '{"seriesOptions":{"__proto__":{"name":"x"},"constructor":{"color":"#FFF"}},"columnMapping":{"__proto__":"y"}}',
    );
    const options = optionsOf(table, stored);
    expect(seriesOptionsOf(options, '__proto__').name).toBe('x');
    expect(seriesOptionsOf(options, 'toString')).toEqual({});
    expect(Object.keys(withEntry(options.seriesOptions, '__proto__', { color: '#000' }))).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(withRole(options.columnMapping, 'x', ['a']))).toEqual(['__proto__', 'a']);
  });
});

describe('complaint 35: the first mapping', () => {
  const mapped = (types: Record<string, ColumnType>, type: Parameters<typeof firstMapping>[1] = 'column') =>
    firstMapping(columnsOf(types), type);

  test.each<[Record<string, ColumnType>, Record<string, string>]>([
    [
      { time: 'datetime', value: 'float' },
      { time: 'x', value: 'y' },
    ],
    [
      { value: 'float', day: 'date', other: 'integer' },
      { day: 'x', value: 'y' },
    ],
    [
      { device_id: 'integer', time: 'datetime', value: 'float' },
      { time: 'x', value: 'y' },
    ],
    [
      { name: 'string', count: 'integer' },
      { name: 'x', count: 'y' },
    ],
    [
      { time: 'datetime', device: 'string', value: 'float' },
      { time: 'x', value: 'y', device: 'series' },
    ],
    [
      { time: 'datetime', a: 'string', b: 'string', value: 'float' },
      { time: 'x', value: 'y' },
    ],
    [
      { 'room::filter': 'string', time: 'datetime', value: 'float' },
      { time: 'x', value: 'y' },
    ],
    [
      { a: 'integer', b: 'float' },
      { a: 'x', b: 'y' },
    ],
    [{ a: 'float' }, { a: 'y' }],
    [{ a: 'string' }, { a: 'x' }],
    [{}, {}],
  ])('%j', (types, expected) => {
    expect(mapped(types)).toEqual(expected);
  });

  test('a heatmap needs three columns, a bubble a size', () => {
    expect(mapped({ hour: 'string', room: 'string', value: 'float' }, 'heatmap')).toEqual({ hour: 'x', room: 'y', value: 'zVal' });
    expect(mapped({ name: 'string', a: 'float', b: 'float' }, 'bubble')).toEqual({ name: 'x', a: 'y', b: 'size' });
  });

  test('only where nothing is mapped', () => {
    expect(optionsOf(table, { columnMapping: { humidity: 'y' } }).columnMapping).toEqual({ humidity: 'y' });
    expect(optionsOf(table, {}).columnMapping).toMatchObject({ time: 'x' });
    expect(optionsOf(table, { columnMapping: {} }).columnMapping).toEqual({});
  });

  test('a cleared choice stays cleared', () => {
    const cleared = withRole({ time: 'x' }, 'x', []);
    expect(optionsOf(table, { columnMapping: cleared }).columnMapping).toEqual({ time: 'unused' });
  });
});

describe('visualizations 5.16: roles of columns', () => {
  test('one role each; older names of groups count', () => {
    const options = { columnMapping: { time: 'x', room: 'multi-filter', temperature: 'y', humidity: 'y', gone: 'y', size: 'unused' } };
    expect(mappingOf(options, table.columns)).toMatchObject({ x: 'time', y: ['temperature', 'humidity'], series: 'room', size: undefined });
    expect(missingColumns(options, table.columns)).toEqual(['gone']);
    expect(withRole(options.columnMapping, 'series', [])).toMatchObject({ room: 'unused', time: 'x' });
    expect(withRole(options.columnMapping, 'x', ['room'])).toMatchObject({ room: 'x', time: 'unused' });
  });
});

describe('visualizations 5.4: another type', () => {
  test('is that of every series; labels and sides begin anew', () => {
    const options = optionsOf(table, { seriesOptions: { a: { type: 'line', color: '#111111' } }, swappedAxes: true, showDataLabels: true });
    expect(changedType(options, 'area', table.columns)).toMatchObject({
      globalSeriesType: 'area',
      showDataLabels: false,
      swappedAxes: false,
      seriesOptions: { a: { type: 'area', color: '#111111' } },
    });
    expect(changedType(options, 'pie', table.columns).showDataLabels).toBe(true);
  });

  test('complaint 35: what the new type needs is found', () => {
    const options = optionsOf(table, { columnMapping: { time: 'x', temperature: 'y' } });
    expect(changedType(options, 'heatmap', table.columns).columnMapping).toEqual({ time: 'x', temperature: 'y', size: 'zVal' });
    const taken = optionsOf(table, { columnMapping: { time: 'x', size: 'y' } });
    expect(changedType(taken, 'heatmap', table.columns).columnMapping).toEqual({ time: 'x', size: 'y', temperature: 'zVal' });
    const full = optionsOf(table, { columnMapping: { time: 'x', temperature: 'series', humidity: 'y', size: 'yError' } });
    expect(changedType(full, 'heatmap', table.columns).columnMapping).toEqual(full.columnMapping);
    expect(changedType(options, 'bubble', table.columns).columnMapping).toMatchObject({ time: 'x', temperature: 'y', humidity: 'size' });
  });
});

test('a chart says what it shows', () => {
  expect(
    chart.summary(table, { globalSeriesType: 'line', columnMapping: { time: 'x', temperature: 'y', room: 'series' } }, commonSettings),
  ).toBe('Line chart of temperature by time, one series for each room, from 2 rows.');
});
