import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { expect, test } from 'vitest';
import { suggestedPicture } from './suggestion.ts';

const columns = (types: Record<string, ColumnType>) => Object.entries(types).map(([name, type]) => ({ name, type }));

test.each([
  ['a time and numbers are a line', { time: 'datetime', temperature: 'float' }, 100, 'Line chart'],
  ['one row with a number is a counter', { time: 'datetime', temperature: 'float' }, 1, 'Counter'],
  ['names and numbers are bars', { room: 'string', messages: 'integer' }, 12, 'Bar chart'],
  ['positions are a map', { device: 'string', lat: 'float', lon: 'float' }, 12, 'Map'],
  ['two numbers are a scatter plot', { a: 'float', b: 'float' }, 500, 'Scatter plot'],
  ['texts alone are a table', { room: 'string', note: 'string' }, 12, undefined],
  ['many names are a table', { room: 'string', messages: 'integer' }, 500, undefined],
  ['nothing is nothing', { time: 'datetime', temperature: 'float' }, 0, undefined],
] as const)('%s', (_, types, length, expected) => {
  expect(suggestedPicture({ columns: columns(types), rows: { length } })?.title).toBe(expected);
});
