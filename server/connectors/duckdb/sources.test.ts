import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { duckdb } from '../duckdb.ts';
import { runOnce } from '../testing/run-table.ts';
import { findSource } from './sources.ts';

test('a file called as the language’s own words is a table that needs no quotes', async () => {
  const filesFolder = await mkdtemp(join(tmpdir(), 'telltale-names-'));
  onTestFinished(() => rm(filesFolder, { recursive: true }));
  for (const name of ['order.csv', 'Semi.csv', 'user.csv', '_order.csv']) await writeFile(join(filesFolder, name), 'a,b\n1,2\n');
  const { tables } = await findSource(filesFolder, '.');
  const names = tables.map(({ name }) => name);
  expect(names.sort()).toEqual(['_order', '_order1', '_semi', 'user']);
  for (const name of names)
    expect((await runOnce(duckdb, { dbpath: '.' }, `select * from ${name}`, { env: { filesFolder } })).rows).toEqual([{ a: 1, b: 2 }]);
});

test.each(['csv', 'json'])('ten small %s files are joined in the memory of one query', async (ending) => {
  const filesFolder = await mkdtemp(join(tmpdir(), 'telltale-joined-'));
  onTestFinished(() => rm(filesFolder, { recursive: true }));
  const files = Array.from({ length: 10 }, (_, i) => `part${i}`);
  for (const name of files) await writeFile(join(filesFolder, `${name}.${ending}`), ending === 'csv' ? 'a,b\n1,2\n' : '{"a":1,"b":2}\n');
  const joined = `select part0.b from part0 ${files
    .slice(1)
    .map((name) => `join ${name} using (a)`)
    .join(' ')}`;
  expect((await runOnce(duckdb, { dbpath: '.' }, joined, { env: { filesFolder } })).rows).toEqual([{ b: 2 }]);
});
