import { setTimeout as delay } from 'node:timers/promises';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { on } from '../platform/signals.ts';
import type { TestClient } from '../testing/client.ts';
import { jobIdOf, runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { resultStored } from './result-signals.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
await app.startWorker();

const people = await Promise.all(Array.from({ length: 20 }, () => app.make.user()));
const clients = people.map((person) => app.as(person));
const [ann, bob, eve] = clients as [TestClient, TestClient, TestClient];

let count = 0;
const slow = (seconds = 60) => `select ${++count} as n, pg_sleep(${seconds})`;
/** A query that runs until its gate is opened. */
const gated = async () => {
  const gate = await target.gate();
  return { query: `select ${++count} as n, ${gate.waits} as waited`, open: gate.open };
};
const body = (query: string) => ({ data_source_id: source.id, query, max_age: 0 });
const start = async (client: TestClient, query: string) => {
  const response = await client.json('POST', '/api/query_results', body(query));
  const answer = (await response.json()) as { job: { id: string; status: number } };
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer.job.id;
};
const jobFor = async (client: TestClient, id: string) => (await client.get(jobsApi.get, { params: { id } })).job;
const cancel = (client: TestClient, id: string) => client.call(jobsApi.cancel, { params: { id } });
const isRunning = async (query: string) => (await target.running()).some((text) => text.includes(query));
const untilRunning = (query: string) => expect.poll(() => isRunning(query)).toBe(true);
const untilGone = (query: string) => expect.poll(() => isRunning(query)).toBe(false);
const cancelled = { status: 4, error: 'Query cancelled by user.' };

describe('server-behaviour 8.4: equal statements share one run', () => {
  test('twenty people who ask the same at once get one job, run once, and all read its result', async () => {
    const { query, open } = await gated();
    const ids = await Promise.all(clients.map((client) => start(client, query)));
    expect(new Set(ids).size).toBe(1);
    await open();
    const [id = ''] = ids;
    await expect.poll(async () => (await jobFor(ann, id)).status).toBe(3);
    const { query_result_id } = await jobFor(ann, id);
    expect(query_result_id).toEqual(expect.any(Number));
    for (const client of clients) {
      expect(await jobFor(client, id)).toMatchObject({ status: 3, query_result_id });
      expect((await client.fetch(`/api/query_results/${query_result_id}`)).status).toBe(200);
    }
    const { rows } = await sql`select from jobs where payload->>'query' = ${query}`.execute(app.ctx.db);
    expect(rows).toHaveLength(1);
  });

  test('one who comes later joins, whatever max_age says; a different text does not', async () => {
    const query = slow();
    const id = await start(ann, query);
    expect(await start(bob, query)).toBe(id);
    const other = await start(bob, `${query} -- other`);
    expect(other).not.toBe(id);
    await cancel(bob, other);
    for (const client of [ann, bob]) await cancel(client, id);
    await untilGone(query);
  });

  test('after the end the key is free', async () => {
    const query = `select ${++count}`;
    const [first, second] = [await runAdHoc(ann, body(query)), await runAdHoc(ann, body(query))];
    expect(jobIdOf(second)).not.toBe(jobIdOf(first));
    const failing = `select 1/0, ${++count}`;
    const [one, other] = [await runAdHoc(ann, body(failing)), await runAdHoc(bob, body(failing))];
    expect(jobIdOf(other)).not.toBe(jobIdOf(one));
    expect(other.error).toMatch(/division by zero/);
  });
});

test('server-behaviour 8.4: however many ask for the same quick query at once, each is answered', async () => {
  const saved = await app.make.query({ data_source_id: source.id, user_id: people[0]?.id ?? 0, query: 'select now() as t' });
  for (let round = 0; round < 3; round++) {
    const asking = Array.from({ length: 80 }, (_, i) => clients[i % clients.length] ?? ann);
    const ran = await Promise.all(asking.map((client) => runSaved(client, saved.id, { max_age: 0 })));
    expect(ran.filter(({ error }) => error !== '').map(({ status, error }) => [status, error])).toEqual([]);
  }
});

describe('design 8: a run updates each query it ran for', () => {
  const told: number[] = [];
  on(resultStored, async (_, { query_id }) => void told.push(query_id));
  const save = (query: string, more: object = {}) =>
    app.make.query({ data_source_id: source.id, user_id: people[0]?.id ?? 0, query, ...more });
  /** Waits until so many callers that joined the run requested it for a query. */
  const untilJoined = (query: string, joined: number) =>
    expect
      .poll(async () => {
        const count = sql<{ n: number }>`select jsonb_array_length(requests) as n from jobs where payload->>'query' = ${query}`;
        return (await count.execute(app.ctx.db)).rows[0]?.n;
      })
      .toBe(joined);
  const latestOf = async (id: number) => (await ann.get(queriesApi.get, { params: { id } })).latest_query_data_id;

  test('also those that joined it while it ran, and their alerts hear of it once', async () => {
    const { query, open } = await gated();
    const [first, second, third, stranger] = await Promise.all([save(query), save(query), save(query), save(query)]);
    const adHoc = runAdHoc(eve, body(query));
    await untilRunning(query);
    const running = Promise.all([
      adHoc,
      runSaved(ann, first.id),
      runSaved(ann, second.id),
      runSaved(bob, first.id),
      runAdHoc(bob, { ...body(query), query_id: third.id }),
    ]);
    await untilJoined(query, 4);
    await open();
    const outcomes = await running;
    expect(new Set(outcomes.map(jobIdOf)).size).toBe(1);
    const result = outcomes[0].query_result?.id;
    for (const { id } of [first, second, third]) {
      expect(await latestOf(id)).toBe(result);
      expect(told.filter((queryId) => queryId === id)).toHaveLength(1);
    }
    expect(await latestOf(stranger.id)).toBeNull();
  });

  test.each([
    ['small', 1],
    ['large', 70_000],
  ])('when that fails, a %s result goes with its job', async (_, rows) => {
    const saved = await save(`select i, md5(i::text) from generate_series(1, ${rows}) i /* ${++count} */`);
    const stop = on(resultStored, async (_, { query_id }) => {
      if (query_id === saved.id) throw new Error('an alert could not be told');
    });
    const kept = () => sql`select from query_results where query like ${`%/* ${count} */`}`.execute(app.ctx.db);
    try {
      expect((await runSaved(ann, saved.id)).error).toContain('unexpected reason');
      expect((await kept()).rows).toEqual([]);
    } finally {
      stop();
    }
    expect((await runSaved(ann, saved.id)).error).toBe('');
    expect((await kept()).rows).toHaveLength(1);
  });

  test('one whose text was changed meanwhile is left alone', async () => {
    const { query, open } = await gated();
    const saved = await save(query);
    const adHoc = runAdHoc(eve, body(query));
    await untilRunning(query);
    const joined = runSaved(ann, saved.id);
    await untilJoined(query, 1);
    await app.as(app.admin).get(queriesApi.save, { params: { id: saved.id }, body: { query: 'select 2' } });
    await open();
    expect((await joined).query_result?.id).toBe((await adHoc).query_result?.id);
    expect(await latestOf(saved.id)).toBeNull();
  });

  test('what the cache answers is the latest of the query, unless that is younger', async () => {
    const query = `select ${++count} as cached`;
    const { query_result: old } = await runAdHoc(ann, body(query));
    const [saved, other] = [await save(query), await save(query, { options: { apply_auto_limit: true } })];
    expect((await runSaved(bob, saved.id, { max_age: -1 })).shape).toEqual(['query_result']);
    expect(await latestOf(saved.id)).toBe(old?.id);
    await runSaved(bob, saved.id, { max_age: -1 });
    expect(told.filter((id) => id === saved.id)).toHaveLength(1);
    // Without the limit the text differs from that of this query's own run.
    await runSaved(bob, other.id, { max_age: -1, apply_auto_limit: false });
    expect(await latestOf(other.id)).toBeNull();
    const { query_result: younger } = await runAdHoc(ann, body(query));
    await runSaved(bob, saved.id, { max_age: 3600 });
    expect(await latestOf(saved.id)).toBe(younger?.id);
  });
});

describe('design 8: cancelling', () => {
  test('alone: the statement is gone from the server at once, the job says so', async () => {
    const query = slow();
    const id = await start(ann, query);
    await untilRunning(query);
    expect((await cancel(ann, id)).body).toBeNull();
    await untilGone(query);
    await expect.poll(() => jobFor(ann, id)).toMatchObject(cancelled);
    expect((await cancel(ann, id)).status).toBe(200);
  });

  test('at whatever moment: also while it is only being prepared', async () => {
    for (const ms of [0, 3, 6, 10, 15, 25, 40]) {
      const query = slow();
      const started = start(bob, query);
      const find = async () =>
        (await sql<{ id: string }>`select id from jobs where payload->>'query' = ${query}`.execute(app.ctx.db)).rows[0]?.id;
      await expect.poll(find, { interval: 5 }).toBeTypeOf('string');
      await delay(ms);
      await cancel(bob, (await find()) ?? '');
      await started;
      await untilGone(query);
    }
  });

  test('shared: who leaves sees it cancelled, the others get their result', async () => {
    const { query, open } = await gated();
    const [id, other] = [await start(ann, query), await start(bob, query)];
    expect(other).toBe(id);
    await untilRunning(query);
    await cancel(ann, id);
    expect(await jobFor(ann, id)).toMatchObject(cancelled);
    expect(await isRunning(query)).toBe(true);
    expect((await jobFor(bob, id)).status).toBe(2);
    await open();
    await expect.poll(async () => (await jobFor(bob, id)).status).toBe(3);
    expect(await jobFor(ann, id)).toMatchObject(cancelled);
  });

  test('shared: it is stopped when the last of them has left', async () => {
    const query = slow();
    const id = await start(ann, query);
    await start(bob, query);
    await untilRunning(query);
    await cancel(bob, id);
    await cancel(bob, id);
    expect(await isRunning(query)).toBe(true);
    await cancel(ann, id);
    await untilGone(query);
    for (const client of [ann, bob]) await expect.poll(() => jobFor(client, id)).toMatchObject(cancelled);
  });

  test('who left and asks again is in again', async () => {
    const { query, open } = await gated();
    const id = await start(ann, query);
    await start(bob, query);
    await cancel(ann, id);
    expect(await start(ann, query)).toBe(id);
    await cancel(bob, id);
    await open();
    await expect.poll(async () => (await jobFor(ann, id)).status).toBe(3);
  });

  test('who cancels and runs again at once gets a new run, not an error and not the dying one', async () => {
    for (let round = 0; round < 3; round++) {
      const query = slow();
      const id = await start(ann, query);
      await untilRunning(query);
      await cancel(ann, id);
      const again = await start(ann, query);
      expect(again).not.toBe(id);
      expect((await jobFor(ann, again)).status).toBeLessThan(3);
      await cancel(ann, again);
      await untilGone(query);
    }
  });

  test('only a caller who cancelled sees a cancelled run, however joining and leaving interleave', async () => {
    for (let round = 0; round < 6; round++) {
      const query = slow(0.5);
      const id = await start(ann, query);
      const [, outcome] = await Promise.all([delay(round * 3).then(() => cancel(ann, id)), runAdHoc(bob, body(query))]);
      expect(outcome.error).toBe('');
    }
  });

  test('a waiting one ends without ever starting', async () => {
    const blockers = Array.from({ length: 6 }, () => slow());
    const ids = await Promise.all(blockers.map((query, i) => start(i < 3 ? eve : bob, query)));
    const query = slow();
    const id = await start(ann, query);
    expect((await jobFor(ann, id)).status).toBe(1);
    await cancel(ann, id);
    expect(await jobFor(ann, id)).toMatchObject(cancelled);
    await Promise.all(ids.map((blocker, i) => cancel(i < 3 ? eve : bob, blocker)));
    for (const blocker of blockers) await untilGone(blocker);
    await delay(300);
    expect(await isRunning(query)).toBe(false);
    expect((await jobFor(ann, id)).updated_at).toBe(0);
  });

  test('one that is over stays as it is', async () => {
    const outcome = await runAdHoc(ann, body(`select ${++count}`));
    await cancel(ann, jobIdOf(outcome));
    expect((await jobFor(ann, jobIdOf(outcome))).status).toBe(3);
  });

  test('a stranger cannot, and an administrator can for everybody', async () => {
    const query = slow();
    const id = await start(ann, query);
    await start(bob, query);
    expect((await cancel(eve, id)).status).toBe(404);
    await cancel(app.as(app.admin), id);
    await untilGone(query);
    for (const client of [ann, bob]) await expect.poll(() => jobFor(client, id)).toMatchObject(cancelled);
  });

  test('who stops it for everybody sees it cancelled at once, whenever its worker obeys', async () => {
    for (let round = 0; round < 5; round++) {
      const query = slow();
      const id = await start(ann, query);
      await untilRunning(query);
      await cancel(app.as(app.admin), id);
      expect(await jobFor(app.as(app.admin), id)).toMatchObject(cancelled);
      await untilGone(query);
    }
  });

  test('rows that were already stored go with it', async () => {
    const query = `select i, repeat('x', 1000) as t from generate_series(1, 3000000) i /* ${++count} */`;
    const id = await start(ann, query);
    const growing = () => sql`select from query_results where query = ${query}`.execute(app.ctx.db);
    await expect.poll(async () => (await growing()).rows.length).toBe(1);
    await cancel(ann, id);
    await expect.poll(() => jobFor(ann, id)).toMatchObject(cancelled);
    await expect.poll(async () => (await growing()).rows.length).toBe(0);
  });
});
