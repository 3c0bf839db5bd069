import { sql } from 'kysely';
import { afterEach, expect, inject, test } from 'vitest';
import { objectStorePeer } from '../testing/object-store-peer.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { deleteQueuedObjects, sweepObjects } from './object-upkeep.ts';
import { deleteResult, findResult } from './results.store.ts';
import { findStoredResult } from './stored-rows.ts';

const store = await objectStorePeer();
const app = await testApp({
  env: {
    DATABASE_URL: inject('postgres').url,
    RESULTS_URL: store.url,
    TELLTALE_RESULTS_INLINE: '100000',
    TELLTALE_RESULTS_PERSON: '50000000',
  },
});
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
await app.startWorker();
const client = app.as(app.admin);
const { db } = app.ctx;
app.ctx.config.results.objectBytes = 700_000;

afterEach(() => {
  store.failWith = () => undefined;
  store.before = async () => {};
});

const rowCount = 50_000;
/** Some 2 MB deflated: three objects. */
const query = `select i as id, md5(i::text) || md5((-i)::text) as text from generate_series(1, ${rowCount}) i`;
let variants = 0;
const large = () => `${query} /* ${++variants} */`;
const run = (text: string) => runAdHoc(client, { data_source_id: source.id, query: text });
const storeLarge = async () => (await run(large())).query_result?.id ?? 0;
const folderOf = async (id: number) => (await findResult(db, id))?.object_folder ?? null;
const keysOf = (folder: string | null) => [...store.objects.keys()].filter((key) => folder !== null && key.includes(folder));
const queued = async () =>
  (await sql<{ folder: string }>`select folder from object_deletions order by 1`.execute(db)).rows.map(({ folder }) => folder);

const id = await storeLarge();

test('issue 21: a large result lies in the bucket, all but its beginning, and its quota counts all of it', async () => {
  const { rows } = await sql<{ inline: number; outside: number; stored: number; charged: number }>`
    select sum(length(data))::int as inline, sum(object_bytes)::int as outside, max(stored_bytes)::int as stored, max(charged_to) as charged
    from query_result_chunks join query_results on id = result_id where result_id = ${id}`.execute(db);
  const [sums] = rows;
  expect(sums?.charged).toBe(app.admin.id);
  expect(sums?.inline).toBeLessThan(800_000);
  expect(sums?.outside).toBeGreaterThan(1_000_000);
  expect(sums?.stored).toBe((sums?.inline ?? 0) + (sums?.outside ?? 0));
  const keys = keysOf(await folderOf(id));
  expect(keys.length).toBeGreaterThan(1);
  expect(keys.reduce((bytes, key) => bytes + (store.objects.get(key)?.data.length ?? 0), 0)).toBe(sums?.outside);
});

test('it is read back exactly, as JSON with and without gzip, as CSV and as XLSX, and row by row', async () => {
  const [first, last] = [`{"id":1,`, `{"id":${rowCount},`];
  for (const encoding of ['gzip', 'identity']) {
    const reply = await client.fetch(`/api/query_results/${id}`, { headers: { 'accept-encoding': encoding } });
    const text = await reply.text();
    expect(text).toContain(first);
    expect(text).toContain(last);
    const { query_result } = JSON.parse(text) as { query_result: { data: { rows: { id: number; text: string }[] } } };
    expect(query_result.data.rows.map((row) => row.id)).toEqual(Array.from({ length: rowCount }, (_, n) => n + 1));
  }
  const csv = await (await client.fetch(`/api/query_results/${id}.csv`)).text();
  expect(csv.trimEnd().split('\n')).toHaveLength(rowCount + 1);
  const xlsx = Buffer.from(await (await client.fetch(`/api/query_results/${id}.xlsx`)).arrayBuffer());
  expect(xlsx.subarray(0, 2).toString()).toBe('PK');
  expect(xlsx.length).toBeGreaterThan(1_000_000);
  let rows = 0;
  const stored = await findStoredResult(app.ctx, id);
  for await (const batch of stored?.rows() ?? []) rows += batch.length;
  expect(rows).toBe(rowCount);
});

test('a small result, and the first rows of a large one, need no store', async () => {
  store.requests.length = 0;
  expect((await run('select 1 as one')).rows).toEqual([{ one: 1 }]);
  const stored = await findStoredResult(app.ctx, id);
  for await (const batch of stored?.rows(10) ?? []) expect(batch).toHaveLength(10);
  expect(store.requests).toEqual([]);
});

test('a store that is away, or refuses, fails that result with a sentence and leaves nothing behind', async () => {
  const before = (await sql<{ id: number }>`select id from query_results`.execute(db)).rows.length;
  store.failWith = (method) => (method === 'PUT' ? 403 : undefined);
  const refused = await run(large());
  expect(refused.error).toBe(
    'The result could not be stored, because the object store cannot be used at the moment. Please try again later.',
  );
  expect((await run('select 2 as two')).rows).toEqual([{ two: 2 }]);
  expect((await sql<{ id: number }>`select id from query_results`.execute(db)).rows.length).toBe(before + 1);

  for (const [status, message] of [
    [403, 'The object store that holds the rows of this result cannot be reached. Please try again later.'],
    [404, 'Rows of this result are missing in the object store. Please execute the query again.'],
  ] as const) {
    store.failWith = (method) => (method === 'PUT' ? undefined : status);
    for (const type of ['', '.csv', '.xlsx']) {
      const reply = await client.fetch(`/api/query_results/${id}${type}`);
      expect(reply.status).toBe(503);
      expect(await reply.json()).toMatchObject({ message });
    }
  }
});

test('a store that is busy for a moment is asked again', async () => {
  let failures = 0;
  store.failWith = (method) => (method !== 'HEAD' && failures++ % 2 === 0 ? 503 : undefined);
  const again = await storeLarge();
  expect(again).toBeGreaterThan(0);
  const reply = await client.fetch(`/api/query_results/${again}.csv`);
  expect((await reply.text()).trimEnd().split('\n')).toHaveLength(rowCount + 1);
});

test('an object that was cut or replaced breaks the answer off', async () => {
  const cut = await storeLarge();
  const [, second = ''] = keysOf(await folderOf(cut));
  const object = store.objects.get(second);
  if (object) object.data = object.data.subarray(0, 1000);
  const reply = await client.fetch(`/api/query_results/${cut}.csv`);
  await expect(reply.text()).rejects.toThrow();
});

test('the objects go with the result, queued in the transaction that deletes it and kept in the queue while the store is away', async () => {
  const gone = await storeLarge();
  const folder = await folderOf(gone);
  await db
    .transaction()
    .execute(async (tx) => {
      await deleteResult(tx, gone);
      throw new Error('taken back');
    })
    .catch(() => {});
  expect(await queued()).not.toContain(folder);
  await deleteResult(db, gone);
  expect(await queued()).toContain(folder);
  store.failWith = (method) => (method === 'DELETE' ? 403 : undefined);
  await deleteQueuedObjects(app.ctx);
  expect(await queued()).toContain(folder);
  expect(keysOf(folder).length).toBeGreaterThan(0);
  store.failWith = () => undefined;
  await deleteQueuedObjects(app.ctx);
  expect(await queued()).toEqual([]);
  expect(keysOf(folder)).toEqual([]);
  expect(keysOf(await folderOf(id)).length).toBeGreaterThan(1);
});

test('a source takes its results and their objects along', async () => {
  const other = await app.make.dataSource({ options: target.options });
  const stored = (await runAdHoc(client, { data_source_id: other.id, query: large() })).query_result?.id ?? 0;
  const folder = await folderOf(stored);
  await client.json('DELETE', `/api/data_sources/${other.id}`);
  await expect.poll(queued).toContain(folder);
  await deleteQueuedObjects(app.ctx);
  expect(keysOf(folder)).toEqual([]);
});

test('a run that is cancelled while its objects are stored leaves none', async () => {
  const released = Promise.withResolvers<void>();
  let puts = 0;
  store.before = async (method) => {
    if (method === 'PUT' && puts++ === 0) await released.promise;
  };
  // More rows than are on their way at a time: the run waits for its first object.
  const endless = large().replace(String(rowCount), '5000000');
  const answer = await client.json('POST', '/api/query_results', { data_source_id: source.id, query: endless, max_age: 0 });
  const { job } = (await answer.json()) as { job: { id: string } };
  await expect.poll(() => puts).toBeGreaterThan(0);
  await client.json('DELETE', `/api/jobs/${job.id}`);
  released.resolve();
  await expect.poll(queued).toHaveLength(1);
  const [folder = ''] = await queued();
  await deleteQueuedObjects(app.ctx);
  expect(keysOf(folder)).toEqual([]);
});

test('the sweep finds objects without a result, and leaves alone those of results, of other consoles and young ones', async () => {
  const kept = keysOf(await folderOf(id));
  const root = kept[0]?.slice(0, kept[0].indexOf('/results/')) ?? '';
  const orphan = `${root}/results/1-orphan/0`;
  const foreign = 'of tests/another-console/results/1-x/0';
  const modifiedAt = new Date(Date.now() - 2 * 3_600_000);
  for (const key of [orphan, foreign]) store.objects.set(key, { data: Buffer.from('x'), modifiedAt });
  store.objects.set(`${root}/results/2-young/0`, { data: Buffer.from('x'), modifiedAt: new Date() });
  for (const key of kept) {
    const object = store.objects.get(key);
    if (object) object.modifiedAt = modifiedAt;
  }
  expect(await sweepObjects(app.ctx)).toBe(1);
  await deleteQueuedObjects(app.ctx);
  expect(store.objects.has(orphan)).toBe(false);
  expect(store.objects.has(foreign)).toBe(true);
  expect(store.objects.has(`${root}/results/2-young/0`)).toBe(true);
  expect(keysOf(await folderOf(id))).toEqual(kept);
});

test('a row of another console’s backup queues no deletion of its objects', async () => {
  const copied = await storeLarge();
  await sql`update query_results set object_folder = 'another-console/results/7-x' where id = ${copied}`.execute(db);
  await deleteResult(db, copied);
  expect(await queued()).toEqual([]);
});
