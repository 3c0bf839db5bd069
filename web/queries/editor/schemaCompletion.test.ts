import { expect, test } from 'vitest';
import { nameOptions } from './schemaCompletion.ts';

const tables = [
  { name: 'app.metric', columns: [{ name: 'time', type: 'timestamp' }, { name: 'device_id' }] },
  { name: 'app.device', columns: [{ name: 'device_id', type: 'text' }] },
];
const labels = (before: string, text = before) => nameOptions(tables, before, text, 'postgres')?.options.map(({ label }) => label);

test('screens 5.4: nothing without a typed beginning', () => {
  expect(nameOptions(tables, 'select ', 'select ', 'postgres')).toBeNull();
});

test('tables and columns, each name once', () => {
  expect(labels('select de')).toEqual(['app.metric', 'app.device', 'time', 'device_id']);
});

test('after a table, its short name or its alias come its columns', () => {
  expect(labels('app.metric.')).toEqual(['time', 'device_id']);
  expect(labels('device.de')).toEqual(['device_id']);
  expect(labels('select m.', 'select m. from app.metric AS m')).toEqual(['time', 'device_id']);
  expect(nameOptions(tables, 'app.metric.ti', '', 'postgres')?.length).toBe(2);
});

test('after a schema come whole names', () => {
  expect(labels('from app.')).toEqual(['app.metric', 'app.device']);
  expect(nameOptions(tables, 'from app.', '', 'postgres')?.length).toBe(4);
});

test('a completion shows the type of a column', () => {
  expect(nameOptions(tables, 'ti', '', 'postgres')?.options.map(({ detail }) => detail)).toEqual(['Table', 'Table', 'Timestamp', 'Column']);
});

test('after the default schema, which the names leave out, come the tables', () => {
  const bare = [{ name: 'metric', columns: [{ name: 'time' }] }];
  expect(nameOptions(bare, 'from app.me', '', 'postgres')).toMatchObject({ length: 2, options: [{ label: 'metric' }] });
  expect(nameOptions(bare, 'app.metric.', '', 'postgres')?.options).toMatchObject([{ label: 'time' }]);
});

const odd = [
  { name: 'User Data', columns: [{ name: 'createdAt' }, { name: 'order' }] },
  { name: 'My App.Reading', columns: [{ name: 'at' }] },
];
const oddLabels = (before: string, text = before) => nameOptions(odd, before, text, 'postgres')?.options.map(({ label }) => label);

test('after a table between quotes, or its alias, come its columns', () => {
  expect(oddLabels('select "User Data".')).toEqual(['createdAt', 'order']);
  expect(oddLabels('select "My App"."Reading".a')).toEqual(['at']);
  expect(oddLabels('select u.', 'select u. from x, "User Data" u')).toEqual(['createdAt', 'order']);
  expect(oddLabels('select r.', 'select r. from "My App"."Reading" as r')).toEqual(['at']);
});

test('a name whose quote is open is completed from there, blanks and all', () => {
  expect(nameOptions(odd, 'from "User D', '', 'postgres')).toMatchObject({ length: 6, options: [{ label: 'User Data' }, {}, {}, {}, {}] });
  expect(nameOptions(odd, 'select "User Data"."cre', '', 'postgres')).toMatchObject({ length: 3, options: [{ label: 'createdAt' }, {}] });
  expect(nameOptions(odd, 'from `User D', '', 'mysql')?.length).toBe(6);
});

test('in a text and in a comment there are no names', () => {
  expect(oddLabels("where a = 'Us")).toBeUndefined();
  expect(oddLabels('-- Us')).toBeUndefined();
});
