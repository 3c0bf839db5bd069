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
