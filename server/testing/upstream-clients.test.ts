import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { eventsApi } from '@telltale/domain/events/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { describe, expect, inject, test } from 'vitest';
import { rawRequest } from './raw.ts';
import { runSaved } from './run-query.ts';
import { targetDatabase } from './target-database.ts';
import { testApp } from './test-app.ts';

/** Requests and answers of clients of the upstream API, unchanged. */

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_ALLOW_PRIVATE: '*' } });
const { options } = await targetDatabase();
const target = await app.make.dataSource({ options });
await app.startWorker();
const admin = app.as(app.admin);
const query = await admin.get(queriesApi.create, {
  body: {
    name: 'Cells',
    query: `select '=1+1' as formula, '-5' as text, 'a;@x' as list, timestamp '2026-11-15 10:00' as at`,
    data_source_id: target.id,
  },
});
const key = { authorization: `Key ${app.admin.api_key}` };

describe('1.2: lists', () => {
  test.each([
    ['True', 1],
    ['true', 1],
    ['1', 1],
    ['yes', 1],
    ['on', 1],
    ['False', 0],
    ['0', 0],
    ['no', 0],
    ['OFF', 0],
  ])('users?disabled=%s is read as upstream reads it', async (flag, count) => {
    const gone = await app.make.user({ name: `Gone ${flag}` });
    await admin.get(usersApi.disable, { params: { id: gone.id } });
    const answer = await admin.fetch(`/api/users?disabled=${flag}&q=${gone.email}`);
    expect([answer.status, ((await answer.json()) as { count: number }).count]).toEqual([200, count]);
  });

  test('a flag that is none is a 400', async () => {
    expect((await admin.fetch('/api/users?disabled=perhaps')).status).toBe(400);
  });

  test('a page has 25 entries unless another size is asked for', async () => {
    for (const path of ['/api/queries', '/api/dashboards', '/api/users', '/api/events'])
      expect(await (await admin.fetch(path)).json()).toMatchObject({ page: 1, page_size: 25 });
  });

  test('7.2: a query in a list tells its tags, people, schedule, version and hash', async () => {
    const { results } = await admin.get(queriesApi.list);
    expect(results[0]).toMatchObject({
      tags: [],
      user: { id: app.admin.id },
      schedule: null,
      version: 1,
      last_modified_by: { id: app.admin.id },
      query_hash: query.query_hash,
    });
  });

  test('who reads by key gets pictures with whole addresses, a browser gets paths', async () => {
    expect((await admin.get(queriesApi.list)).results[0]?.user.profile_image_url).toBe(`${app.origin}/avatars/${app.admin.id}.svg`);
    const browser = await app.signedIn(app.admin);
    expect((await browser.get(queriesApi.list)).results[0]?.user.profile_image_url).toBe(`/avatars/${app.admin.id}.svg`);
  });
});

describe('widgets and visualizations', () => {
  test.each([0, null, undefined])('16.3: a widget with visualization_id %j and options null is a text box', async (visualization_id) => {
    const { id } = await admin.get(dashboardsApi.create, { body: { name: 'Texts' } });
    const answer = await admin.json('POST', '/api/widgets', {
      dashboard_id: id,
      visualization_id,
      text: 'Hello',
      width: 1,
      options: null,
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { text: 'Hello', options: {}, dashboard_id: id }]);
  });

  test('each can be read by its number, by users who may see it', async () => {
    const [visualization] = query.visualizations;
    const of = { params: { id: visualization?.id ?? 0 } };
    expect(await admin.get(visualizationsApi.get, of)).toEqual(visualization);
    const { id: dashboard_id } = await admin.get(dashboardsApi.create, { body: { name: 'Shown' } });
    const widget = await admin.get(widgetsApi.create, { body: { dashboard_id, visualization_id: of.params.id, options: {} } });
    expect(await admin.get(widgetsApi.get, { params: { id: widget.id } })).toEqual(widget);
    expect(widget.visualization?.query).toMatchObject({
      tags: [],
      user: { id: app.admin.id },
      schedule: null,
      version: 1,
      last_modified_by: { id: app.admin.id },
      query_hash: query.query_hash,
    });
    expect(widget.visualization?.query).not.toHaveProperty('query');
    expect(widget.visualization?.query).not.toHaveProperty('api_key');
    const stranger = await app.make.user();
    expect((await app.as(stranger).call(widgetsApi.get, { params: { id: widget.id } })).status).toBe(403);
    expect((await admin.call(widgetsApi.get, { params: { id: 999_999 } })).status).toBe(404);
    expect((await admin.call(visualizationsApi.get, { params: { id: 999_999 } })).status).toBe(404);
  });
});

describe('running', () => {
  const post = (body: string | undefined, headers: Record<string, string> = {}) =>
    admin.fetch(`/api/queries/${query.id}/results`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

  test('8.1: a body that is empty or cannot be read counts as {}', async () => {
    await runSaved(admin, query.id);
    for (const body of [undefined, '', 'nonsense', '[]', 'null', '"x"', '{'])
      expect(Object.keys((await (await post(body)).json()) as object)).toEqual(['query_result']);
    expect((await post('{"max_age":"soon"}')).status).toBe(400);
  });

  test('max_age 0 answers the job alone, a result beside it for who asks to wait', async () => {
    const alone = (await (await post('{"max_age":0}')).json()) as object;
    expect(Object.keys(alone)).toEqual(['job']);
    const waited = (await (await post('{"max_age":0}', { prefer: 'wait=10' })).json()) as { job: { status: number } };
    expect([Object.keys(waited).toSorted(), waited.job.status]).toEqual([['job', 'query_result'], 3]);
  });

  test('a query’s key gets the advice to use a person’s key for /refresh', async () => {
    const answer = await app.anonymous().fetch(`/api/queries/${query.id}/refresh?api_key=${query.api_key}`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([403, { message: 'Please use a user API key.' }]);
  });

  test('CSV: exact for keys, defused for people, and raw decides either', async () => {
    await runSaved(admin, query.id);
    const path = `/api/queries/${query.id}/results.csv`;
    const browser = await app.signedIn(app.admin);
    const line = async (client: typeof admin, more = '') => (await (await client.fetch(`${path}${more}`)).text()).split('\r\n')[1];
    const raws = '=1+1,-5,a;@x,2026-11-15T10:00:00';
    const exact = '=1+1,-5,a;@x,15/11/26 10:00';
    const safe = "'=1+1,-5,a;'@x,15/11/26 10:00";
    expect(await line(admin)).toBe(exact);
    expect(await line(app.anonymous(), `?api_key=${query.api_key}`)).toBe(exact);
    expect(await line(browser)).toBe(safe);
    for (const raw of ['1', 'true', 'True', 'yes'])
      for (const client of [browser, admin]) expect(await line(client, `?raw=${raw}`)).toBe(raws);
    for (const raw of ['0', 'false', 'no']) expect(await line(admin, `?raw=${raw}`)).toBe(safe);
    expect((await admin.fetch(`${path}?raw=perhaps`)).status).toBe(400);
    const tsv = (await (await admin.fetch(`/api/queries/${query.id}/results.tsv`)).text()).split('\r\n')[1];
    expect(tsv).toBe(exact.replaceAll(',', '\t'));
  });
});

describe('addresses', () => {
  test('a doubled slash before api is one', async () => {
    const answer = await rawRequest(app.origin, '//api/session', { headers: key });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([200, { user: { id: app.admin.id } }]);
  });

  test.each([
    ['PUT', '/api/queries', 'GET, HEAD, POST'],
    ['PATCH', '/api/queries/1', 'GET, HEAD, POST, DELETE'],
    ['GET', '/api/queries/format', 'POST'],
    ['DELETE', '/api/session', 'GET, HEAD'],
    ['GET', '/api/v1/c/devices/d/up', 'POST'],
  ])('%s %s is a 405 that says what works', async (method, path, allow) => {
    const answer = await admin.fetch(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(((await answer.json()) as { message: string }).message).toContain(allow);
  });

  test('a public token that is dead or was never there is the same 404', async () => {
    const { id } = await admin.get(dashboardsApi.create, { body: { name: 'Public' } });
    const { api_key } = await admin.get(dashboardsApi.share, { params: { id }, body: {} });
    const open = await app.anonymous().fetch(`/api/dashboards/public/${api_key}`);
    expect(open.status).toBe(200);
    await admin.get(dashboardsApi.unshare, { params: { id } });
    const told = async (token: string) => {
      const answer = await app.anonymous().fetch(`/api/dashboards/public/${token}`);
      return [answer.status, await answer.text()];
    };
    const [dead, unknown] = [await told(api_key), await told('0'.repeat(40))];
    expect(dead[0]).toBe(404);
    expect(dead).toEqual(unknown);
  });
});

describe('saves of whole objects', () => {
  test('a channel takes the nested settings that it answers', async () => {
    await admin.get(channelsApi.create, { body: { channel_id: 'nested', channel_name: 'Nested' } });
    const before = await admin.get(channelsApi.get, { params: { id: 'nested' } });
    const body = { ...before, settings: { ...before.settings, auto_create: true, thingsboard_topics: true } };
    const after = (await (await admin.json('POST', '/api/channels/nested', body)).json()) as typeof before;
    expect(after.settings).toEqual(body.settings);
  });

  test('deleting a pending user who owns something says what', async () => {
    const pending = await app.make.user({ name: 'Petra', pending: true });
    await app.make.dashboard({ user_id: pending.id });
    await app.make.query({ user_id: pending.id, data_source_id: target.id });
    await app.make.query({ user_id: pending.id, data_source_id: target.id });
    const refused = await admin.call(usersApi.remove, { params: { id: pending.id } });
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('Petra owns 2 queries and 1 dashboard.') });
    expect((await admin.call(usersApi.get, { params: { id: pending.id } })).status).toBe(200);
  });

  test('23.4: details of events are texts', async () => {
    await admin.json('POST', '/api/events', [{ action: 'view', object_type: 'page', object_id: 'home', depth: 3, wide: true }]);
    const { results } = await admin.get(eventsApi.list, { query: { page_size: 50 } });
    expect(results[0]?.details).toMatchObject({ page: 'home', depth: '3', wide: 'true' });
    const run = results.find(({ action }) => action === 'execute_query');
    expect(run?.details).toMatchObject({ data_source: String(target.id), query_id: String(query.id) });
  });
});
