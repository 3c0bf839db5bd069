import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { refreshDueQueries } from './scheduled-runs.ts';

/** Scheduled runs and waiting runs do not delay the runs of others (server-behaviour 8.6). */
const env = { DATABASE_URL: inject('postgres').url };
const target = await targetDatabase();

test('long scheduled runs leave room for people, for schemas and for connection tests', async () => {
  const app = await testApp({ env });
  const admin = app.as(app.admin);
  const [one, other, third] = await Promise.all([1, 2, 3].map(() => app.make.dataSource({ options: target.options })));
  if (!one || !other || !third) throw new Error('There are no sources.');
  for (const [i, source] of [one, one, one, one, one, one, other, other].entries()) {
    const query = `select ${i} as n, pg_sleep(60)`;
    await admin.get(queriesApi.create, { body: { name: `Long ${i}`, query, data_source_id: source.id, schedule: { interval: 3600 } } });
  }
  await app.startWorker([], 8);
  await refreshDueQueries(app.ctx);
  const text = 'select 9 as n';
  const last = { name: 'Short', query: text, data_source_id: other.id, schedule: { interval: 3600 } };
  const waiting = await admin.get(queriesApi.create, { body: last });
  const sleeping = async () => (await target.running()).filter((text) => text.includes('pg_sleep(60)')).length;
  await expect.poll(sleeping).toBeGreaterThanOrEqual(4);
  const [answers, schema, tested] = await Promise.all([
    Promise.all([one, other, third].map(({ id }) => runAdHoc(admin, { data_source_id: id, query: 'select 1 as n' }))),
    admin.call(dataSourcesApi.schema, { params: { id: third.id }, query: { refresh: 'true' } }),
    admin.get(dataSourcesApi.test, { params: { id: one.id } }),
  ]);
  expect(await sleeping()).toBeGreaterThanOrEqual(4);
  expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
  expect(schema.status).toBe(200);
  expect(tested).toEqual({ message: 'success', ok: true });
  // 8.4: a scheduled run that waits behind the long ones starts when a user requests the same.
  await refreshDueQueries(app.ctx);
  const scheduled = async () =>
    (
      await sql<{ id: string | null; latest: number | null }>`
      select scheduled_job_id as id, latest_query_data_id as latest from queries where id = ${waiting.id}`.execute(app.ctx.db)
    ).rows[0];
  const before = await scheduled();
  expect(before).toEqual({ id: expect.any(String), latest: null });
  const joined = await runAdHoc(admin, { data_source_id: other.id, query: text });
  expect(joined).toMatchObject({ rows: [{ n: 9 }], job: { id: before?.id } });
  expect(await scheduled()).toEqual({ id: null, latest: joined.query_result?.id });
  const schemaJobs = () => sql`select from jobs where name = 'data_sources.schema' and status = 3`.execute(app.ctx.db);
  await expect.poll(async () => (await schemaJobs()).rows.length).toBe(1);
  const { rows } = await sql<{ id: string }>`select id from jobs where status in (1, 2)`.execute(app.ctx.db);
  for (const { id } of rows) await admin.call(jobsApi.cancel, { params: { id } });
  await expect.poll(sleeping).toBe(0);
});

test('the time that a query waits for an executor is neither its runtime nor part of its limit', async () => {
  const app = await testApp({ env: { ...env, TELLTALE_QUERY_SECONDS: '10' } });
  const admin = app.as(app.admin);
  const sources = await Promise.all([1, 2, 3].map(() => app.make.dataSource({ options: target.options })));
  await app.startWorker([], 1);
  expect((await runAdHoc(admin, { data_source_id: sources[0]?.id, query: 'select 1' })).error).toBe('');
  const ran = await Promise.all(sources.map(({ id }) => runAdHoc(admin, { data_source_id: id, query: 'select pg_sleep(4)' })));
  expect(ran.map(({ error }) => error)).toEqual(['', '', '']);
  for (const { query_result } of ran) expect(query_result?.runtime).toBeLessThan(10);
});

test('W12: one person’s slow queries leave room for others on the same source', async () => {
  const app = await testApp({ env });
  const [ann, bob] = [app.as(await app.make.user()), app.as(await app.make.user())];
  const source = await app.make.dataSource({ options: target.options });
  await app.startWorker([], 8);
  const jobs = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const answer = await ann.json('POST', '/api/query_results', {
        data_source_id: source.id,
        query: `select pg_sleep(90), ${i}`,
        max_age: 0,
      });
      return ((await answer.json()) as { job: { id: string } }).job.id;
    }),
  );
  const sleeping = async () => (await target.running()).filter((text) => text.includes('pg_sleep(90)')).length;
  await expect.poll(sleeping).toBe(4);
  const answers = await Promise.all([1, 2, 3].map((n) => runAdHoc(bob, { data_source_id: source.id, query: `select ${n} as n` })));
  expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  expect(await sleeping()).toBe(4);
  await Promise.all(jobs.map((id) => ann.call(jobsApi.cancel, { params: { id } })));
  await expect.poll(sleeping).toBe(0);
});
