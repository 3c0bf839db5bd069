import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { expect, inject, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { jobIdOf, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

/** A user who leaves the page of a query while it runs, and comes back, learns which of their runs to follow. */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
await app.startWorker();
const [ann, bob] = await Promise.all([app.make.user(), app.make.user()]);
const [asAnn, asBob] = [app.as(ann), app.as(bob)];

let count = 0;
const slow = () => `select ${++count} as n, pg_sleep(30)`;
const save = (query = slow()) => app.make.query({ data_source_id: source.id, user_id: ann.id, query });
const start = async (client: TestClient, path: string, body: object) => {
  const answer = (await (await client.json('POST', path, { max_age: 0, ...body })).json()) as { job: { id: string } };
  return answer.job.id;
};
const startSaved = (client: TestClient, id: number, body: object = {}) => start(client, `/api/queries/${id}/results`, body);
const runningOf = async (client: TestClient, id: number) => {
  const query = await client.get(queriesApi.get, { params: { id } });
  return 'running' in query ? query.running : undefined;
};
const cancel = (client: TestClient, id: string) => client.call(jobsApi.cancel, { params: { id } });

test('the reader who asked for the run finds it, with its age; others do not, until they join it', async () => {
  const { id } = await save();
  expect(await runningOf(asAnn, id)).toBeUndefined();
  const job = await startSaved(asAnn, id);
  await expect.poll(async () => (await runningOf(asAnn, id))?.job.status).toBe(2);
  const running = await runningOf(asAnn, id);
  expect(running?.job.id).toBe(job);
  expect(running?.seconds).toBeGreaterThan(0.2);
  expect(running?.seconds).toBeLessThan(60);
  expect(await runningOf(asBob, id)).toBeUndefined();
  expect(await runningOf(app.as(app.admin), id)).toBeUndefined();

  expect(await startSaved(asBob, id)).toBe(job);
  expect((await runningOf(asBob, id))?.job.id).toBe(job);
  await cancel(asAnn, job);
  expect(await runningOf(asAnn, id)).toBeUndefined();
  expect((await runningOf(asBob, id))?.job.id).toBe(job);
  await cancel(asBob, job);
  expect(await runningOf(asBob, id)).toBeUndefined();
});

test('it is the run of the query as it is saved: no other text of it, no other query with the same text', async () => {
  const text = slow();
  const [query, twin] = [await save(text), await save(text)];
  const other = await start(asAnn, '/api/query_results', { data_source_id: source.id, query: slow(), query_id: query.id });
  expect(await runningOf(asAnn, query.id)).toBeUndefined();
  const job = await startSaved(asAnn, query.id);
  expect(await runningOf(asAnn, twin.id)).toBeUndefined();
  expect((await runningOf(asAnn, query.id))?.job.id).toBe(job);
  await asAnn.get(queriesApi.save, { params: { id: query.id }, body: { query: 'select 1' } });
  expect(await runningOf(asAnn, query.id)).toBeUndefined();
  for (const id of [other, job]) await cancel(asAnn, id);
});

test('a query that joined the run of somebody else’s text is followed, too', async () => {
  const text = slow();
  const query = await save(text);
  const job = await start(asBob, '/api/query_results', { data_source_id: source.id, query: text });
  expect(await startSaved(asAnn, query.id)).toBe(job);
  expect((await runningOf(asAnn, query.id))?.job.id).toBe(job);
  for (const client of [asAnn, asBob]) await cancel(client, job);
});

test('a reader by key learns of no run, and one that has ended is none', async () => {
  const query = await save();
  const job = await startSaved(asAnn, query.id);
  const shared = await app.anonymous().fetch(`/api/queries/${query.id}?api_key=${query.api_key}`);
  expect(shared.status).toBe(200);
  expect(await shared.json()).not.toHaveProperty('running');
  await cancel(asAnn, job);
  const quick = await save('select 1 as n');
  expect(jobIdOf(await runSaved(asAnn, quick.id))).not.toBe('');
  expect(await runningOf(asAnn, quick.id)).toBeUndefined();
});
