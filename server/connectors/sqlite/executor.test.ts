import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealing } from '../../executor/seal.ts';
import { isAlive, startDoomedWorker } from '../testing/doom.ts';
import { type Executors, startExecutors } from '../testing/executors.ts';

let files = '';
let executors: Executors | undefined;
const source = { type: 'sqlite', options: { dbpath: 'plant.db' } };
const run: Executors['run'] = (...given) => (executors as Executors).run(...given);

/** The query never returns a row, so the process never checks for messages. */
const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as m from n';

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'telltale-sqlite-'));
  new DatabaseSync(join(files, 'plant.db')).close();
  executors = startExecutors(files, 2);
});
afterAll(async () => {
  await executors?.close();
  await rm(files, { recursive: true });
});

test('design 9: a statement without an end is cancelled with its process, and the next one runs', async () => {
  for (let i = 0; i < 2; i++) {
    const controller = new AbortController();
    const running = run(source, endless, { signal: controller.signal });
    const other = run(source, 'select 1 as a');
    setTimeout(() => controller.abort(new Error('stopped')), 1000);
    await expect(running).rejects.toThrow('stopped');
    expect((await other).rows).toEqual([{ a: 1 }]);
  }
  expect((await run(source, 'select 2 as a')).rows).toEqual([{ a: 2 }]);
});

test('security 7: its process has no network, where the system can take it away, and is nobody else’s', async () => {
  await run(source, 'select 1 as a');
  const networkOf = (pid: number | 'self') => readlink(`/proc/${pid}/ns/net`);
  const look = async () => {
    const pids = (await executors?.pids()) ?? [];
    const networks = await Promise.all(pids.map(networkOf));
    expect(pids.length).toBeGreaterThan(1);
    expect(networks[0]).toBe(await networkOf('self'));
    return { pids, apart: pids.filter((_, i) => networks[i] !== networks[0]) };
  };
  if (sealing('network', '/usr').length === 0) return expect((await look()).apart).toEqual([]);
  // A process that has just been started to replace a cancelled one leaves the network in its first moments.
  await expect.poll(async () => await look().then(({ pids, apart }) => pids.length - apart.length)).toBe(1);
  const { apart } = await look();
  const devices = (await readFile(`/proc/${apart[0]}/net/dev`, 'utf8')).matchAll(/^\s*(\w+):/gm);
  expect([...devices].map(([, name]) => name)).toEqual(['lo']);
});

test('a worker that is killed leaves no process behind that counts on for ever', async () => {
  const worker = await startDoomedWorker(source, endless, files);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(isAlive(worker.executorPid)).toBe(true);
  worker.kill();
  await expect.poll(() => isAlive(worker.executorPid)).toBe(false);
});

test('memory that runs away ends the process, not the worker', async () => {
  const hungry = `with recursive n(i, t) as (select 1, '' union all select i + 1, zeroblob(1000000) || i from n limit 2000) select count(distinct t || i) as n from n`;
  const ended = await run(source, hungry).then(
    () => 'done',
    (error: Error) => error.message,
  );
  expect(ended).toMatch(/done|memory/);
  expect((await run(source, 'select 3 as a')).rows).toEqual([{ a: 3 }]);
});
