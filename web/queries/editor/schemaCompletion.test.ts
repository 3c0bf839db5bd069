import { expect, test } from 'vitest';
import { nameOptions } from './schemaCompletion.ts';

const tables = [
  { name: 'app.metric', columns: [{ name: 'time', type: 'timestamp' }, { name: 'device_id' }] },
  { name: 'app.device', columns: [{ name: 'device_id', type: 'text' }] },
];
const labels = (before: string, text = before) => nameOptions(tables, before, text)?.options.map(({ label }) => label);

test('screens 5.4: nothing without a typed beginning', () => {
  expect(nameOptions(tables, 'select ', 'select ')).toBeNull();
});

test('tables and columns, each name once', () => {
  expect(labels('select de')).toEqual(['app.metric', 'app.device', 'time', 'device_id']);
});

test('after a table, its short name or its alias come its columns', () => {
  expect(labels('app.metric.')).toEqual(['time', 'device_id']);
  expect(labels('device.de')).toEqual(['device_id']);
  expect(labels('select m.', 'select m. from app.metric AS m')).toEqual(['time', 'device_id']);
  expect(nameOptions(tables, 'app.metric.ti', '')?.length).toBe(2);
});

test('after a schema come whole names', () => {
  expect(labels('from app.')).toEqual(['app.metric', 'app.device']);
  expect(nameOptions(tables, 'from app.', '')?.length).toBe(4);
});

test('the type of a column is told', () => {
  expect(nameOptions(tables, 'ti', '')?.options.map(({ detail }) => detail)).toEqual(['Table', 'Table', 'Timestamp', 'Column']);
});

test('after the default schema, which the names leave out, come the tables', () => {
  const bare = [{ name: 'metric', columns: [{ name: 'time' }] }];
  expect(nameOptions(bare, 'from app.me', '')).toMatchObject({ length: 2, options: [{ label: 'metric' }] });
  expect(nameOptions(bare, 'app.metric.', '')?.options).toMatchObject([{ label: 'time' }]);
});
