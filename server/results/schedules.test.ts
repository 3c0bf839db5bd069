import { adminApi } from '@telltale/domain/admin/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { on } from '../platform/signals.ts';
import { mailFailures } from '../queries/failure-mails.ts';
import { forgetEndedSchedules } from '../queries/runs.ts';
import { jobIdOf, runAdHoc, runSaved } from '../testing/run-query.ts';
import { fakeSmtp } from '../testing/smtp.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { resultStored } from './result-signals.ts';
import { refreshDueQueries } from './scheduled-runs.ts';

const smtp = await fakeSmtp();
const app = await testApp({ env: { SMTP_URL: smtp.url } });
const admin = app.as(app.admin);
const owner = await app.make.user({ name: 'Olga' });
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
const minute = 60_000;

const make = (more: Record<string, unknown> = {}) =>
  app.as(owner).get(queriesApi.create, {
    body: { name: 'Scheduled', query: 'select 1 as one', data_source_id: source.id, schedule: { interval: 3600 }, ...more },
  });
const read = (id: number) =>
  app.as(owner).get(queriesApi.get, { params: { id } }) as Promise<{
    next_run_at: string;
    latest_query_data_id: number | null;
    schedule: unknown;
  }>;
const scan = (now?: Date) => refreshDueQueries(app.ctx, now);
const set = (id: number, changes: ReturnType<typeof sql>) => sql`update queries set ${changes} where id = ${id}`.execute(app.ctx.db);

interface State {
  schedule_failures: number;
  last_slot_at: string | null;
  next_run_at: string | null;
  scheduled_job_id: string | null;
  latest_query_data_id: number | null;
}
async function stateOf(id: number): Promise<State> {
  const { rows } = await sql<State>`
    select schedule_failures, last_slot_at, next_run_at, scheduled_job_id, latest_query_data_id from queries where id = ${id}`.execute(
    app.ctx.db,
  );
  return rows[0] as State;
}
interface ScheduledJob {
  id: string;
  name: string;
  queue: string;
  status: number;
  meta: Record<string, unknown>;
  payload: Record<string, unknown>;
}
async function jobsOf(id: number): Promise<ScheduledJob[]> {
  const { rows } = await sql<ScheduledJob>`
    select id, name, queue, status, meta, payload from jobs where queue = 'scheduled_queries' and meta->>'query_id' = ${String(id)} order by enqueued_at`.execute(
    app.ctx.db,
  );
  return rows;
}
async function settled(id: number): Promise<State> {
  await expect.poll(async () => (await stateOf(id)).scheduled_job_id).toBeNull();
  return stateOf(id);
}
const ms = (text: string | null) => Date.parse(text ?? '');

const adHoc = (query: string) => runAdHoc(app.as(owner), { data_source_id: source.id, query });
const untilRunning = (query: string) => expect.poll(async () => (await target.running()).some((text) => text.includes(query))).toBe(true);

/** Queries of an earlier test are not due in the next one. */
beforeEach(async () => {
  await sql`update queries set next_run_at = null, schedule = null, scheduled_job_id = null`.execute(app.ctx.db);
  await sql`update jobs set status = 4, finished_at = now() where status = 1`.execute(app.ctx.db);
});

describe('server-behaviour 13.2: each due query is queued once', () => {
  test('design 8: what never ran is due at once; the job says what it is for', async () => {
    const { id } = await make();
    expect(await scan()).toEqual([id]);
    expect(await jobsOf(id)).toMatchObject([
      {
        name: 'redash.tasks.queries.execution.execute_query',
        queue: 'scheduled_queries',
        status: 1,
        meta: { scheduled: true, query_id: id, data_source_id: source.id, user_id: owner.id },
        payload: { query: 'select 1 as one', query_id: id, links: true, scheduled: true },
      },
    ]);
    const { last_slot_at, next_run_at } = await stateOf(id);
    expect(ms(next_run_at) - ms(last_slot_at)).toBe(3_600_000);
    expect(await scan()).toEqual([]);
  });

  test('of twenty scans at the same time each query is queued by one', async () => {
    const made = await Promise.all(Array.from({ length: 15 }, (_, i) => make({ name: `Race ${i}`, query: `select ${i} as race` })));
    const started = (await Promise.all(Array.from({ length: 20 }, () => scan()))).flat();
    expect(started.sort((a, b) => a - b)).toEqual(made.map(({ id }) => id).sort((a, b) => a - b));
    for (const { id } of made) expect(await jobsOf(id)).toHaveLength(1);
  });

  test('not before its time, and from its slot on, so that runs do not drift', async () => {
    const { id } = await make();
    const slot = new Date('2026-03-02T10:00:00Z');
    await set(id, sql`next_run_at = ${slot}`);
    expect(await scan(new Date(slot.getTime() - 1))).toEqual([]);
    expect(await scan(new Date(slot.getTime() + 4000))).toEqual([id]);
    expect(await stateOf(id)).toMatchObject({ last_slot_at: '2026-03-02T10:00:00Z', next_run_at: '2026-03-02T11:00:00Z' });
  });

  test('slots that were missed are made up for by one run', async () => {
    const { id } = await make({ schedule: { interval: 86_400, time: '09:00' } });
    await set(id, sql`next_run_at = '2026-03-02T09:00:00Z'`);
    await scan(new Date('2026-03-05T12:00:00Z'));
    expect(await stateOf(id)).toMatchObject({ next_run_at: '2026-03-06T09:00:00Z' });
    expect(await jobsOf(id)).toHaveLength(1);
  });

  test.each([
    [{ interval: 604_800, time: '09:00', day_of_week: 'Friday' }, '2024-05-03T09:00:00Z'],
    [{ interval: 604_800, time: '11:00', day_of_week: 'Wednesday' }, '2024-05-01T11:00:00Z'],
    [{ interval: 604_800, time: '09:00', day_of_week: 'Monday' }, '2024-05-06T09:00:00Z'],
    [{ interval: 86_400, time: '23:00' }, '2024-05-01T23:00:00Z'],
    [{ interval: 3600 }, '2024-05-01T11:07:30Z'],
  ])('W20, 27.3: after a run on Wed 2024-05-01 10:07:30, %j comes up at %s', async (schedule, next) => {
    const { id } = await make({ schedule });
    await set(id, sql`next_run_at = '2024-05-01T10:07:30Z'`);
    await scan(new Date('2024-05-01T10:07:30Z'));
    expect((await stateOf(id)).next_run_at).toBe(next);
  });

  test('while a run has not ended there is no second one, however short the interval', async () => {
    const { id } = await make({ schedule: { interval: 1 } });
    await scan();
    expect(await scan(new Date(Date.now() + 10 * minute))).toEqual([]);
    expect(await jobsOf(id)).toHaveLength(1);
  });

  test('paused sources wait, archived queries and those without a source are not run', async () => {
    const paused = await app.make.dataSource({ options: target.options });
    const lost = await app.make.dataSource({ options: target.options });
    const [waiting, archived, orphan] = [await make({ data_source_id: paused.id }), await make(), await make({ data_source_id: lost.id })];
    await admin.get(dataSourcesApi.pause, { params: { id: paused.id }, body: {} });
    await app.as(owner).get(queriesApi.archive, { params: { id: archived.id } });
    await set(archived.id, sql`schedule = '{"interval": 60}', next_run_at = now() - interval '1 second'`);
    await admin.get(dataSourcesApi.remove, { params: { id: lost.id } });
    expect(await scan()).toEqual([]);
    await admin.get(dataSourcesApi.resume, { params: { id: paused.id } });
    expect(await scan()).toEqual([waiting.id]);
    expect(await jobsOf(orphan.id)).toEqual([]);
  });

  test('security 20: the schedule of somebody who lost its source does not run', async () => {
    const group = await app.make.group();
    const own = await app.make.dataSource({ options: target.options, groups: { [group.id]: false } });
    const leaver = await app.make.user({ groups: [], group_ids: [group.id] });
    const body = { name: 'Theirs', query: 'select 1', data_source_id: own.id, schedule: { interval: 3600 } };
    const { id } = await app.as(leaver).get(queriesApi.create, { body });
    await sql`delete from data_source_groups where data_source_id = ${own.id}`.execute(app.ctx.db);
    await scan();
    expect(await stateOf(id)).toMatchObject({ schedule_failures: 1, scheduled_job_id: null });
  });

  test('a schedule that has ended brings nothing up, and is cleared', async () => {
    const { id } = await make();
    await set(id, sql`schedule = '{"interval": 3600, "until": "2026-01-01"}', next_run_at = '2025-12-31T23:30:00Z'`);
    await scan(new Date('2025-12-31T23:30:01Z'));
    expect((await stateOf(id)).next_run_at).toBeNull();
    const { id: running } = await make({ schedule: { interval: 3600, until: '2999-01-01' } });
    await set(running, sql`next_run_at = now() + interval '1 hour'`);
    await forgetEndedSchedules(app.ctx);
    expect([(await read(id)).schedule, (await read(running)).schedule]).toEqual([
      null,
      { interval: 3600, time: null, day_of_week: null, until: '2999-01-01' },
    ]);
  });

  test('W24: a schedule that nobody can read, or options that are none, do not keep the others waiting', async () => {
    const [bad, broken, good] = [await make(), await make(), await make()];
    await set(bad.id, sql`schedule = '{"interval": "soon"}', next_run_at = now() - interval '2 hours'`);
    await set(broken.id, sql`options = '{"parameters": 7}', next_run_at = now() - interval '1 hour'`);
    expect(await scan()).toEqual([good.id]);
    expect(await stateOf(bad.id)).toMatchObject({ next_run_at: null, schedule_failures: 0 });
    expect(await stateOf(broken.id)).toMatchObject({ schedule_failures: 1, scheduled_job_id: null });
    expect(await scan()).toEqual([]);
  });

  test('W40: the scan finds due queries by an index', async () => {
    await sql`set enable_seqscan = off`.execute(app.ctx.db);
    const plan = await sql`explain select id from queries where next_run_at <= now() order by next_run_at limit 1`.execute(app.ctx.db);
    expect(JSON.stringify(plan.rows)).toContain('query_due');
  });
});

describe('the values of a scheduled run', () => {
  test('W24: dynamic dates are those of the organisation’s time zone', async () => {
    await admin.get(organizationApi.saveSettings, { body: { time_zone: 'Pacific/Kiritimati' } });
    const options = { parameters: [{ name: 'day', type: 'date', value: 'd_now' }] };
    const { id } = await make({ query: "select '{{ day }}' as day", options });
    const today = () => `select '${new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)}' as day`;
    // Midnight may pass meanwhile.
    const before = today();
    await scan();
    expect([before, today()]).toContain((await jobsOf(id))[0]?.payload.query);
    await admin.get(organizationApi.saveSettings, { body: { time_zone: 'UTC' } });
  });

  test('the stored limit is applied', async () => {
    const { id } = await make({ options: { parameters: [], apply_auto_limit: true } });
    await scan();
    expect((await jobsOf(id))[0]?.payload.query).toBe('select 1 as one LIMIT 1000');
  });

  test.each([
    ['no value', 'select {{ n }}', [{ name: 'n', type: 'number', value: null }]],
    ['a value that does not fit', 'select {{ n }}', [{ name: 'n', type: 'number', value: 'x' }]],
    ['a placeholder that nobody declared', 'select {{ m }}', []],
    ['no text', '  ', []],
  ])('13.4: %s is a failure that never becomes a job', async (_, query, parameters) => {
    const { id } = await make({ query, options: { parameters } });
    expect(await scan()).toEqual([]);
    expect(await jobsOf(id)).toEqual([]);
    const { schedule_failures, next_run_at, last_slot_at } = await stateOf(id);
    expect(schedule_failures).toBe(1);
    expect(ms(next_run_at) - ms(last_slot_at)).toBe(3_600_000 + 2 * minute);
  });
});

describe('W10: a schedule joins only results that its responsible users may read', () => {
  const setUp = async () => {
    const walled = await app.make.dataSource({ options: target.options, groups: {} });
    const joined = await app.make.dataSource({ type: 'results' });
    const secret = await app.make.query({ data_source_id: walled.id, user_id: app.admin.id });
    const open = await app.make.query({ data_source_id: source.id, user_id: owner.id });
    return { data_source_id: joined.id, secret: `select * from query_${secret.id}`, open: `select * from query_${open.id}` };
  };

  test('its owner', async () => {
    const { data_source_id, secret, open } = await setUp();
    const [bad, good] = [await make({ data_source_id, query: secret }), await make({ data_source_id, query: open })];
    expect(await scan()).toEqual([good.id]);
    expect(await stateOf(bad.id)).toMatchObject({ schedule_failures: 1 });
  });

  test('and the author of the text, whatever the owner changes afterwards', async () => {
    const { data_source_id, secret } = await setUp();
    const body = { name: 'Of the admin', query: secret, data_source_id, schedule: { interval: 60 } };
    const { id } = await admin.get(queriesApi.create, { body });
    expect(await scan()).toEqual([id]);
    await set(id, sql`scheduled_job_id = null`);
    await admin.get(queryAclApi.grant, { params: { id }, body: { access_type: 'modify', user_id: owner.id } });
    await app.as(owner).get(queriesApi.save, { params: { id }, body: { query: `${secret} -- mine` } });
    await admin.get(queriesApi.save, { params: { id }, body: { name: 'Renamed by the admin' } });
    expect(await scan()).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ schedule_failures: 1 });
    await admin.get(queriesApi.save, { params: { id }, body: { query: `${secret} -- mine again` } });
    expect(await scan()).toEqual([id]);
  });

  test('not a deleted account', async () => {
    const { data_source_id, open } = await setUp();
    const leaver = await app.make.user();
    const body = { name: 'Left behind', query: open, data_source_id, schedule: { interval: 60 } };
    const { id } = await app.as(leaver).get(queriesApi.create, { body });
    await admin.get(usersApi.disable, { params: { id: leaver.id } });
    expect(await scan()).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ schedule_failures: 1 });
  });
});

describe('what a run leaves behind', () => {
  test('its result is the query’s latest, and waiting callers are notified', async () => {
    await app.startWorker();
    const heard: unknown[] = [];
    const stop = on(resultStored, async (tx, told) => {
      const { rows } = await sql<{ id: number }>`select latest_query_data_id as id from queries where id = ${told.query_id}`.execute(tx.db);
      heard.push({ ...told, latest: rows[0]?.id });
    });
    const { id } = await make({ query: 'select 41 + 1 as answer' });
    await scan();
    const { latest_query_data_id, schedule_failures } = await settled(id);
    stop();
    expect(schedule_failures).toBe(0);
    expect(heard).toMatchObject([{ query_id: id, result_id: latest_query_data_id, latest: latest_query_data_id }]);
    // server-behaviour 8.6: a scheduled run is its owner's.
    expect(heard).toMatchObject([{ metadata: { Username: owner.email, query_id: id, Queue: 'scheduled_queries', Scheduled: true } }]);
    const { query_result } = await app.as(owner).get(resultsApi.latest, { params: { id } });
    expect(query_result.data.rows).toEqual([{ answer: 42 }]);
    await expect.poll(async () => (await jobsOf(id))[0]).toMatchObject({ status: 3 });
  });

  test('server-behaviour 13.3, 13.4: failures hold it back by 2, 4, 8 … minutes, and a success forgives them', async () => {
    const { id } = await make({ query: 'select * from nowhere' });
    for (const failures of [1, 2, 3]) {
      await set(id, sql`next_run_at = now() - interval '1 second'`);
      expect(await scan()).toEqual([id]);
      const state = await settled(id);
      expect(state).toMatchObject({ schedule_failures: failures, latest_query_data_id: null });
      expect(ms(state.next_run_at) - ms(state.last_slot_at)).toBe(3_600_000 + 2 ** failures * minute);
    }
    await target.query('create table nowhere (x int)');
    await set(id, sql`next_run_at = now() - interval '1 second'`);
    await scan();
    const state = await settled(id);
    expect(state.schedule_failures).toBe(0);
    expect(ms(state.next_run_at) - ms(state.last_slot_at)).toBe(3_600_000);
  });

  test('server-behaviour 13.4: any run of the query forgives them, by hand too', async () => {
    const { id } = await make();
    await set(id, sql`schedule_failures = 5, last_slot_at = now(), next_run_at = now() + interval '92 minutes'`);
    await app.as(owner).get(queriesApi.refresh, { params: { id } });
    await expect.poll(async () => (await stateOf(id)).schedule_failures).toBe(0);
    const { last_slot_at, next_run_at } = await stateOf(id);
    expect(ms(next_run_at) - ms(last_slot_at)).toBe(60 * minute);
  });

  test('a failure of somebody’s own run says nothing about the schedule', async () => {
    const { id } = await make({ query: 'select * from not_there_either', schedule: null });
    expect((await runSaved(app.as(owner), id)).error).toMatch(/not_there_either/);
    expect((await stateOf(id)).schedule_failures).toBe(0);
  });

  test('what somebody saved anew gets another chance at once', async () => {
    const { id } = await make();
    await set(id, sql`schedule_failures = 9, last_slot_at = now(), next_run_at = now() + interval '10 hours'`);
    const saved = await app.as(owner).get(queriesApi.save, { params: { id }, body: { query: 'select 2 as two' } });
    expect(ms(saved.next_run_at)).toBeLessThanOrEqual(Date.now());
    expect((await stateOf(id)).schedule_failures).toBe(0);
  });

  test('W30: the result of a text that was changed meanwhile is not the query’s', async () => {
    const { waits, open } = await target.gate();
    const { id } = await make({ query: `select ${waits}, 1 as old` });
    await scan();
    await untilRunning(waits);
    await app.as(owner).get(queriesApi.save, { params: { id }, body: { query: 'select 2 as new', schedule: null } });
    await open();
    await expect.poll(async () => (await jobsOf(id))[0]?.status).toBe(3);
    expect((await settled(id)).latest_query_data_id).toBeNull();
  });

  test('W30: the same text on another source is not this query’s result', async () => {
    const { id } = await make({ query: 'select current_database() as name', schedule: null });
    const other = await targetDatabase();
    const elsewhere = await app.make.dataSource({ options: other.options });
    const body = { query: 'select current_database() as name', data_source_id: elsewhere.id, query_id: id };
    expect((await runAdHoc(app.as(owner), body)).rows).toEqual([{ name: other.options.dbname }]);
    expect((await stateOf(id)).latest_query_data_id).toBeNull();
  });

  test('one that joins results waits while a source it joined is paused', async () => {
    const joining = await app.make.dataSource({ type: 'results' });
    const paused = await app.make.dataSource({ options: target.options });
    const inner = await make({ data_source_id: paused.id, schedule: null });
    const outer = await make({ data_source_id: joining.id, query: `select * from query_${inner.id}` });
    await scan();
    expect((await settled(outer.id)).latest_query_data_id).not.toBeNull();
    await admin.get(dataSourcesApi.pause, { params: { id: paused.id }, body: {} });
    await set(outer.id, sql`next_run_at = now() - interval '1 second'`);
    expect(await scan()).toEqual([]);
    await admin.get(dataSourcesApi.resume, { params: { id: paused.id } });
    expect(await scan()).toEqual([outer.id]);
    expect((await settled(outer.id)).schedule_failures).toBe(0);
  });

  test('a cancelled run is over, and the next slot comes as usual', async () => {
    const { id } = await make({ query: 'select pg_sleep(60)' });
    await scan();
    const [job] = await jobsOf(id);
    await expect.poll(() => target.running()).toContainEqual(expect.stringContaining('pg_sleep(60)'));
    await admin.get(jobsApi.cancel, { params: { id: job?.id ?? '' } });
    await expect.poll(async () => (await jobsOf(id))[0]?.status).toBe(4);
    const before = await stateOf(id);
    expect(await scan()).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ scheduled_job_id: null, schedule_failures: 0, next_run_at: before.next_run_at });
  });

  test('a run whose process died is made up for at once, but not for ever', async () => {
    const { id } = await make({ query: 'select 5 as five' });
    for (const failures of [1, 2, 3]) {
      await set(id, sql`scheduled_job_id = gen_random_uuid(), last_slot_at = now(), next_run_at = now() + interval '1 hour'`);
      expect(await scan()).toEqual([id]);
      await settled(id);
      await set(id, sql`schedule_failures = ${failures}`);
    }
    await set(
      id,
      sql`schedule_failures = 3, scheduled_job_id = gen_random_uuid(), last_slot_at = now(), next_run_at = now() + interval '1 hour'`,
    );
    expect(await scan()).toEqual([]);
    const state = await stateOf(id);
    expect(state).toMatchObject({ schedule_failures: 4, scheduled_job_id: null });
    expect(ms(state.next_run_at) - ms(state.last_slot_at)).toBe(3_600_000 + 16 * minute);
  });
});

describe('server-behaviour 8.4: a scheduled run and one that somebody asks for are one', () => {
  test('it joins what runs already: the result is the query’s own, and so is a failure', async () => {
    for (const [joined, failures] of [
      [(waits: string) => `select 1 as joined, ${waits}`, 0],
      [(waits: string) => `select 1 / length(${waits}) as joined`, 1],
    ] as const) {
      const { waits, open } = await target.gate();
      const query = joined(waits);
      const { id } = await make({ query });
      const asked = adHoc(query);
      await untilRunning(query);
      expect(await scan()).toEqual([id]);
      const { scheduled_job_id } = await stateOf(id);
      await open();
      const outcome = await asked;
      expect(jobIdOf(outcome)).toBe(scheduled_job_id);
      const { schedule_failures, latest_query_data_id } = await settled(id);
      expect({ schedule_failures, latest_query_data_id }).toEqual({
        schedule_failures: failures,
        latest_query_data_id: outcome.query_result?.id ?? null,
      });
    }
  });

  test('schedules of equal texts run once, and each query has the result', async () => {
    const { waits, open } = await target.gate();
    const made = await Promise.all([1, 2, 3].map((i) => make({ name: `Equal ${i}`, query: `select 7 as equal, ${waits}` })));
    expect(await scan()).toHaveLength(3);
    await open();
    const states = await Promise.all(made.map(({ id }) => settled(id)));
    expect(new Set(states.map((state) => state.latest_query_data_id)).size).toBe(1);
    expect(states[0]?.latest_query_data_id).not.toBeNull();
  });

  test('neither a leaving member nor the owner stops it for others', async () => {
    const { waits, open } = await target.gate();
    const query = `select 1 as shared, ${waits}`;
    const { id } = await make({ query });
    await scan();
    await untilRunning(query);
    const { scheduled_job_id } = await stateOf(id);
    const params = { id: scheduled_job_id ?? '' };
    const [one, other] = [app.as(await app.make.user()), app.as(await app.make.user())];
    const ask = (client: typeof one) => runAdHoc(client, { data_source_id: source.id, query });
    const [left, stayed] = [ask(one), ask(other)];
    await expect.poll(async () => (await one.call(jobsApi.get, { params })).status).toBe(200);
    await expect.poll(async () => (await other.call(jobsApi.get, { params })).status).toBe(200);
    await one.call(jobsApi.cancel, { params });
    await app.as(owner).call(jobsApi.cancel, { params });
    expect((await left).error).toBe('Query cancelled by user.');
    await open();
    expect((await stayed).error).toBe('');
    expect((await settled(id)).latest_query_data_id).toBe((await stayed).query_result?.id);
  });
});

describe('server-behaviour 13.4: mails about failures', () => {
  const fail = async (id: number) => {
    await set(id, sql`next_run_at = now() - interval '1 second'`);
    await scan();
    await settled(id);
  };
  const failures = async () => (await sql`select from query_failures`.execute(app.ctx.db)).rows.length;

  test('none while the setting is off', async () => {
    const { id } = await make({ query: 'select 1 from off_nowhere' });
    await fail(id);
    expect(await failures()).toBe(0);
  });

  test('one an hour to each owner: what failed, how often, why, and where', async () => {
    await admin.get(organizationApi.saveSettings, { body: { send_email_on_failed_scheduled_queries: true } });
    const first = await make({ name: 'First <b>bold</b>', query: 'select 1 from nowhere_a' });
    for (let i = 0; i < 3; i++) await fail(first.id);
    const second = await make({ name: 'Second', query: 'select 1 from nowhere_b' });
    await fail(second.id);
    await set(second.id, sql`schedule_failures = 76`);
    await fail(second.id);
    await mailFailures(app.ctx);
    await mailFailures(app.ctx);
    const [letter, ...more] = await smtp.lettersTo(owner.email);
    const text = letter?.text.replaceAll('\r\n', '\n');
    expect(more).toEqual([]);
    expect(letter?.subject).toBe('2 of your scheduled queries failed');
    expect(text).toContain(`First <b>bold</b>\nhttp://localhost:5000/queries/${first.id}\nLast failed: `);
    expect(text).toContain('and 2 more times\nrelation "nowhere_a" does not exist');
    expect(text).toContain('and 1 more time\nrelation "nowhere_b" does not exist');
    expect(text).toContain('these reports will stop soon');
    expect(letter?.html).toContain('First &lt;b&gt;bold&lt;/b&gt;');
    expect(await failures()).toBe(0);
  });

  test('the hundredth failure is not mailed, nor any to a disabled user', async () => {
    const often = await make({ query: 'select 1 from nowhere_c' });
    await set(often.id, sql`schedule_failures = 99`);
    await fail(often.id);
    expect(await failures()).toBe(0);
    const leaver = await app.make.user();
    const { id } = await app.as(leaver).get(queriesApi.create, {
      body: { name: 'x', query: 'select 1 from nowhere_d', data_source_id: source.id, schedule: { interval: 60 } },
    });
    await admin.get(usersApi.disable, { params: { id: leaver.id } });
    await fail(id);
    expect(await failures()).toBe(0);
  });
});

describe('23: for administrators', () => {
  test('server-behaviour 23.3: due queries and unfinished ones are listed until they end', async () => {
    const paused = await app.make.dataSource({ options: target.options });
    const waiting = await make({ name: 'Waiting', data_source_id: paused.id });
    await admin.get(dataSourcesApi.pause, { params: { id: paused.id }, body: {} });
    const { waits, open } = await target.gate();
    const running = await make({ name: 'Running', query: `select ${waits}` });
    const scannedAfter = Math.floor(Date.now() / 1000);
    await scan();
    const { queries, updated_at } = await admin.get(adminApi.outdated);
    expect(queries.map(({ id }) => id)).toEqual([running.id, waiting.id]);
    expect(Number(updated_at)).toBeGreaterThanOrEqual(scannedAfter);
    expect(Number(updated_at)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    const { queues } = await admin.get(adminApi.jobs);
    expect(Object.keys(queues)).toEqual(['queries', 'scheduled_queries', 'schemas', 'emails', 'notices', 'default', 'periodic']);
    await expect
      .poll(async () => (await admin.get(adminApi.jobs)).queues.scheduled_queries?.started)
      .toMatchObject([
        {
          origin: 'scheduled_queries',
          name: 'redash.tasks.queries.execution.execute_query',
          meta: { query_id: running.id, scheduled: true },
        },
      ]);
    await open();
    await settled(running.id);
    expect((await admin.get(adminApi.outdated)).queries.map(({ id }) => id)).toEqual([waiting.id]);
  });

  test('server-behaviour 23.2: the workers; nothing of what the jobs carry', async () => {
    const { workers } = await admin.get(adminApi.jobs);
    expect(workers).toMatchObject([{ pid: process.pid, state: expect.stringMatching(/busy|idle/), successful_jobs: expect.any(Number) }]);
    expect(JSON.stringify(await admin.get(adminApi.jobs))).not.toMatch(/payload|select/);
  });

  test('super_admin only', async () => {
    for (const call of [adminApi.jobs, adminApi.outdated]) expect((await app.as(owner).call(call)).status).toBe(403);
  });
});
