import { expect, test } from 'vitest';
import { nameWriter } from './nameWriter.ts';

test.each([
  ['pg', 'sql', 'app."User Data"', '"createdAt"'],
  ['telltale', 'sql', 'app."User Data"', '"createdAt"'],
  ['redshift', 'sql', 'app."User Data"', '"createdAt"'],
  ['mysql', 'sql', 'app.`User Data`', 'createdAt'],
  ['sqlite', 'sql', '"app.User Data"', 'createdAt'],
  ['duckdb', 'sql', 'app."User Data"', 'createdAt'],
  ['clickhouse', 'sql', 'app."User Data"', 'createdAt'],
  ['influxdb', 'custom', '"app.User Data"', '"createdAt"'],
  ['prometheus', 'custom', 'app.User Data', 'createdAt'],
  ['graphql', 'custom', 'app.User Data', 'createdAt'],
])('screens 5.7: names of a source of type %s are written as it reads them', (type, syntax, table, column) => {
  const names = nameWriter({ type, syntax });
  expect(names.table('app.User Data')).toBe(table);
  expect(names.column('createdAt')).toBe(column);
});
