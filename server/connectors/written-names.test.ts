import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { quoteName } from '@telltale/domain/sql/quote.ts';
import { writtenName } from '@telltale/domain/sql/written-name.ts';
import { expect, test } from 'vitest';
import { targetDatabase } from '../testing/target-database.ts';

const target = await targetDatabase();
const odd = ['createdAt', 'User Data', '1st', 'größe', 'a"b', 'A.b'];

/** Creates a table with a column for each name, and a statement that reads all of them by their written names. */
const trial = (names: readonly string[], dialect: 'postgres' | 'duckdb' | 'sqlite') => ({
  create: `create table trial (${names.map((name, i) => `${quoteName(name, dialect)} int default ${i}`).join(', ')})`,
  insert: `insert into trial (${quoteName(names[0] ?? '', dialect)}) values (0)`,
  select: `select ${names.map((name) => `${writtenName(name, dialect)} as c_${name.length}`).join(', ')} from trial`,
});

const postgresKeywords = async () => (await target.query<{ word: string }>('select word from pg_get_keywords()')).map(({ word }) => word);
const order = (count: number) => Array.from({ length: count }, (_, i) => i);

test('every keyword of PostgreSQL, as a column, is read by its written name', async () => {
  const names = [...(await postgresKeywords()), ...odd];
  const { create, insert, select } = trial(names, 'postgres');
  await target.query(create);
  await target.query(insert);
  // An array collects the values, because the columns share names.
  const [row] = await target.query<{ all: number[] }>(
    `select array[${names.map((name) => writtenName(name, 'postgres')).join(', ')}]::int[] as all from trial`,
  );
  expect(row?.all).toEqual(order(names.length));
  await target.query(select);
});

test('every keyword of DuckDB, as a column, is read by its written name', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const keywords = await connection.runAndReadAll('select distinct keyword_name from duckdb_keywords()');
  const names = [...keywords.getRows().map(([word]) => String(word)), ...odd];
  const { create, insert, select } = trial(names, 'duckdb');
  await connection.run(create);
  await connection.run(insert);
  expect((await connection.runAndReadAll(select)).getRows()[0]).toEqual(order(names.length));
});

test('every keyword of PostgreSQL, as a column, is read by its written name in SQLite', async () => {
  const names = [...(await postgresKeywords()), ...odd];
  const { create, insert, select } = trial(names, 'sqlite');
  const database = new DatabaseSync(':memory:');
  database.exec(create);
  database.exec(insert);
  const statement = database.prepare(select);
  statement.setReturnArrays(true);
  expect(statement.get()).toEqual(order(names.length));
});
