import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { closedPort } from '../connectors/testing/cutting-proxy.ts';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

/** A reader who holds the key of a query and nothing else: an embed, a spreadsheet, a forwarded address. */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await target.query(`create table reading as select i as id from generate_series(1, 10) i; create table secret_table (canary text)`);
await app.startWorker();
const ann = await app.make.user({ email: 'ann-the-owner@example.com' });
const source = await app.make.dataSource({ options: target.options });

const saved = (query: string, parameters: object[] = []) =>
  app.make.query({ data_source_id: source.id, user_id: ann.id, query, options: { parameters: parameters as never } });
const reader = ({ api_key }: { api_key: string }) => app.as({ api_key });
const secrets = ['secret_table', 'canary', 'ann-the-owner', String(target.options.password), String(target.options.dbname), 'select'];

const everything = async (paths: string[], client = app.anonymous()) => {
  const answers = await Promise.all(paths.map(async (path) => (await client.fetch(path)).text()));
  return answers.join('\n');
};

describe('security 23: what a query’s key opens', () => {
  test('its latest result, in every form, and a run', async () => {
    const query = await saved('select id from reading order by id');
    expect((await runSaved(reader(query), query.id)).rows).toHaveLength(10);
    for (const path of ['results', 'results.json', 'results.csv', 'results.tsv', 'results.xlsx']) {
      const response = await app.anonymous().fetch(`/api/queries/${query.id}/${path}?api_key=${query.api_key}`);
      expect(response.status, path).toBe(200);
      await response.arrayBuffer();
    }
  });

  test('server-behaviour 11.2: each read by key leaves an event with the type of file, and no key; one by a person leaves none', async () => {
    const query = await saved('select 1 as n');
    await runSaved(app.as(ann), query.id);
    for (const path of ['results', 'results.csv', 'results.xlsx']) {
      await (await app.anonymous().fetch(`/api/queries/${query.id}/${path}?api_key=${query.api_key}`)).arrayBuffer();
      await (await app.as(ann).fetch(`/api/queries/${query.id}/${path}`)).arrayBuffer();
    }
    const { rows } = await sql<{ properties: { file_type: string } }>`
      select properties from events where action = 'api_get' and object_type = 'query' and object_id = ${String(query.id)} and user_id is null
      order by id`.execute(app.ctx.db);
    expect(rows.map(({ properties }) => properties.file_type)).toEqual(['json', 'csv', 'xlsx']);
    expect(JSON.stringify(rows)).not.toContain(query.api_key);
  });

  test('no SQL text, no hash, no source, no owner, wherever it looks', async () => {
    const query = await saved(`select id /* secret_table canary */ from reading`);
    const { query_result, job } = await runSaved(reader(query), query.id);
    const { query_result: cached } = await runSaved(reader(query), query.id, { max_age: -1 });
    const key = `?api_key=${query.api_key}`;
    const text = await everything([
      `/api/queries/${query.id}${key}`,
      `/api/queries/${query.id}/results${key}`,
      `/api/queries/${query.id}/results.json${key}`,
      `/api/queries/${query.id}/results/${query_result?.id}.json${key}`,
      `/api/queries/${query.id}/jobs/${job && 'id' in job ? job.id : ''}${key}`,
    ]);
    const all = text + JSON.stringify([query_result, cached, job]);
    for (const secret of secrets) expect(all.toLowerCase()).not.toContain(secret.toLowerCase());
    for (const field of ['query_hash', 'data_source_id', 'api_key', '"email"']) expect(all).not.toContain(field);
  });

  test('server-behaviour 11.2: what was on the screen before the latest moved on, as long as it answers the same question', async () => {
    const query = await saved('select {{n}}::int as n', [{ name: 'n', type: 'number', value: 1 }]);
    const run = async (n: number) => (await runSaved(app.as(ann), query.id, { parameters: { n } })).query_result?.id;
    const [older, seven, latest] = [await run(1), await run(7), await run(1)];
    const statusOf = async (id: number | undefined, values = '') =>
      (await app.anonymous().fetch(`/api/queries/${query.id}/results/${id}.csv?api_key=${query.api_key}${values}`)).status;
    expect(await Promise.all([statusOf(older), statusOf(latest), statusOf(seven, '&p_n=7')])).toEqual([200, 200, 200]);
    for (const values of ['', '&p_n=8', '&p_n=x', '&p_m=7', '&p_n=7&p_m=7', '&query_hash=7', '&p_n=7%20or%20true']) {
      expect(await statusOf(seven, values), values).toBe(404);
    }
    // The result of the old text is no longer an answer to the query.
    await app.as(ann).get(queriesApi.save, { params: { id: query.id }, body: { query: 'select {{n}}::int as m' } });
    expect(await Promise.all([statusOf(older), statusOf(seven, '&p_n=7')])).toEqual([404, 404]);
  });

  test('no other result by its number, not even of its own source, nor of its query with another text', async () => {
    const [query, other] = [await saved('select 0 as mine'), await saved(`select 'canary' as theirs`)];
    const { query_result: theirs } = await runSaved(app.as(ann), other.id);
    const { query_result: older } = await runSaved(app.as(ann), query.id);
    await app.as(ann).get(queriesApi.save, { params: { id: query.id }, body: { query: 'select 1 as mine' } });
    const { query_result: adHoc } = await runAdHoc(app.as(ann), { data_source_id: source.id, query: `select 'canary' as ad_hoc` });
    await runSaved(app.as(ann), query.id);
    const key = `?api_key=${query.api_key}`;
    for (const id of [theirs?.id, older?.id, adHoc?.id, 999_999]) {
      expect((await app.anonymous().fetch(`/api/queries/${query.id}/results/${id}.json${key}`)).status).toBe(404);
      expect((await app.anonymous().fetch(`/api/query_results/${id}${key}`)).status).toBe(404);
      expect((await app.anonymous().fetch(`/api/queries/${other.id}/results/${id}.json${key}`)).status).toBe(404);
    }
  });

  test('no other route at all', async () => {
    const query = await saved('select 1');
    const client = reader(query);
    for (const route of app.routes) {
      if (route.needs === 'anyone' || route.readers?.includes('query_key')) continue;
      const path = route.path.replace(':id', String(query.id)).replace(/:\w+/g, '1');
      const response = await client.json(route.method, path, route.method === 'GET' ? undefined : {});
      expect([401, 403, 404], `${route.method} ${path}`).toContain(response.status);
    }
  });

  test('nothing once the query is another’s key, archived or without a source', async () => {
    const query = await saved('select 1');
    await runSaved(reader(query), query.id);
    await sql`update queries set is_archived = true where id = ${query.id}`.execute(app.ctx.db);
    expect((await reader(query).fetch(`/api/queries/${query.id}/results`)).status).toBe(404);
    const orphan = await app.make.query({ data_source_id: null, user_id: ann.id });
    expect((await runSaved(reader(orphan), orphan.id)).status).toBe(400);
  });

  test('no text of its own: the ad hoc route is closed, and so is another text for this query', async () => {
    const query = await saved('select 1 as n');
    const response = await reader(query).json('POST', '/api/query_results', { data_source_id: source.id, query: 'select 2' });
    expect(response.status).toBe(404);
    const outcome = await runSaved(reader(query), query.id, { query: 'select 2 as n', data_source_id: source.id, database: 'postgres' });
    expect(outcome.rows).toEqual([{ n: 1 }]);
  });

  test('server-behaviour 10.4: a query with free text does not run', async () => {
    const query = await saved('select {{p}} as n', [{ name: 'p', type: 'text', value: 'x y' }]);
    for (const parameters of [{ p: 'x y' }, {}]) {
      const outcome = await runSaved(reader(query), query.id, { parameters });
      expect(outcome).toMatchObject({ status: 403, job: { status: 4, error: expect.stringContaining('shared dashboard or in an embed') } });
    }
    const undeclared = await saved('select {{p}} as n');
    expect((await runSaved(reader(undeclared), undeclared.id, { parameters: { p: 'x y' } })).status).toBe(403);
  });

  test('values of declared parameters, and what they lead to, are its own result only', async () => {
    const query = await saved('select {{n}}::int as n', [{ name: 'n', type: 'number', value: 1 }]);
    await runSaved(app.as(ann), query.id);
    expect((await runSaved(reader(query), query.id, { parameters: { n: 7 } })).rows).toEqual([{ n: 7 }]);
    const latest = await app.anonymous().fetch(`/api/queries/${query.id}/results?api_key=${query.api_key}`);
    expect(await latest.json()).toMatchObject({ query_result: { data: { rows: [{ n: 1 }] } } });
  });

  test('what its own run led to, also with other values, and nobody else’s', async () => {
    const query = await saved('select {{n}}::int as n, pg_sleep(0.5)::text as slept', [{ name: 'n', type: 'number', value: 1 }]);
    const { query_result } = await runSaved(reader(query), query.id, { parameters: { n: 7 } });
    expect(query_result?.data.rows).toMatchObject([{ n: 7 }]);
    const other = await saved('select 2');
    expect((await app.anonymous().fetch(`/api/queries/${other.id}/results/${query_result?.id}.json?api_key=${other.api_key}`)).status).toBe(
      404,
    );
  });

  test('W30: a run by key is the query’s latest result only with the saved values', async () => {
    const query = await saved('select {{n}}::int as n', [{ name: 'n', type: 'number', value: 1 }]);
    await runSaved(reader(query), query.id, { parameters: { n: 7 } });
    expect((await app.as(ann).get(queriesApi.get, { params: { id: query.id } })).latest_query_data_id).toBeNull();
  });
});

describe('security 27: what a guest learns from a failure', () => {
  test.each([
    ['a table that is not there', 'select canary from secret_table_2'],
    ['a fault with its place', 'select 1,\n secret_table from reading'],
    ['a fault at run time', `select 'canary'::int`],
    ['a message of the query’s own', `do $$ begin raise exception 'canary'; end $$; select 1`],
  ])('%s: that it failed, and no more', async (_, text) => {
    const query = await saved(text);
    const outcome = await runSaved(reader(query), query.id);
    expect(outcome.job).toMatchObject({ status: 4 });
    expect(outcome.error).toMatch(/\w/);
    const all = JSON.stringify(outcome);
    for (const secret of [...secrets, 'error_line', 'does not exist', 'invalid input']) expect(all).not.toContain(secret);
  });

  test('a source that is away: neither host nor port', async () => {
    const port = await closedPort();
    const away = await app.make.dataSource({ options: { ...target.options, port } });
    const query = await app.make.query({ data_source_id: away.id, user_id: ann.id });
    const outcome = await runSaved(reader(query), query.id);
    expect(outcome.job).toMatchObject({ status: 4 });
    expect(JSON.stringify(outcome)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
    expect(JSON.stringify(outcome)).not.toContain(String(port));
  });

  test('a paused source: neither its name nor why', async () => {
    const paused = await app.make.dataSource({ name: 'canary source', options: target.options });
    await app.as(app.admin).get(dataSourcesApi.pause, { params: { id: paused.id }, body: { reason: 'canary reason' } });
    const query = await app.make.query({ data_source_id: paused.id, user_id: ann.id });
    const outcome = await runSaved(reader(query), query.id);
    expect(outcome).toMatchObject({ status: 400, job: { status: 4 } });
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });

  test('users who may see the source get the whole message', async () => {
    const query = await saved('select canary from secret_table_2');
    expect((await runSaved(app.as(ann), query.id)).error).toContain('secret_table_2');
  });
});

describe('the organisation’s switch', () => {
  test('disable_public_urls: a query’s key is an unknown key, at once, until it is switched back', async () => {
    const query = await saved('select 1 as n');
    await runSaved(reader(query), query.id);
    const admin = app.as(app.admin);
    const statusOf = async (path: string) => (await reader(query).fetch(path)).status;
    const paths = [`/api/queries/${query.id}`, `/api/queries/${query.id}/results`, `/api/queries/${query.id}/results.csv`];
    await admin.get(organizationApi.saveSettings, { body: { disable_public_urls: true } });
    try {
      expect(await Promise.all(paths.map(statusOf))).toEqual([404, 404, 404]);
      expect((await runSaved(reader(query), query.id)).status).toBe(404);
      expect((await runSaved(app.as(ann), query.id)).rows).toEqual([{ n: 1 }]);
    } finally {
      await admin.get(organizationApi.saveSettings, { body: { disable_public_urls: false } });
    }
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200]);
  });
});

describe('W12: what a guest costs', () => {
  test('sixty runs a minute, then a clear refusal; the owner is not held up by it', async () => {
    const query = await saved('select 1 as n');
    const statuses: number[] = [];
    for (let batch = 0; batch < 7; batch++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => reader(query).json('POST', `/api/queries/${query.id}/results`, { max_age: 0 })),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await runSaved(reader(query), query.id, { max_age: 0 })).toMatchObject({
      status: 429,
      job: { status: 4, error: 'Too many runs with this key. Please try again in a minute.' },
    });
    expect((await runSaved(app.as(ann), query.id)).rows).toEqual([{ n: 1 }]);
    // A stored result costs no run, so a page that many people look at goes on showing it.
    expect((await runSaved(reader(query), query.id, { max_age: -1 })).rows).toEqual([{ n: 1 }]);
    expect((await reader(query).fetch(`/api/queries/${query.id}/results`)).status).toBe(200);
  });
});
