import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { jobIdOf, type Ran, runAdHoc, runQuery, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await target.query(`create table reading as select i as id, 'device ' || i as device, i * 1.5 as value from generate_series(1, 3000) i`);
await app.startWorker([], 8);

const ann = await app.make.user();
const bob = await app.make.user();
const client = app.as(ann);
const source = await app.make.dataSource({ name: 'Warehouse', options: target.options });
const writable = await app.make.dataSource({ options: { ...target.options, allow_writes: true } });
const hidden = await app.make.dataSource({ options: target.options, groups: {} });
const viewers = await app.make.group();
const viewed = await app.make.dataSource({ options: target.options, groups: { [viewers.id]: true } });
const viewer = await app.make.user({ groups: [], group_ids: [viewers.id] });

let count = 0;
/** A text that no other test has in the cache. */
const fresh = (text = 'select 1 as n') => `${text} /* ${++count} */ -- ${count}`;
const run = (query: string, more: object = {}) => runAdHoc(client, { data_source_id: source.id, query, ...more });
const saved = (query: string, more: object = {}) => app.make.query({ data_source_id: source.id, user_id: ann.id, query, ...more });
/** Repeats `ask` until the first answer contains the result: on a busy machine not every run ends before it. */
async function quick(ask: () => Promise<Ran>): Promise<Ran> {
  let ran = await ask();
  for (let left = 50; left > 0 && ran.shape.length < 2; left--) ran = await ask();
  expect(ran.shape).toEqual(['job', 'query_result']);
  return ran;
}
// The first run starts a process, so that timed runs find it running.
await run(fresh());
const refusal = (status: number, error: string | RegExp) => ({
  status,
  job: { status: 4, error: typeof error === 'string' ? error : expect.stringMatching(error) },
});

describe('design 4: what a run answers', () => {
  test('a quick one: its job, done, and the result beside it', async () => {
    const { job, query_result } = await quick(() => run(fresh()));
    expect(job).toMatchObject({ status: 3, error: '', result: query_result?.id, query_result_id: query_result?.id });
    expect(query_result).toMatchObject({
      data_source_id: source.id,
      data: { rows: [{ n: 1 }], columns: [{ name: 'n', type: 'integer' }] },
    });
  });

  test('server-behaviour 8.6: the source reads who runs what in a comment before the statement, which nothing in it can end', async () => {
    const eve = await app.make.user({ email: "eve+1*/;'--@example.com" });
    const query = fresh('select current_query() as sent');
    const { rows, job, query_result: stored } = await runAdHoc(app.as(eve), { data_source_id: source.id, query });
    if (!stored || !('query' in stored)) throw new Error('The result comes without its text.');
    const facts = [
      `Job ID: ${jobIdOf({ job })}`,
      'Username: eve+1--@example.com',
      'query_id: adhoc',
      'Queue: queries',
      `Query Hash: ${stored.query_hash}`,
      'Scheduled: false',
    ];
    expect(String(rows?.[0]?.sent)).toMatch(`/* ${facts.join(', ')} */ `);
    // The stored text is the one that was asked for.
    expect(stored.query).toBe(query);
  });

  test('a cached one: the result alone', async () => {
    const query = fresh();
    const { query_result } = await run(query);
    const again = await run(query, { max_age: -1 });
    expect(again.shape).toEqual(['query_result']);
    expect(again.query_result).toEqual(query_result);
  });

  test('a slow one: its job, after 300 ms and long before its end', async () => {
    const started = Date.now();
    const response = await client.json('POST', '/api/query_results', {
      data_source_id: source.id,
      query: fresh('select pg_sleep(60)'),
      max_age: 0,
    });
    const waited = Date.now() - started;
    const body = (await response.json()) as { job: { id: string; status: number } };
    expect(Object.keys(body)).toEqual(['job']);
    expect([1, 2]).toContain(body.job.status);
    expect(waited).toBeGreaterThanOrEqual(290);
    await client.json('DELETE', `/api/jobs/${body.job.id}`);
  });

  test('one that fails at once: its job with the reason and the place', async () => {
    const { shape, job } = await run('select 1,\n   nothing_like_it,\n 2 from reading');
    expect(shape).toEqual(['job']);
    expect(job).toMatchObject({
      status: 4,
      error: expect.stringContaining('nothing_like_it'),
      error_line: 2,
      error_column: 4,
      result: null,
    });
  });

  test.each([
    ['select 1 +\n+\n+ from', 3, 3],
    ['/* ü 🛰 */ select\n\n  x', 3, 3],
    ['\n\n\nselect * from no_such_table', 4, 15],
    [`select 'a' as a; select 1 as b;\nselect c`, 2, 8],
  ])('%j fails at line %i, column %i', async (query, line, column) => {
    const { job } = await run(query);
    expect(job).toMatchObject({ status: 4, error_line: line, error_column: column });
  });
});

describe('server-behaviour 8.3: max_age', () => {
  const idOf = async (query: string, max_age: unknown) => (await run(query, { max_age })).query_result?.id;

  test('0 runs again, -1, null and nothing take any result', async () => {
    const query = fresh();
    const first = await idOf(query, 0);
    for (const age of [-1, '-1', null, undefined]) expect(await idOf(query, age)).toBe(first);
    expect(await idOf(query, 0)).not.toBe(first);
  });

  test('n takes one that is not older than n seconds', async () => {
    const query = fresh();
    const first = await idOf(query, 0);
    await sql`update query_results set retrieved_at = now() - interval '100 seconds' where id = ${first}`.execute(app.ctx.db);
    expect(await idOf(query, 200)).toBe(first);
    expect(await idOf(query, 50)).not.toBe(first);
  });

  test.each([-2, 1.5, 'soon', '', ' 5', true, [0], 2_147_483_648, { $gt: 0 }, '1e99'])('%j is a 400', async (max_age) => {
    expect((await run('select 1', { max_age })).status).toBe(400);
  });

  test('W2: the key is the text itself', async () => {
    const pairs = [
      [`select 'a b' as t`, `select 'ab' as t`],
      [`select 'A' as t`, `select 'a' as t`],
      ['select 1 as t -- x\n, 2 as u', 'select 1 as t -- x , 2 as u'],
      [`select '/* x */' as t`, `select '' as t`],
      ['select "T" from (select 1 as "T", 2 as t) x', 'select t from (select 1 as "T", 2 as t) x'],
    ];
    for (const [one = '', other = ''] of pairs) {
      const [first, second] = [await run(one), await run(other, { max_age: -1 })];
      expect(first.error).toBe('');
      expect(second.error).toBe('');
      expect(second.query_result?.id).not.toBe(first.query_result?.id);
    }
  });

  test('a result is shared by everybody who may run on the source, and by no other source', async () => {
    const query = fresh();
    const { query_result } = await run(query);
    expect((await runAdHoc(app.as(bob), { data_source_id: source.id, query, max_age: -1 })).query_result?.id).toBe(query_result?.id);
    const elsewhere = await runAdHoc(app.as(app.admin), { data_source_id: hidden.id, query, max_age: -1 });
    expect(elsewhere.query_result?.id).not.toBe(query_result?.id);
  });

  test('security 25: a cached result does not open a source that one may not use', async () => {
    const query = fresh();
    await runAdHoc(app.as(app.admin), { data_source_id: hidden.id, query });
    expect(await runAdHoc(client, { data_source_id: hidden.id, query, max_age: -1 })).toMatchObject({ status: 403, rows: undefined });
  });

  test('another database of the source has results of its own', async () => {
    const query = fresh('select current_database() as name');
    await run(query);
    const other = await run(query, { max_age: -1, database: 'telltale_no_such' });
    expect(other.error).toMatch(/does not exist/);
  });

  test('other settings of the source are another place: nothing stored before answers for it; another name changes nothing', async () => {
    const [first, second] = [target, await targetDatabase()];
    const moving = await app.make.dataSource({ name: 'Moving', options: first.options });
    const put = (name: string, options: Record<string, unknown>) =>
      app.as(app.admin).get(dataSourcesApi.save, { params: { id: moving.id }, body: { name, type: 'pg', options } });
    const query = fresh('select current_database() as name');
    const ask = (max_age = -1) => runAdHoc(client, { data_source_id: moving.id, query, max_age });
    const { query_result } = await ask(0);
    await put('Moved', { ...first.options, password: '--------' });
    expect((await ask()).query_result?.id).toBe(query_result?.id);
    await put('Moved', second.options);
    expect((await ask()).rows).toEqual([{ name: second.options.dbname }]);
    const { waits, open } = await second.gate();
    const nap = fresh(`select current_database() as name, ${waits} as waited`);
    const running = runAdHoc(client, { data_source_id: moving.id, query: nap });
    await expect.poll(async () => (await second.running()).some((text) => text.includes(nap))).toBe(true);
    await put('Moved', first.options);
    const joined = await runAdHoc(client, { data_source_id: moving.id, query: nap });
    await open();
    expect((await running).rows).toMatchObject([{ name: second.options.dbname }]);
    expect(joined.rows).toMatchObject([{ name: first.options.dbname }]);
  });

  test('a failed run is never cached', async () => {
    const query = fresh('select 1/0');
    expect((await run(query)).error).toMatch(/division by zero/);
    const again = await run(query, { max_age: -1 });
    expect(again.error).toMatch(/division by zero/);
  });
});

describe('server-behaviour 8.1: refusals', () => {
  test('no source, an unknown one, a forbidden one', async () => {
    const query = 'select 1';
    for (const data_source_id of [undefined, null, 0, '']) {
      expect(await runAdHoc(client, { data_source_id, query })).toMatchObject(refusal(400, 'Please select data source to run this query.'));
    }
    for (const data_source_id of [999_999, -1, 99_999_999_999]) {
      expect(await runAdHoc(client, { data_source_id, query })).toMatchObject(refusal(400, 'Target data source not available.'));
    }
    expect(await runAdHoc(client, { data_source_id: hidden.id, query })).toMatchObject(refusal(403, /permission/));
    expect(await runAdHoc(app.as(viewer), { data_source_id: viewed.id, query })).toMatchObject(refusal(403, /permission/));
  });

  test.each(['', ' ', '\n\t', undefined])('the text %j', async (query) => {
    expect(await runAdHoc(client, { data_source_id: source.id, query })).toMatchObject(refusal(400, "Can't execute empty query."));
  });

  test.each(['-- only a comment', '/* nothing */', ';', ' ; ; '])('%j runs to the same end', async (query) => {
    expect((await run(query)).error).toBe("Can't execute empty query.");
  });

  test('a paused source, with its reason', async () => {
    const paused = await app.make.dataSource({ name: 'Paused', options: target.options });
    const pause = (reason?: string) => app.as(app.admin).get(dataSourcesApi.pause, { params: { id: paused.id }, body: { reason } });
    const attempt = () => runAdHoc(client, { data_source_id: paused.id, query: 'select 1', max_age: -1 });
    await attempt();
    await pause();
    expect(await attempt()).toMatchObject(refusal(400, 'Paused is paused. Please try later.'));
    await pause('Moving');
    expect(await attempt()).toMatchObject(refusal(400, 'Paused is paused (Moving). Please try later.'));
    const query = await app.make.query({ data_source_id: paused.id, user_id: ann.id });
    expect(await runSaved(client, query.id)).toMatchObject(refusal(400, /is paused/));
    await app.as(app.admin).get(dataSourcesApi.resume, { params: { id: paused.id } });
    expect((await attempt()).error).toBe('');
  });

  test('execute_query is needed for a text of one’s own', async () => {
    const group = await app.make.group({ permissions: ['view_query', 'list_data_sources'] });
    const open = await app.make.dataSource({ options: target.options, groups: { [group.id]: false } });
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    expect((await runAdHoc(app.as(user), { data_source_id: open.id, query: 'select 1' })).status).toBe(403);
    const query = await app.make.query({ data_source_id: open.id, user_id: ann.id });
    expect((await runSaved(app.as(user), query.id)).rows).toEqual([{ '?column?': 1 }]);
  });

  test('unknown queries are 404, forbidden ones 403, one without a source 400', async () => {
    for (const id of [999_999, 99_999_999_999]) expect((await runSaved(client, id)).status).toBe(404);
    const forbidden = await app.make.query({ data_source_id: hidden.id, user_id: app.admin.id });
    expect(await runSaved(client, forbidden.id)).toMatchObject(
      refusal(403, 'You do not have permission to run queries with this data source.'),
    );
    const orphan = await app.make.query({ data_source_id: null, user_id: ann.id });
    expect(await runSaved(client, orphan.id)).toMatchObject(refusal(400, 'Target data source not available.'));
  });

  test.each(['[]', '"x"', '7', 'null', '{'])('the body %s is a 400 or an empty one, never a 500', async (body) => {
    const query = await saved('select 1');
    for (const path of ['/api/query_results', `/api/queries/${query.id}/results`]) {
      const response = await client.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(response.status).toBeLessThan(500);
    }
  });

  test.each([
    { parameters: [] },
    { parameters: 'x' },
    { query: 5 },
    { query: 'x'.repeat(1_000_001) },
    { query: 'select \0' },
    { apply_auto_limit: 'yes' },
    { data_source_id: {} },
    { database: 'x'.repeat(256) },
    { query_id: 'x'.repeat(41) },
  ])('%j is a 400', async (more) => {
    const body = { data_source_id: source.id, query: 'select 1', ...more };
    const response = await client.json('POST', '/api/query_results', body);
    expect(response.status).toBe(400);
  });
});

describe('W17: what a source may do', () => {
  const size = async () => (await target.query<{ n: number }>('select count(*)::int as n from reading'))[0]?.n;

  test.each([
    'delete from reading',
    `insert into reading values (0, '', 0)`,
    `update reading set device = ''`,
    'truncate reading',
    'drop table reading',
    'create table x (id int)',
    'select 1; delete from reading; select 2',
    'with x as (delete from reading returning *) select * from x',
    'begin; delete from reading; commit',
    'commit; delete from reading',
    'rollback; delete from reading',
    'set transaction read write; delete from reading',
    `select set_config('transaction_read_only', 'off', false); delete from reading`,
    `do $$ begin delete from reading; end $$`,
    `do $$ begin execute 'delete from reading'; end $$`,
    'explain analyze delete from reading',
    'select 1) to stdout; delete from reading; --',
    `select 1\n) to stdout; commit; delete from reading; copy (select 1`,
    'reset all; delete from reading',
    'end; delete from reading',
    'abort; delete from reading',
    'prepare p as delete from reading; execute p',
    `copy reading from program 'echo 1'`,
    'copy reading from stdin',
    'select * from reading for update',
    '/* select */ delete from reading',
    `select 1 into x`,
  ])('%s changes nothing while writes are not allowed', async (query) => {
    const { error } = await run(query);
    expect(error).not.toBe('');
    expect(await size()).toBe(3000);
  });

  test('with writes allowed they happen once, also when two ask at once', async () => {
    await target.query('create table counter as select 0 as n');
    const { waits, open } = await target.gate();
    const query = fresh(`update counter set n = n + 1 from (select ${waits}) as nap returning n`);
    const body = { data_source_id: writable.id, query, max_age: 0 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.json('POST', '/api/query_results', body)));
    const jobs = (await Promise.all(answers.map((answer) => answer.json()))) as { job: { id: string } }[];
    const ids = new Set(jobs.map(({ job }) => job.id));
    expect(ids.size).toBe(1);
    await open();
    const params = { id: [...ids][0] ?? '' };
    await expect.poll(async () => (await client.get(jobsApi.get, { params })).job).toMatchObject({ status: 3, error: '' });
    expect(await target.query('select n from counter')).toEqual([{ n: 1 }]);
  });

  test('nothing of one statement is left for the next one', async () => {
    await run(`set search_path = pg_catalog; select 1`);
    await runAdHoc(client, { data_source_id: writable.id, query: `set search_path = pg_catalog; select 1 as one` });
    for (let i = 0; i < 4; i++) {
      expect(
        (await runAdHoc(client, { data_source_id: writable.id, query: fresh('select count(*)::int as n from reading') })).rows,
      ).toEqual([{ n: 3000 }]);
    }
  });

  test('several statements: the last result counts', async () => {
    expect((await run(`select 'first' as t; select 'last' as t;`)).rows).toEqual([{ t: 'last' }]);
  });
});

describe('9: auto limit', () => {
  const rows = async (query: string, apply_auto_limit: boolean) => (await run(query, { apply_auto_limit })).rows?.length;

  test('a thousand rows with it, all of them without', async () => {
    expect(await rows('select * from reading', true)).toBe(1000);
    expect(await rows('select * from reading', false)).toBe(3000);
  });

  test('the two have results of their own', async () => {
    const query = fresh('select * from reading');
    await run(query, { apply_auto_limit: true });
    expect((await run(query, { apply_auto_limit: false, max_age: -1 })).rows).toHaveLength(3000);
  });

  test('a limit of one’s own stays', async () => {
    expect(await rows('select * from reading limit 1500', true)).toBe(1500);
    expect(await rows('select * from reading fetch first 1200 rows only', true)).toBe(1200);
    expect(await rows('select * from (select * from reading limit 10) x', true)).toBe(10);
  });

  test('a saved query has its own choice, unless the call says otherwise', async () => {
    const query = await saved('select * from reading', { options: { parameters: [], apply_auto_limit: true } });
    expect((await runSaved(client, query.id)).rows).toHaveLength(1000);
    expect((await runSaved(client, query.id, { apply_auto_limit: false })).rows).toHaveLength(3000);
  });
});

describe('server-behaviour 10.4: who may run what', () => {
  test('with view access a safe query runs, an unsafe one does not', async () => {
    const safe = await app.make.query({ data_source_id: viewed.id, user_id: app.admin.id, query: 'select 1 as n' });
    const parameters = [{ name: 'p', type: 'text' }];
    const unsafe = await app.make.query({
      data_source_id: viewed.id,
      user_id: app.admin.id,
      query: 'select {{p}} as n',
      options: { parameters },
    });
    const undeclared = await app.make.query({ data_source_id: viewed.id, user_id: app.admin.id, query: 'select {{p}} as n' });
    expect((await runSaved(app.as(viewer), safe.id)).rows).toEqual([{ n: 1 }]);
    for (const { id } of [unsafe, undeclared]) {
      expect(await runSaved(app.as(viewer), id, { parameters: { p: 'x' } })).toMatchObject(
        refusal(403, /text parameters, which need full access/),
      );
    }
    expect((await runSaved(app.as(app.admin), unsafe.id, { parameters: { p: 'x y' } })).rows).toEqual([{ n: 'x y' }]);
  });

  test('Q5: with full access, but without execute_query, neither free text nor a choice that is not offered', async () => {
    const readers = await app.make.group({ permissions: ['view_query'] });
    const open = await app.make.dataSource({ options: target.options, groups: { [readers.id]: false } });
    const reader = app.as(await app.make.user({ groups: [], group_ids: [readers.id] }));
    const make = (query: string, parameters: QueryParameter[] = []) =>
      app.make.query({ data_source_id: open.id, user_id: app.admin.id, query, options: { parameters } });
    const choices = await make(`select 'offered' as value`);
    await runSaved(app.as(app.admin), choices.id);
    const chosen = await make(`select '{{p}}' as n`, [{ name: 'p', type: 'query', queryId: choices.id }]);
    const unsafe = await make('select {{p}} as n', [{ name: 'p', type: 'text', value: 'x' }]);
    const undeclared = await make('select {{p}} as n');
    for (const { id } of [unsafe, undeclared]) {
      expect(await runSaved(reader, id, { parameters: { p: 'y' } })).toMatchObject(refusal(403, /text parameters, which need permission/));
    }
    expect((await runSaved(reader, chosen.id, { parameters: { p: 'offered' } })).rows).toEqual([{ n: 'offered' }]);
    expect(await runSaved(reader, chosen.id, { parameters: { p: 'invented' } })).toMatchObject({ status: 400 });
  });

  test('the number of a saved query does not lend its access to another text', async () => {
    const safe = await app.make.query({ data_source_id: viewed.id, user_id: app.admin.id });
    const body = { data_source_id: viewed.id, query: 'select 1', query_id: safe.id };
    expect(await runAdHoc(app.as(viewer), body)).toMatchObject(refusal(403, /permission/));
  });
});

describe('W30: which query a run updates', () => {
  const latestOf = async (id: number) => (await client.get(queriesApi.get, { params: { id } })).latest_query_data_id;

  test('the one it ran for, and no other with the same text', async () => {
    const text = fresh();
    const [mine, other] = [await saved(text), await saved(text, { user_id: bob.id })];
    const { query_result } = await runSaved(client, mine.id);
    expect(await latestOf(mine.id)).toBe(query_result?.id);
    expect(await latestOf(other.id)).toBeNull();
  });

  test('also when the editor runs its very text', async () => {
    const text = fresh();
    const query = await saved(text);
    const { query_result } = await run(text, { query_id: query.id });
    expect(await latestOf(query.id)).toBe(query_result?.id);
  });

  test('another text, other values or another limit do not', async () => {
    const parameters = [{ name: 'n', type: 'number', value: 1 }];
    const query = await saved(fresh('select {{n}} as n'), { options: { parameters } });
    const { query_result } = await runSaved(client, query.id);
    await runSaved(client, query.id, { parameters: { n: 2 } });
    await runSaved(client, query.id, { apply_auto_limit: true });
    await run(fresh(), { query_id: query.id });
    expect(await latestOf(query.id)).toBe(query_result?.id);
    const { query_result: again } = await runSaved(client, query.id, { parameters: { n: 1 } });
    expect(await latestOf(query.id)).toBe(again?.id);
  });

  test('values that mean the same, however they are written, do', async () => {
    const parameters = [
      { name: 'n', type: 'number', value: '5' },
      { name: 'd', type: 'datetime-local', value: '2026-01-02T03:04' },
      { name: 'r', type: 'date-range', value: { start: '2026-01-01', end: '2026-01-02' } },
    ];
    const query = await saved(fresh(`select {{n}} as n, '{{d}}' as d, '{{r.start}}' as r`), { options: { parameters } });
    const sent = { n: 5, d: '2026-01-02 03:04', r: ['2026-01-01', '2026-01-02'] };
    const { query_result } = await runSaved(client, query.id, { parameters: sent });
    expect(await latestOf(query.id)).toBe(query_result?.id);
    await runSaved(client, query.id, { parameters: { ...sent, d: '2026-01-02 03:05' } });
    expect(await latestOf(query.id)).toBe(query_result?.id);
  });

  test('design 8: a moving date means the viewer’s day and is still the query’s own; a day that somebody picked is not', async () => {
    const parameters = [{ name: 'r', type: 'datetime-range-with-seconds', value: 'd_today' }];
    const query = await saved(fresh(`select '{{r.start}}' as day`), { options: { parameters } });
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv', { timeZone }).format(new Date());
    /** The date in the zone before and after the run: midnight may be between them. */
    const runIn = async (timeZone: string, ask: () => Promise<Ran>) => {
      const before = dayIn(timeZone);
      const ran = await ask();
      expect([before, dayIn(timeZone)].map((day) => [{ day: `${day} 00:00:00` }])).toContainEqual(ran.rows);
      return ran;
    };
    // In one of the two zones the date always differs from the organisation's.
    for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { query_result } = await runIn(time_zone, () => runSaved(client, query.id, { parameters: { r: 'd_today' }, time_zone }));
      expect(await latestOf(query.id)).toBe(query_result?.id);
    }
    const { query_result } = await runIn('UTC', () => runSaved(client, query.id, { time_zone: 'Nowhere/At_All' }));
    await runSaved(client, query.id, { parameters: { r: { start: '2026-01-01', end: '2026-01-02' } } });
    // A key reader gets the dates of their own zone, and leaves the query's result as it is.
    const guest = new TestClient(app.origin, { authorization: `Key ${query.api_key}` });
    const [far] = ['Pacific/Kiritimati'];
    await runIn(far, () => runSaved(guest, query.id, { parameters: { r: 'd_today' }, time_zone: far }));
    expect(await latestOf(query.id)).toBe(query_result?.id);
  });

  test('nor does the same text on another source: nobody’s numbers are swapped', async () => {
    const text = fresh('select current_database() as name');
    const query = await saved(text);
    const mine = await app.make.dataSource({ options: target.options });
    const outcome = await runAdHoc(client, { data_source_id: mine.id, query: text, query_id: query.id });
    expect(outcome.error).toBe('');
    expect(await latestOf(query.id)).toBeNull();
  });

  test('nor the same text in another database of the source', async () => {
    const text = fresh('select current_database() as name');
    const query = await saved(text);
    const { dbname } = (await targetDatabase()).options;
    const outcome = await run(text, { query_id: query.id, database: dbname });
    expect(outcome.rows).toEqual([{ name: dbname }]);
    expect(await latestOf(query.id)).toBeNull();
  });

  test('Q3: a query that chose another database runs there, keeps that result and shares it with nobody at home', async () => {
    const text = fresh('select current_database() as name');
    const { dbname } = (await targetDatabase()).options;
    const query = await saved(text, { options: { parameters: [], schemaOptions: { selectedDatabase: dbname } } });
    const { rows, query_result } = await runSaved(client, query.id);
    expect(rows).toEqual([{ name: dbname }]);
    expect(await latestOf(query.id)).toBe(query_result?.id);
    expect((await run(text, { max_age: -1 })).rows).toEqual([{ name: target.options.dbname }]);
    expect((await run(text, { query_id: query.id, max_age: -1, database: dbname })).query_result?.id).toBe(query_result?.id);
    // The text is the same, but it runs on another source now.
    await app.as(ann).get(queriesApi.save, { params: { id: query.id }, body: { options: { parameters: [] } } });
    expect(await latestOf(query.id)).not.toBe(query_result?.id);
    expect((await runSaved(client, query.id)).rows).toEqual([{ name: target.options.dbname }]);
  });

  test('nor a query that one may not even see', async () => {
    const text = fresh();
    const secret = await app.make.query({ data_source_id: hidden.id, user_id: app.admin.id, query: text });
    expect((await run(text, { query_id: secret.id })).error).toBe('');
    expect((await app.as(app.admin).get(queriesApi.get, { params: { id: secret.id } })).latest_query_data_id).toBeNull();
  });

  test.each(['adhoc', null, undefined, 0, -1, 999_999_999_999, '1; drop', true, {}])('the query id %j harms nothing', async (query_id) => {
    const response = await client.json('POST', '/api/query_results', {
      data_source_id: source.id,
      query: 'select 1',
      max_age: 0,
      query_id,
    });
    expect([200, 400]).toContain(response.status);
  });
});

describe('limits', () => {
  test('W12: one person has at most forty queries under way, also when they come at once', async () => {
    const eager = app.as(await app.make.user());
    const slow = () =>
      eager.json('POST', '/api/query_results', { data_source_id: source.id, query: fresh('select pg_sleep(30)'), max_age: 0 });
    const answers = await Promise.all(Array.from({ length: 60 }, slow));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { job: { id?: string; error: unknown } }[];
    expect(bodies.find(({ job }) => !job.id)?.job.error).toBe('Too many of your queries are running. Wait for one to finish or cancel it.');
    await Promise.all(bodies.flatMap(({ job }) => (job.id ? [eager.json('DELETE', `/api/jobs/${job.id}`)] : [])));
    await expect.poll(async () => (await target.running()).filter((text) => text.includes('pg_sleep(30)'))).toEqual([]);
    expect((await runAdHoc(eager, { data_source_id: source.id, query: fresh() })).error).toBe('');
  });

  test('one slow source does not hold up the others', async () => {
    const busy = await app.make.dataSource({ options: target.options });
    const many = app.as(await app.make.user());
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const answer = await many.json('POST', '/api/query_results', {
          data_source_id: busy.id,
          query: fresh('select pg_sleep(60)'),
          max_age: 0,
        });
        return ((await answer.json()) as { job: { id: string } }).job.id;
      }),
    );
    expect((await run(fresh())).rows).toEqual([{ n: 1 }]);
    expect((await target.running()).filter((text) => text.includes('pg_sleep(60)'))).not.toEqual([]);
    await Promise.all(ids.map((id) => many.json('DELETE', `/api/jobs/${id}`)));
    await expect.poll(async () => (await target.running()).filter((text) => text.includes('pg_sleep(60)'))).toEqual([]);
  });

  test('W8: a job is visible to its callers and to administrators', async () => {
    const answer = await client.json('POST', '/api/query_results', {
      data_source_id: source.id,
      query: fresh('select pg_sleep(60)'),
      max_age: 0,
    });
    const { job } = (await answer.json()) as { job: { id: string } };
    const params = { id: job.id };
    expect((await app.as(bob).call(jobsApi.get, { params })).status).toBe(404);
    expect((await app.as(bob).call(jobsApi.cancel, { params })).status).toBe(404);
    expect((await app.as(app.admin).call(jobsApi.get, { params })).status).toBe(200);
    expect((await client.get(jobsApi.get, { params })).job.status).toBeLessThan(3);
    expect((await app.as(app.admin).call(jobsApi.cancel, { params })).status).toBe(200);
    await expect
      .poll(async () => (await client.get(jobsApi.get, { params })).job)
      .toMatchObject({ status: 4, error: 'Query cancelled by user.' });
  });

  test('Q7: a job is polled under its query by callers who may see both', async () => {
    const query = await saved(fresh('select pg_sleep(0.5)'));
    const { id } = await saved('select 1');
    const answer = await client.json('POST', `/api/queries/${query.id}/results`, { max_age: 0 });
    const { job } = (await answer.json()) as { job: { id: string } };
    expect((await client.fetch(`/api/queries/${query.id}/jobs/${job.id}`)).status).toBe(200);
    expect((await app.as(bob).fetch(`/api/queries/${query.id}/jobs/${job.id}`)).status).toBe(404);
    expect((await app.anonymous().fetch(`/api/queries/${query.id}/jobs/${job.id}`)).status).toBe(404);
    expect((await client.fetch(`/api/queries/${query.id}/jobs/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await client.fetch(`/api/queries/${query.id}/jobs/x`)).status).toBe(404);
    expect((await client.fetch(`/api/queries/${id}/jobs/${job.id}`)).status).toBeLessThan(500);
  });

  test('a result above the limits of the installation ends with a sentence', async () => {
    const tight = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_MAX_ROWS: '100', TELLTALE_QUERY_SECONDS: '3' } });
    await tight.startWorker();
    const { id } = await tight.make.dataSource({ options: target.options });
    const admin = tight.as(tight.admin);
    // The start of the first process counts as well.
    await expect.poll(async () => (await runAdHoc(admin, { data_source_id: id, query: 'select 1' })).error).toBe('');
    expect((await runAdHoc(admin, { data_source_id: id, query: 'select * from reading limit 101' })).error).toMatch(/100 rows/);
    expect((await runAdHoc(admin, { data_source_id: id, query: 'select * from reading limit 100' })).rows).toHaveLength(100);
    expect((await runAdHoc(admin, { data_source_id: id, query: 'select pg_sleep(30)' })).error).toBe(
      'This took longer than 3 seconds and was stopped.',
    );
    expect((await sql`select from query_results where not is_complete`.execute(tight.ctx.db)).rows).toEqual([]);
    await expect.poll(async () => (await target.running()).filter((text) => text.includes('pg_sleep(30)'))).toEqual([]);
  });

  test('deleting a source ends its running and waiting jobs: the statement stops there, and callers get the reason', async () => {
    const doomed = await app.make.dataSource({ options: target.options });
    // More than a source may run at a time, so that some of them wait; one user may not have all of its places (W12).
    const asked = Array.from({ length: 8 }, (_, i) =>
      runAdHoc(i % 2 ? client : app.as(bob), { data_source_id: doomed.id, query: fresh('select pg_sleep(80)') }),
    );
    const onServer = async () => (await target.running()).filter((text) => text.includes('pg_sleep(80)')).length;
    await expect.poll(onServer).toBe(6);
    await app.as(app.admin).call(dataSourcesApi.remove, { params: { id: doomed.id } });
    for (const { error } of await Promise.all(asked)) expect(error).toBe('The data source was deleted.');
    await expect.poll(onServer).toBe(0);
    expect((await sql`select from query_results where data_source_id = ${doomed.id}`.execute(app.ctx.db)).rows).toEqual([]);
  });

  test('a source that is gone when the rows come ends the run with the same reason', async () => {
    const doomed = await app.make.dataSource({ options: target.options });
    const { waits, open } = await target.gate();
    const running = runAdHoc(client, { data_source_id: doomed.id, query: fresh(`select ${waits} as waited`) });
    await expect.poll(async () => (await target.running()).some((text) => text.includes(waits))).toBe(true);
    await sql`delete from data_sources where id = ${doomed.id}`.execute(app.ctx.db);
    await open();
    expect((await running).error).toBe('The data source was deleted.');
  });
});

describe('scripts that were written for the API', () => {
  test('p_ arguments of the address are values when the body has none', async () => {
    const parameters = [{ name: 'n', type: 'number', value: 1 }];
    const query = await saved('select {{n}} as n', { options: { parameters } });
    expect((await runSaved(client, query.id, {}, '?p_n=7')).rows).toEqual([{ n: 7 }]);
    expect((await runSaved(client, query.id, { parameters: { n: 8 } }, '?p_n=7')).rows).toEqual([{ n: 8 }]);
    const adHoc = await runQuery(client, '/api/query_results?p_n=9', { data_source_id: source.id, query: 'select {{n}} as n', max_age: 0 });
    expect(adHoc.rows).toEqual([{ n: 9 }]);
  });

  test('server-behaviour 7.16, 8.1: p_range.start and p_range.end of the address are the two ends of a range', async () => {
    const parameters = [{ name: 'span', type: 'date-range', value: { start: '2026-01-01', end: '2026-01-02' } }];
    const text = `select '{{span.start}}' as a, '{{span.end}}' as b`;
    const query = await saved(text, { options: { parameters } });
    const ends = '?p_span.start=2026-03-01&p_span.end=2026-03-31';
    const rows = [{ a: '2026-03-01', b: '2026-03-31' }];
    const [start, end] = [rows[0]?.a, rows[0]?.b];
    expect((await runSaved(client, query.id, {}, ends)).rows).toEqual(rows);
    const refreshed = await client.json('POST', `/api/queries/${query.id}/refresh${ends}`);
    expect(refreshed.status).toBe(200);
    const { query_result } = await runSaved(client, query.id, { parameters: { span: { start, end } }, max_age: -1 });
    const byKey = (values: string) =>
      app.anonymous().fetch(`/api/queries/${query.id}/results/${query_result?.id}.json?api_key=${query.api_key}&${values}`);
    expect((await byKey(ends.slice(1))).status).toBe(200);
    expect((await byKey('p_span.start=2026-03-01')).status).toBe(404);
    const adHoc = await runQuery(client, `/api/query_results${ends}`, { data_source_id: source.id, query: text, max_age: 0 });
    expect(adHoc.rows).toEqual(rows);
    // Half of a range, and a range beside its ends, are refused as before.
    for (const values of ['?p_span.start=2026-03-01', `${ends}&p_span=2026-03-01`])
      expect((await client.json('POST', `/api/queries/${query.id}/refresh${values}`)).status, values).toBe(400);
  });

  test('an empty body runs with the saved values', async () => {
    const query = await saved('select {{n}} as n', { options: { parameters: [{ name: 'n', type: 'number', value: 5 }] } });
    const ask = async () => (await client.json('POST', `/api/queries/${query.id}/results`)).json();
    await expect.poll(ask).toMatchObject({ query_result: { data: { rows: [{ n: 5 }] } } });
  });
});
