import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { jobIdOf, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

/** Tests callers who only have the public token of a dashboard. */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await target.query('create table reading as select i as id, i % 3 as site from generate_series(1, 12) i');
await app.startWorker();
const ann = await app.make.user({ email: 'ann-the-owner@example.com' });
const source = await app.make.dataSource({ options: target.options });
const of = (id: number) => ({ params: { id } });

const saved = (query: string, parameters: object[] = [], data_source_id = source.id) =>
  app.make.query({ data_source_id, user_id: ann.id, query, options: { parameters: parameters as never } });
type Made = Awaited<ReturnType<typeof saved>>;

async function shared(...shown: (Made | [Made, object])[]) {
  const { id } = await app.make.dashboard({ user_id: ann.id, is_draft: false });
  for (const item of shown) {
    const [{ visualization_id }, parameterMappings] = Array.isArray(item) ? item : [item, {}];
    await app.make.widget({ dashboard_id: id, visualization_id, options: { parameterMappings: parameterMappings as never } });
  }
  const { api_key } = await app.as(ann).get(dashboardsApi.share, { ...of(id), body: {} });
  return { id, api_key };
}
const fixed = (name: string, value: unknown) => ({ [name]: { name, type: 'static-value', mapTo: name, value, title: '' } });
const fetchAs = (key: string, path: string) => app.anonymous().fetch(`${path}${path.includes('?') ? '&' : '?'}api_key=${key}`);

describe('security 23: what a shared dashboard’s token opens', () => {
  test('runs and results of what stands on it, in every form', async () => {
    const query = await saved('select id from reading order by id');
    const { api_key } = await shared(query);
    expect((await runSaved(app.as({ api_key }), query.id)).rows).toHaveLength(12);
    for (const path of ['results', 'results.json', 'results.csv', 'results.tsv', 'results.xlsx']) {
      const response = await fetchAs(api_key, `/api/queries/${query.id}/${path}`);
      expect(response.status, path).toBe(200);
      await response.arrayBuffer();
    }
  });

  test('no SQL text, no hash, no source, no owner, no key, wherever it looks', async () => {
    const query = await saved('select id /* canary */ from reading');
    const { api_key } = await shared(query);
    const first = await runSaved(app.as({ api_key }), query.id);
    const cached = await runSaved(app.as({ api_key }), query.id, { max_age: -1 });
    const texts = await Promise.all(
      [
        `/api/dashboards/public/${api_key}`,
        `/api/queries/${query.id}`,
        `/api/queries/${query.id}/results`,
        `/api/queries/${query.id}/results/${first.query_result?.id}.json`,
        `/api/queries/${query.id}/jobs/${jobIdOf(first)}`,
        `/api/session`,
      ].map(async (path) => (await fetchAs(api_key, path)).text()),
    );
    const all = texts.join('\n') + JSON.stringify([first, cached]);
    for (const secret of [
      'canary',
      'ann-the-owner',
      query.api_key,
      String(target.options.password),
      'query_hash',
      'data_source_id',
      '"email"',
    ])
      expect(all).not.toContain(secret);
  });

  test('server-behaviour 6: its session has no permissions, and the key that was sent', async () => {
    const { api_key } = await shared(await saved('select 1'));
    const { user, messages } = (await (await fetchAs(api_key, '/api/session')).json()) as Record<string, unknown>;
    expect({ user, messages }).toEqual({ user: { permissions: [], apiKey: api_key }, messages: [] });
  });

  test('nothing of a query that does not stand on it, also not of the same source', async () => {
    const [query, other] = [await saved('select 1 as mine'), await saved(`select 'canary' as theirs`)];
    await runSaved(app.as(ann), other.id);
    const { api_key } = await shared(query);
    expect((await runSaved(app.as({ api_key }), other.id)).status).toBe(403);
    for (const path of ['results', 'results.csv', 'dropdown', `dropdowns/${other.id}`]) {
      expect((await fetchAs(api_key, `/api/queries/${other.id}/${path}`)).status, path).toBe(403);
    }
  });

  test('no other route at all, on its own objects or on others', async () => {
    const query = await saved('select 1');
    const { id, api_key } = await shared(query);
    const client = app.as({ api_key });
    for (const route of app.routes) {
      if (route.needs === 'anyone' || route.readers?.includes('dashboard_token')) continue;
      for (const number of [id, query.id]) {
        const path = route.path.replace(':id', String(number)).replace(/:\w+/g, '1');
        const response = await client.json(route.method, path, route.method === 'GET' ? undefined : {});
        expect([401, 403, 404], `${route.method} ${path}`).toContain(response.status);
      }
    }
    expect(
      app.routes
        .filter((route) => route.readers?.includes('dashboard_token'))
        .map((route) => `${route.method} ${route.path}`)
        .sort(),
    ).toEqual([
      'GET /api/queries/:id/dropdown',
      'GET /api/queries/:id/dropdowns/:dropdownId',
      'GET /api/queries/:id/jobs/:jobId',
      'GET /api/queries/:id/results',
      'GET /api/queries/:id/results.:ext',
      'GET /api/queries/:id/results/:file',
      'GET /api/session',
      'POST /api/events',
      'POST /api/queries/:id/results',
    ]);
  });

  test('nothing any more within the same second: taken back, widget removed, query or dashboard archived', async () => {
    const ends: [string, (made: { id: number; query: Made }) => Promise<unknown>][] = [
      ['taken back', ({ id }) => app.as(ann).get(dashboardsApi.unshare, of(id))],
      ['archived', ({ id }) => app.as(ann).get(dashboardsApi.archive, of(id))],
      ['query archived', ({ query }) => app.as(ann).get(queriesApi.archive, of(query.id))],
      [
        'widget removed',
        async ({ id }) => {
          const { widgets } = await app.as(ann).get(dashboardsApi.get, { params: { id: String(id) } });
          for (const widget of widgets) await app.as(ann).get(widgetsApi.remove, of(widget.id));
        },
      ],
      ['expired', ({ id }) => sql`update dashboard_shares set expires_at = now() where dashboard_id = ${id}`.execute(app.ctx.db)],
      ['sharer disabled', () => sql`update users set disabled_at = now() where id = ${ann.id}`.execute(app.ctx.db)],
    ];
    for (const [name, end] of ends) {
      const query = await saved(`select '${name}' as name`);
      const { id, api_key } = await shared(query);
      expect((await runSaved(app.as({ api_key }), query.id)).rows).toEqual([{ name }]);
      await end({ id, query });
      for (const method of ['GET', 'POST']) {
        const response = await app.as({ api_key }).json(method, `/api/queries/${query.id}/results`, method === 'POST' ? {} : undefined);
        expect([403, 404], `${name} ${method}`).toContain(response.status);
      }
      await sql`update users set disabled_at = null where id = ${ann.id}`.execute(app.ctx.db);
    }
  });

  test('nothing that its sharer lost access to', async () => {
    const few = await app.make.group();
    const closed = await app.make.dataSource({ options: target.options, groups: { [few.id]: false } });
    const query = await saved('select 1 as n', [], closed.id);
    await sql`insert into memberships (group_id, user_id) values (${few.id}, ${ann.id})`.execute(app.ctx.db);
    const { api_key } = await shared(query);
    expect((await runSaved(app.as({ api_key }), query.id)).rows).toEqual([{ n: 1 }]);
    await sql`delete from memberships where group_id = ${few.id}`.execute(app.ctx.db);
    expect((await runSaved(app.as({ api_key }), query.id)).status).toBe(403);
  });

  test('server-behaviour 10.4: a query that got free text after it was shared does not run', async () => {
    const query = await saved('select 1 as n');
    const { api_key } = await shared(query);
    const options = { parameters: [{ name: 'p', type: 'text', value: 'x' }] };
    await app.as(ann).get(queriesApi.save, { ...of(query.id), body: { query: 'select {{p}} as n', options } });
    expect(await runSaved(app.as({ api_key }), query.id, { parameters: { p: 'x' } })).toMatchObject({
      status: 403,
      job: { status: 4, error: expect.stringContaining('shared dashboard') },
    });
  });

  test('a failure says that it failed, and no more (security 27)', async () => {
    const query = await saved('select canary from secret_table');
    const { api_key } = await shared(query);
    const outcome = await runSaved(app.as({ api_key }), query.id);
    expect(outcome.job).toMatchObject({ status: 4 });
    expect(JSON.stringify(outcome)).not.toMatch(/canary|secret_table|does not exist|error_line/);
  });

  test('whether there is a limit is the query’s own business', async () => {
    const query = await app.make.query({
      data_source_id: source.id,
      user_id: ann.id,
      query: 'select * from generate_series(1, 3000) i',
      options: { parameters: [], apply_auto_limit: true },
    });
    const { api_key } = await shared(query);
    expect((await runSaved(app.as({ api_key }), query.id, { apply_auto_limit: false })).rows).toHaveLength(1000);
  });

  test('W10: joined results are those that the sharer may read', async () => {
    const results = await app.make.dataSource({ type: 'results' });
    const few = await app.make.group();
    const closed = await app.make.dataSource({ options: target.options, groups: { [few.id]: false } });
    const [open, secret] = [await saved('select 7 as n'), await saved(`select 'canary' as n`, [], closed.id)];
    const joined = await saved(`select n from query_${open.id}`, [], results.id);
    const { api_key } = await shared(joined);
    expect((await runSaved(app.as({ api_key }), joined.id)).rows).toEqual([{ n: 7 }]);
    expect((await runSaved(app.as({ api_key }), open.id)).status).toBe(403);
    const forbidden = await saved(`select n from query_${secret.id}`, [], results.id);
    const chosen = await saved('select n from query_{{n}}', [{ name: 'n', type: 'number', value: open.id }], results.id);
    const { api_key: other } = await shared(forbidden, chosen);
    for (const [id, body] of [
      [forbidden.id, {}],
      [chosen.id, { parameters: { n: secret.id } }],
      [chosen.id, { parameters: { n: open.id } }],
    ] as const) {
      const outcome = await runSaved(app.as({ api_key: other }), id, body);
      expect([400, 403]).toContain(outcome.status);
      expect(JSON.stringify(outcome)).not.toContain('canary');
    }
  });

  test('what its own runs led to, however long they took, and nobody else’s result', async () => {
    const query = await saved('select {{n}}::int as n, pg_sleep(1)::text as slept', [{ name: 'n', type: 'number', value: 1 }]);
    const [mine, other] = [await shared(query), await shared(query)];
    const { query_result, shape } = await runSaved(app.as(mine), query.id, { parameters: { n: 7 } });
    expect(shape).toEqual(['job']);
    expect(query_result?.data.rows).toMatchObject([{ n: 7 }]);
    const path = `/api/queries/${query.id}/results/${query_result?.id}.json`;
    expect([(await fetchAs(mine.api_key, path)).status, (await fetchAs(other.api_key, path)).status]).toEqual([200, 404]);
  });

  test('no job of somebody else', async () => {
    const query = await saved('select 1 as n');
    const { api_key } = await shared(query);
    const { job } = await runSaved(app.as(ann), query.id);
    const id = jobIdOf({ job });
    expect((await fetchAs(api_key, `/api/queries/${query.id}/jobs/${id}`)).status).toBe(404);
    expect((await fetchAs(api_key, `/api/jobs/${id}`)).status).toBe(403);
  });
});

describe('security 23: values that the dashboard fixes', () => {
  const sites = [{ name: 'site', type: 'enum', enumOptions: '0\n1\n2', value: '0' }];
  const bySite = () => saved('select id from reading where site = {{site}} order by id', sites);
  const ids = async (key: string, id: number, parameters?: object) =>
    (await runSaved(app.as({ api_key: key }), id, { max_age: -1, parameters })).rows?.map((row) => row.id);

  test('are as fixed, also in calls without the page', async () => {
    const query = await bySite();
    const { api_key } = await shared([query, fixed('site', '1')]);
    expect(await ids(api_key, query.id, { site: '1' })).toEqual([1, 4, 7, 10]);
    for (const parameters of [{ site: '2' }, { site: '0' }, { site: 'nonsense' }, { site: ['1', '2'] }, { site: null }, {}, undefined]) {
      const outcome = await runSaved(app.as({ api_key }), query.id, { parameters });
      expect(outcome.status, JSON.stringify(parameters)).toBe(403);
      expect(outcome.rows).toBeUndefined();
    }
    expect((await app.as({ api_key }).json('POST', `/api/queries/${query.id}/results?p_site=2`, {})).status).toBe(403);
  });

  test('and so is the latest result, which has the saved value', async () => {
    const query = await bySite();
    await runSaved(app.as(ann), query.id);
    const { api_key } = await shared([query, fixed('site', '1')]);
    for (const path of ['results', 'results.csv']) expect((await fetchAs(api_key, `/api/queries/${query.id}/${path}`)).status).toBe(404);
    expect((await fetchAs(api_key, `/api/queries/${query.id}/dropdown`)).status).toBe(403);
    const { api_key: other } = await shared([query, fixed('site', '0')]);
    expect((await fetchAs(other, `/api/queries/${query.id}/results`)).status).toBe(200);
  });

  test('two widgets of one query open what each of them shows', async () => {
    const query = await bySite();
    const { api_key } = await shared([query, fixed('site', '1')], [query, fixed('site', '2')]);
    expect(await ids(api_key, query.id, { site: '2' })).toEqual([2, 5, 8, 11]);
    expect((await runSaved(app.as({ api_key }), query.id, { parameters: { site: '0' } })).status).toBe(403);
  });

  test('the address tells the fixed value and not what else there is', async () => {
    const query = await bySite();
    const { api_key } = await shared([query, fixed('site', '1')]);
    const { widgets } = await app.anonymous().get(dashboardsApi.public, { params: { token: api_key } });
    expect(widgets[0]?.options.parameterMappings?.site).toMatchObject({ type: 'static-value', value: '1' });
    expect(widgets[0]?.visualization?.query.options).toEqual({ parameters: [{ name: 'site', type: 'enum' }] });
  });

  test('what the dashboard lets a viewer choose can be chosen, within its definition', async () => {
    const query = await bySite();
    const { api_key } = await shared(query);
    expect(await ids(api_key, query.id, { site: '2' })).toEqual([2, 5, 8, 11]);
    expect((await runSaved(app.as({ api_key }), query.id, { parameters: { site: '2 or 1=1' } })).status).toBe(400);
    expect((await runSaved(app.as({ api_key }), query.id, { parameters: { site: '2', more: 'x' } })).status).toBe(400);
  });

  test('choices of a dropdown come with the query that has it, unless the dashboard fixes the value', async () => {
    const choices = await saved('select distinct site as value from reading order by 1');
    const unrelated = await saved(`select 'canary' as value`);
    await runSaved(app.as(ann), choices.id);
    await runSaved(app.as(ann), unrelated.id);
    const driven = [{ name: 'site', type: 'query', queryId: choices.id, value: '0' }];
    const query = await saved('select id from reading where site = {{site}} order by id', driven);
    const { api_key } = await shared(query);
    const offered = await fetchAs(api_key, `/api/queries/${query.id}/dropdowns/${choices.id}`);
    expect(await offered.json()).toHaveLength(3);
    expect((await fetchAs(api_key, `/api/queries/${query.id}/dropdowns/${unrelated.id}`)).status).toBe(403);
    expect((await fetchAs(api_key, `/api/queries/${choices.id}/dropdown`)).status).toBe(403);
    expect(await ids(api_key, query.id, { site: '2' })).toEqual([2, 5, 8, 11]);
    const { api_key: strict } = await shared([query, fixed('site', '1')]);
    expect((await fetchAs(strict, `/api/queries/${query.id}/dropdowns/${choices.id}`)).status).toBe(403);
  });
});

describe('W12: what viewers cost', () => {
  test('nobody makes a query run again within a minute, however they ask', async () => {
    const query = await saved('select random() as n');
    const { api_key } = await shared(query);
    const first = await runSaved(app.as({ api_key }), query.id, { max_age: 0 });
    for (const max_age of [0, 1, 30, -1, null]) {
      expect((await runSaved(app.as({ api_key }), query.id, { max_age })).rows).toEqual(first.rows);
    }
    await sql`update query_results set retrieved_at = retrieved_at - interval '2 minutes'`.execute(app.ctx.db);
    expect((await runSaved(app.as({ api_key }), query.id, { max_age: 0 })).rows).not.toEqual(first.rows);
  });

  test('sixty runs a minute for all viewers together; stored results are still shown', async () => {
    const numbers = [{ name: 'n', type: 'number', value: 0 }];
    const query = await saved('select {{n}}::int as n', numbers);
    const { id, api_key } = await shared(query);
    const client = app.as({ api_key });
    await runSaved(client, query.id, { parameters: { n: 1 } });
    await sql`update attempts set count = 60 where count = 1`.execute(app.ctx.db);
    expect(await runSaved(client, query.id, { parameters: { n: 2 } })).toMatchObject({ status: 429, job: { status: 4 } });
    expect((await runSaved(client, query.id, { parameters: { n: 1 } })).rows).toEqual([{ n: 1 }]);
    expect((await runSaved(app.as(ann), query.id, { parameters: { n: 3 } })).rows).toEqual([{ n: 3 }]);
    expect(id).toBeGreaterThan(0);
  });
});
