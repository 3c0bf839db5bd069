import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { expect, test } from 'vitest';
import { nameWriter } from './nameWriter.ts';

test.each<[type: string, dialect: Dialect, syntax: string, table: string, column: string]>([
  ['pg', 'postgres', 'sql', 'app."User Data"', '"createdAt"'],
  ['telltale', 'postgres', 'sql', 'app."User Data"', '"createdAt"'],
  ['redshift', 'generic', 'sql', 'app."User Data"', '"createdAt"'],
  ['mysql', 'mysql', 'sql', 'app.`User Data`', 'createdAt'],
  ['sqlite', 'sqlite', 'sql', '"app.User Data"', 'createdAt'],
  ['duckdb', 'duckdb', 'sql', 'app."User Data"', 'createdAt'],
  ['clickhouse', 'clickhouse', 'sql', 'app."User Data"', 'createdAt'],
  ['influxdb', 'generic', 'custom', '"app.User Data"', '"createdAt"'],
  ['prometheus', 'generic', 'custom', 'app.User Data', 'createdAt'],
  ['graphql', 'generic', 'custom', 'app.User Data', 'createdAt'],
])('screens 5.7: names of a source of type %s are written as it reads them', (type, dialect, syntax, table, column) => {
  const names = nameWriter({ type, dialect, syntax });
  expect(names.table('app.User Data')).toBe(table);
  expect(names.column('createdAt')).toBe(column);
});
