import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../testing/doom.ts';
import { type Executors, startExecutors } from '../testing/executors.ts';

let files = '';
let executors: Executors | undefined;
const source = { type: 'duckdb', options: { dbpath: 'plant.csv' } };
const run: Executors['run'] = (...given) => (executors as Executors).run(...given);

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'telltale-duckdb-'));
  await writeFile(join(files, 'plant.csv'), 'a,b\n1,2\n');
  executors = startExecutors(files, 2);
});
afterAll(async () => {
  await executors?.close();
  await rm(files, { recursive: true });
});

/** The engine works in threads of its own, for which an orderly exit of the process would wait. */
test.each([
  ['a list', 'select range(100000000) as i'],
  ['a text', `select repeat('x', 2000000000) as t`],
])('W35: %s that takes too much memory ends with its process, at once', async (_, query) => {
  await run(source, 'select 1 as a');
  const before = (await executors?.pids()) ?? [];
  await expect(run(source, query)).rejects.toThrow(/memory/);
  await expect.poll(async () => before.filter(isAlive).length).toBeLessThan(before.length);
  expect((await run(source, 'select 3 as a')).rows).toEqual([{ a: 3 }]);
});
