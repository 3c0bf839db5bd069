import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { type ResultSource, resultTable } from '../resultTable.ts';
import { finish } from '../table/view/sliced.ts';
import { aggregatorNames } from './data/aggregators.ts';
import { ordered } from './data/order.ts';
import { type PivotData, pivotData } from './data/pivotData.ts';
import { pivotRequest } from './data/pivotRequest.ts';
import { attributesOf, pivotOptions } from './pivotOptions.ts';

const data: ResultSource = {
  columns: [
    { name: 'room', type: 'string' },
    { name: 'online', type: 'boolean' },
    { name: 'day', type: 'date' },
    { name: 'value', type: 'float' },
    { name: 'weight', type: 'float' },
  ],
  rows: [
    ['roof', true, '2024-02-09', 4, 2],
    ['roof', false, '2024-02-10', 8, 4],
    ['hall 10', true, '2024-02-09', '10', 1],
    ['hall 2', true, '2024-02-09', 1, 1],
    ['hall 2', true, '2024-02-10', null, 1],
  ].map(([room, online, day, value, weight]) => ({ room, online, day, value, weight })),
};
const table = resultTable(data);
const optionsOf = (stored: unknown) => pivotOptions({ columns: table.columns, settings: commonSettings }).parse(stored);

function pivoted(stored: Record<string, unknown>, from = table): PivotData {
  const options = optionsOf({ controls: {}, ...stored });
  const made = finish(pivotData(pivotRequest(from, options, commonSettings, new Map())));
  if ('tooMany' in made) throw new Error(made.tooMany);
  return ordered(made, options.rowOrder, options.colOrder);
}
const byRoom = (aggregatorName: string, vals: string[] = []) => {
  const { rowKeys, result } = pivoted({ rows: ['room'], aggregatorName, vals });
  return Object.fromEntries([...rowKeys.map((key, at) => [key.join(), result(at, undefined)]), ['all', result(undefined, undefined)]]);
};

describe('12: groups', () => {
  test('keys in their natural order, booleans and dates as text', () => {
    const { rowKeys, colKeys, count } = pivoted({ rows: ['room', 'online'], cols: ['day'] });
    expect(rowKeys).toEqual([
      ['hall 2', 'true'],
      ['hall 10', 'true'],
      ['roof', 'false'],
      ['roof', 'true'],
    ]);
    expect(colKeys).toEqual([['09/02/2024'], ['10/02/2024']]);
    expect(count).toBe(5);
  });

  test('cells, totals of rows, of columns and of all', () => {
    const { result } = pivoted({ rows: ['room'], cols: ['day'] });
    expect([result(0, 0), result(0, 1), result(1, 1)]).toEqual([1, 1, null]);
    expect([result(0, undefined), result(undefined, 0), result(undefined, undefined)]).toEqual([2, 3, 5]);
  });

  test('without rows and columns there is one figure', () => {
    const { rowKeys, colKeys, result } = pivoted({});
    expect([rowKeys, colKeys, result(undefined, undefined)]).toEqual([[], [], 5]);
  });

  test('too many groups are said, not drawn', () => {
    const many = resultTable({
      columns: [{ name: 'id', type: 'integer' }],
      rows: Array.from({ length: 60_000 }, (_, id) => ({ id })),
    });
    const made = finish(pivotData(pivotRequest(many, optionsOf({ rows: ['id'] }), commonSettings, new Map())));
    expect(made).toEqual({ tooMany: 'The rows have more than 50,000 different values. Filter them, or take a column out.' });
  });
});

describe('12: aggregators', () => {
  test.each([
    ['Count', [], { 'hall 2': 2, 'hall 10': 1, roof: 2, all: 5 }],
    ['List Unique Values', ['day'], { 'hall 2': '09/02/2024, 10/02/2024', 'hall 10': '09/02/2024' }],
    ['Count Unique Values', ['day'], { 'hall 2': 2, 'hall 10': 1, roof: 2, all: 2 }],
    ['List Unique Values', ['value'], { 'hall 2': '1', 'hall 10': '10', roof: '4, 8', all: '1, 4, 8, 10' }],
    ['Sum', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 12, all: 23 }],
    ['Integer Sum', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 12, all: 23 }],
    ['Average', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 6, all: 5.75 }],
    ['Median', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 6, all: 6 }],
    ['Sample Variance', ['value'], { 'hall 2': Number.NaN, 'hall 10': Number.NaN, roof: 8, all: 16.25 }],
    ['Minimum', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 4, all: 1 }],
    ['Maximum', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 8, all: 10 }],
    ['First', ['day'], { 'hall 2': '2024-02-09', 'hall 10': '2024-02-09', roof: '2024-02-09', all: '2024-02-09' }],
    ['Last', ['value'], { 'hall 2': 1, 'hall 10': 10, roof: 8, all: 10 }],
    ['Sum over Sum', ['value', 'weight'], { 'hall 2': 0.5, 'hall 10': 10, roof: 2, all: 23 / 9 }],
    ['Sum as Fraction of Total', ['value'], { 'hall 2': 1 / 23, 'hall 10': 10 / 23, roof: 12 / 23, all: 1 }],
    ['Count as Fraction of Total', [], { 'hall 2': 0.4, 'hall 10': 0.2, roof: 0.4, all: 1 }],
  ])('%s', (name, vals, expected) => expect(byRoom(name, vals)).toMatchObject(expected));

  test('Sample Standard Deviation', () => expect(byRoom('Sample Standard Deviation', ['value']).roof).toBeCloseTo(Math.sqrt(8)));

  test.each([
    ['Sum as Fraction of Rows', 4 / 12, 1, 15 / 23],
    ['Sum as Fraction of Columns', 4 / 15, 12 / 23, 1],
    ['Count as Fraction of Rows', 1 / 2, 1, 3 / 5],
    ['Count as Fraction of Columns', 1 / 3, 2 / 5, 1],
  ])('%s', (aggregatorName, cell, rowTotal, colTotal) => {
    const { result } = pivoted({ rows: ['room'], cols: ['day'], aggregatorName, vals: ['value'] });
    expect(result(2, 0)).toBeCloseTo(cell);
    expect(result(2, undefined)).toBeCloseTo(rowTotal);
    expect(result(undefined, 0)).toBeCloseTo(colTotal);
  });

  test('all that the reference lists are there', () => expect(aggregatorNames).toHaveLength(20));
});

describe('12: each option changes the picture', () => {
  test('orders', () => {
    const firstRooms = (rowOrder: string) => pivoted({ rows: ['room'], aggregatorName: 'Sum', vals: ['value'], rowOrder }).rowKeys.flat();
    expect(firstRooms('key_a_to_z')).toEqual(['hall 2', 'hall 10', 'roof']);
    expect(firstRooms('value_a_to_z')).toEqual(['hall 2', 'hall 10', 'roof']);
    expect(firstRooms('value_z_to_a')).toEqual(['roof', 'hall 10', 'hall 2']);
    const days = (colOrder: string) => pivoted({ cols: ['day'], colOrder }).colKeys.flat();
    expect(days('value_a_to_z')).toEqual(['10/02/2024', '09/02/2024']);
  });

  test('valueFilter leaves values out', () => {
    const { rowKeys, count } = pivoted({ rows: ['room'], valueFilter: { room: { roof: true, 'hall 2': false }, online: {} } });
    expect([rowKeys.flat(), count]).toEqual([['hall 2', 'hall 10'], 3]);
  });

  test('the exclusions of the older generation are read', () => {
    expect(optionsOf({ controls: {}, exclusions: { room: ['roof'], day: [] } }).valueFilter).toEqual({ room: { roof: true } });
  });

  test('hidden attributes', () => {
    const options = optionsOf({
      controls: {},
      rows: ['room', 'gone'],
      cols: ['room', 'day'],
      hiddenAttributes: ['weight'],
      hiddenFromAggregators: ['room'],
      hiddenFromDragDrop: ['online'],
    });
    expect(attributesOf(table, options)).toEqual({
      all: ['room', 'online', 'day', 'value'],
      rows: ['room'],
      cols: ['day'],
      unused: ['value'],
      values: ['online', 'day', 'value'],
    });
  });

  test('missing values columns are the first that have numbers', () => {
    expect(byRoom('Sum', [])).toMatchObject({ all: 23 });
    expect(pivotRequest(table, optionsOf({ aggregatorName: 'Sum over Sum' }), commonSettings, new Map()).inputs).toEqual([
      'value',
      'weight',
    ]);
  });
});

describe('12: stored options', () => {
  test('complaint 35: a new one is grouped by the first column that is not of numbers', () => {
    expect(optionsOf({})).toMatchObject({ rows: ['room'], controls: { enabled: false } });
    expect(optionsOf({ controls: { enabled: false } }).rows).toEqual([]);
  });

  test('visualizations 20.9: controls.enabled is kept as it is', () =>
    expect(optionsOf({ controls: { enabled: true } }).controls.enabled).toBe(true));

  test('names that nobody knows are the first ones', () => {
    const odd = optionsOf({ aggregatorName: 'Magic', rendererName: 'Hologram', rows: 'room', vals: [1, 'value'], rowOrder: 'x' });
    expect(odd).toMatchObject({ aggregatorName: 'Count', rendererName: 'Table', vals: ['value'], rowOrder: 'key_a_to_z' });
  });
});
