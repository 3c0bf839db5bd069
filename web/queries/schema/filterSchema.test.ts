import { expect, test } from 'vitest';
import { countColumns, filterSchema, schemaRows, visibleRows } from './filterSchema.ts';

const tables = [
  { name: 'app.metric', columns: [{ name: 'time' }, { name: 'device_id' }] },
  { name: 'app.device', columns: [{ name: 'device_id' }, { name: 'name' }] },
];
const names = (filter: string) => filterSchema(tables, filter).map(({ name, columns }) => [name, columns.length]);

test('Q5: one word matches tables or columns, all columns stay', () => {
  expect(names('METRIC')).toEqual([['app.metric', 2]]);
  expect(names('device')).toHaveLength(2);
  expect(names('')).toHaveLength(2);
  expect(names('nothing')).toEqual([]);
});

test('Q5: two words match the table, then its columns', () => {
  expect(names('metric dev')).toEqual([['app.metric', 1]]);
  expect(names('device tariff')).toEqual([]);
});

test('complaint 11: where that finds nothing, words come in any order and may leave letters out', () => {
  expect(names('mtrc')).toEqual([['app.metric', 2]]);
  expect(names('dvid')).toEqual([
    ['app.metric', 2],
    ['app.device', 2],
  ]);
  expect(names('time metric')).toEqual([['app.metric', 1]]);
  expect(names('device time')).toEqual([['app.metric', 2]]);
  expect(names('app metric tm')).toEqual([['app.metric', 1]]);
  expect(names('name time')).toEqual([]);
});

test('Q2: rows of 22 and 18 px', () => {
  const { rows, height } = schemaRows(tables, new Set(['app.metric']));
  expect(rows.map(({ top }) => top)).toEqual([0, 22, 40, 58]);
  expect(height).toBe(80);
});

test('only rows near the view are drawn', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ name: `t${at}`, columns: [] }));
  const { rows } = schemaRows(many, new Set());
  const seen = visibleRows(rows, 22 * 5000, 440);
  expect(seen.length).toBeLessThan(60);
  expect(seen.some(({ table }) => table.name === 't5001')).toBe(true);
});

test('columns are counted over all tables', () => {
  expect(countColumns(tables)).toBe(4);
});
