import { randomUUID } from 'node:crypto';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { addressOf } from '@telltale/domain/endpoint.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { randomKey } from '../platform/secrets.ts';
import type { TestClient } from './client.ts';
import { testApp } from './test-app.ts';

const app = await testApp();
const plain = await app.make.user();
const powerless = await app.make.user({ groups: [] });
const admin = app.as(app.admin);
let made = 0;
/** A source that the default group may use; nothing is ever asked of it here. */
const makeSource = () =>
  admin.get(dataSourcesApi.create, {
    body: { name: `Source ${++made}`, type: 'pg', options: { host: '203.0.113.1', dbname: 'none' } },
  });
const makeQuery = async (data_source_id: number) => {
  const { id } = await admin.get(queriesApi.create, { body: { name: 'A query', query: 'select 1', data_source_id } });
  const { api_key = '' } = (await admin.get(queriesApi.get, { params: { id } })) as { api_key?: string };
  return { id, api_key };
};
const source = await makeSource();
/** The query whose key walks along, and another one whose key opens nothing of it. */
const [query, otherQuery] = [await makeQuery(source.id), await makeQuery(source.id)];

const callers = {
  anonymous: app.anonymous(),
  powerless: app.as(powerless),
  plain: app.as(plain),
  admin,
};
type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[];

interface Call {
  params?: Record<string, string | number>;
  body?: unknown;
}

interface Expectation {
  /** The answers to nobody, to somebody without any permission, to a plain user and to an administrator. */
  answers: [number, number, number, number];
  /** The answer to the key of the query that the address names; elsewhere a query's key is nobody's. */
  key?: number;
  call?: () => Promise<Call> | Call;
}

const everybody = (status: number, call?: Expectation['call']): Expectation => ({ answers: [status, status, status, status], call });
const signedIn = (status: number, call?: Expectation['call']): Expectation => ({ answers: [404, status, status, status], call });
const admins = (status: number, call?: Expectation['call']): Expectation => ({ answers: [404, 403, 403, status], call });
const listers = (status: number, call?: Expectation['call']): Expectation => ({ answers: [404, 403, status, status], call });

const somebodyElse = async () => ({ params: { id: (await app.make.user()).id } });
const anInvited = async () => ({ params: { id: (await app.make.user({ pending: true })).id } });
const aGroup = async () => ({ params: { id: (await app.make.group()).id } });
const aMember = async () => {
  const group = await app.make.group();
  return { params: { id: group.id, userId: (await app.make.user({ group_ids: [group.id] })).id } };
};
const withBody = (make: () => Promise<Call> | Call, body: unknown) => async () => ({ ...(await make()), body });
const aSource = async () => ({ params: { id: (await makeSource()).id } });
const aGroupSource = async () => {
  const params = { id: (await app.make.group()).id, dataSourceId: (await makeSource()).id };
  await admin.json('POST', `/api/groups/${params.id}/data_sources`, { data_source_id: params.dataSourceId });
  return { params };
};
const theQuery =
  (params: Record<string, string | number> = {}, body?: unknown) =>
  () => ({ params: { id: query.id, ...params }, body });
/** Archived by the one before: its key would be nobody's. */
const theLiveQuery = async () => {
  await admin.get(queriesApi.restore, { params: { id: query.id } });
  return { params: { id: query.id } };
};
/** Somebody before may have replaced the key that walks along. */
const theKeyedQuery = async () => {
  const hash = app.ctx.secrets.hash('api key', query.api_key);
  await sql`update queries set api_key_hash = ${hash} where id = ${query.id}`.execute(app.ctx.db);
  return { params: { id: query.id } };
};
const aSnippet = async () => {
  const { id } = await admin.get(querySnippetsApi.create, { body: { trigger: `s${++made}`, snippet: 'select 1' } });
  return { params: { id } };
};
const aVisualization = async () => {
  const { id } = await admin.get(visualizationsApi.create, { body: { query_id: query.id, name: 'Chart', type: 'CHART' } });
  return { params: { id } };
};
/** An administrator's, published. */
const aDashboard = async () => ({ params: { id: (await app.make.dashboard({ user_id: app.admin.id, is_draft: false })).id } });
const aWidget = async () => {
  const { params } = await aDashboard();
  return { params: { id: (await app.make.widget({ dashboard_id: params.id, text: 'x' })).id } };
};
const aChannel = async () => ({
  params: { id: (await admin.get(channelsApi.create, { body: { channel_id: `walk-${++made}` } })).channel_id },
});
const aDevice = async () => {
  const { params } = await aChannel();
  await admin.get(devicesApi.create, { params, body: { device_id: 'dev-1', device_name: 'D' } });
  return { params: { ...params, deviceId: 'dev-1' } };
};
const devices = { channel_id: 'none', device_ids: ['d'], attributes: ['a'] };
/** Only a device's own key opens it, never a person's. */
const aForeignDevice = () => ({ params: { channel: 'weather', device: 'roof-1', fport: 1 } });
const unknownToken = () => ({ params: { token: 'x'.repeat(43) }, body: { password: 'long enough' } });

/** Who may call what (security 20). A route that is not in here fails the test below. */
const expectations: Record<string, Expectation> = {
  'GET /ping': everybody(200),
  'GET /healthz': everybody(200),
  // No role has announced itself in this test, and the answer is the same for all.
  'GET /readyz': everybody(503),
  // From loopback; probes.test.ts asks from elsewhere.
  'GET /metrics': everybody(200),
  'GET /api/openapi.json': signedIn(200),
  'GET /api/docs': signedIn(200),

  'POST /api/v1/:channel/devices/:device/up': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/json': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/senml': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/lpp': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/raw/:fport': everybody(401, aForeignDevice),
  'GET /api/v1/:channel/devices/:device/down': everybody(401, aForeignDevice),
  // Without an upgrade it is the page; there is none in this test.
  'GET /mqtt': { answers: [302, 404, 404, 404] },

  'GET /login': { answers: [200, 302, 302, 302] },
  'POST /login': everybody(400, () => ({ body: { email: 'nobody@example.com', password: 'wrong' } })),
  'GET /logout': everybody(302),
  'GET /setup': everybody(302),
  'POST /setup': everybody(404, () => ({ body: { code: 'X', name: 'x', email: 'x@example.com', password: 'xxxxxx', org_name: 'x' } })),
  'GET /forgot': everybody(200),
  'POST /forgot': everybody(200, () => ({ body: { email: 'nobody@example.com' } })),
  'GET /invite/:token': everybody(400, unknownToken),
  'POST /invite/:token': everybody(400, unknownToken),
  'GET /reset/:token': everybody(400, unknownToken),
  'POST /reset/:token': everybody(400, unknownToken),
  'GET /verify/:token': everybody(400, unknownToken),

  'GET /api/session': signedIn(200),
  'GET /api/config': everybody(200),
  'GET /console/app/api/config': everybody(200),
  // Lends a session for a while; an API key has none.
  'GET /console/api/auth/token': everybody(401),
  'POST /console/api/auth/logout': everybody(200),

  'GET /api/organization/status': signedIn(200),
  'GET /api/settings/organization': admins(200),
  'POST /api/settings/organization': admins(
    200,
    withBody(() => ({}), { hide_plotly_mode_bar: true }),
  ),

  'GET /api/users': listers(200),
  'POST /api/users': admins(200, () => ({ body: { name: 'New', email: `${randomUUID()}@example.com` } })),
  'GET /api/users/:id': listers(200, somebodyElse),
  'POST /api/users/:id': admins(200, withBody(somebodyElse, { name: 'Renamed' })),
  'DELETE /api/users/:id': admins(200, anInvited),
  'POST /api/users/:id/disable': admins(200, somebodyElse),
  'DELETE /api/users/:id/disable': admins(200, somebodyElse),
  'POST /api/users/:id/invite': admins(200, anInvited),
  'POST /api/users/:id/reset_password': admins(200, somebodyElse),
  'POST /api/users/:id/regenerate_api_key': admins(200, somebodyElse),
  'POST /verification_email/': signedIn(200),
  'GET /avatars/:file': signedIn(200, () => ({ params: { file: `${app.admin.id}.svg` } })),

  'GET /api/groups': signedIn(200),
  'POST /api/groups': admins(
    200,
    withBody(() => ({}), { name: 'A group' }),
  ),
  'GET /api/groups/:id': admins(200, aGroup),
  'POST /api/groups/:id': admins(200, withBody(aGroup, { name: 'Renamed', permissions: ['view_query'] })),
  'DELETE /api/groups/:id': admins(200, aGroup),
  'GET /api/groups/:id/members': admins(200, aMember),
  'POST /api/groups/:id/members': admins(200, async () => ({ ...(await aGroup()), body: { user_id: (await app.make.user()).id } })),
  'DELETE /api/groups/:id/members/:userId': admins(200, aMember),

  'POST /api/events': signedIn(
    200,
    withBody(() => ({}), [{ action: 'view', object_type: 'page', object_id: 'home' }]),
  ),
  'GET /api/events': admins(200),

  'GET /api/data_sources': listers(200),
  'GET /api/data_sources/types': admins(200),
  'POST /api/data_sources': admins(
    400,
    withBody(() => ({}), { name: 'x', type: 'nonsense', options: {} }),
  ),
  'POST /api/data_sources/test': admins(
    400,
    withBody(() => ({}), { type: 'nonsense', options: {} }),
  ),
  'GET /api/data_sources/:id': listers(200, aSource),
  'POST /api/data_sources/:id': admins(200, async () => ({
    ...(await aSource()),
    body: { name: `Renamed ${++made}`, type: 'pg', options: { host: '203.0.113.1', dbname: 'none' } },
  })),
  'DELETE /api/data_sources/:id': admins(204, aSource),
  'POST /api/data_sources/:id/test': admins(404, () => ({ params: { id: 999_999 } })),
  'POST /api/data_sources/:id/pause': admins(200, withBody(aSource, { reason: 'a walk' })),
  'DELETE /api/data_sources/:id/pause': admins(200, aSource),
  'GET /api/data_sources/:id/schema': listers(200, aSource),
  // Other kinds have several databases too (ours).
  'GET /api/databricks/databases/:id': listers(200, aSource),
  'GET /api/databricks/databases/:id/:database/tables': listers(200, async () => ({
    params: { ...(await aSource()).params, database: 'd' },
  })),
  'GET /api/databricks/databases/:id/:database/columns/:table': listers(200, async () => ({
    params: { ...(await aSource()).params, database: 'd', table: 't' },
  })),
  'GET /api/groups/:id/data_sources': admins(200, aGroup),
  'POST /api/groups/:id/data_sources': admins(200, async () => ({ ...(await aGroup()), body: { data_source_id: source.id } })),
  'POST /api/groups/:id/data_sources/:dataSourceId': admins(200, withBody(aGroupSource, { view_only: true })),
  'DELETE /api/groups/:id/data_sources/:dataSourceId': admins(200, aGroupSource),

  'POST /api/queries': listers(200, () => ({ body: { name: 'Mine', query: 'select 1', data_source_id: source.id } })),
  'GET /api/queries/:id': { ...listers(200, theQuery()), key: 200 },
  // Somebody else's.
  'POST /api/queries/:id': { ...admins(200, theQuery({}, { description: 'changed' })), key: 403 },
  'GET /api/queries': listers(200),
  'GET /api/queries/my': listers(200),
  'GET /api/queries/archive': listers(200),
  'GET /api/queries/favorites': listers(200),
  'GET /api/queries/recent': listers(200),
  'GET /api/queries/tags': listers(200),
  'GET /api/queries/search': listers(200),
  'POST /api/queries/format': signedIn(
    200,
    withBody(() => ({}), { query: 'select 1' }),
  ),
  'DELETE /api/queries/:id': { ...admins(200, theLiveQuery), key: 403 },
  'POST /api/queries/:id/restore': { ...admins(200, theQuery()), key: 403 },
  'POST /api/queries/:id/fork': { ...listers(200, theQuery()), key: 403 },
  'POST /api/queries/:id/regenerate_api_key': { ...admins(200, theKeyedQuery), key: 403 },
  'POST /api/queries/:id/refresh': { ...listers(200, theKeyedQuery), key: 403 },
  // It has never run.
  'GET /api/queries/:id/dropdown': { ...listers(400, theQuery()), key: 400 },
  'GET /api/queries/:id/dropdowns/:dropdownId': { ...listers(400, theQuery({ dropdownId: query.id })), key: 400 },
  'POST /api/queries/:id/favorite': { ...listers(200, theQuery()), key: 403 },
  'DELETE /api/queries/:id/favorite': { ...listers(200, theQuery()), key: 403 },
  'GET /api/queries/:id/acl': { ...listers(200, theQuery()), key: 403 },
  'GET /api/queries/:id/acl/:accessType': { ...listers(200, theQuery({ accessType: 'modify' })), key: 403 },
  'POST /api/queries/:id/acl': { ...admins(200, theQuery({}, { access_type: 'view', user_id: powerless.id })), key: 403 },
  'DELETE /api/queries/:id/acl': { ...admins(200, theQuery({}, { access_type: 'view', user_id: powerless.id })), key: 403 },
  'GET /api/queries/:id/versions': { ...listers(200, theQuery()), key: 403 },
  'GET /api/queries/:id/versions/:version': { ...listers(200, theQuery({ version: 1 })), key: 403 },
  'GET /api/queries/applications': listers(200),
  'GET /api/queries/applications/:id/devices': listers(404, () => ({ params: { id: 'none' } })),
  'GET /api/queries/applications/:id/devices/:deviceId/attributes': listers(404, () => ({ params: { id: 'none', deviceId: 'none' } })),
  'POST /api/queries/add': listers(
    400,
    withBody(() => ({}), { name: 'Nothing chosen' }),
  ),
  // Nobody made it from devices.
  'GET /api/myqueries/:id': listers(404, theQuery()),
  'POST /api/myqueries/:id': { answers: [404, 403, 403, 404], call: theQuery({}, devices) },
  'POST /api/visualizations': admins(200, () => ({ body: { query_id: query.id, name: 'Chart', type: 'CHART' } })),
  'POST /api/visualizations/:id': admins(200, withBody(aVisualization, { name: 'Renamed' })),
  'DELETE /api/visualizations/:id': admins(200, aVisualization),
  'GET /api/query_snippets': signedIn(200),
  'POST /api/query_snippets': listers(200, () => ({ body: { trigger: `s${++made}`, snippet: 'select 1' } })),
  'GET /api/query_snippets/:id': signedIn(200, aSnippet),
  'POST /api/query_snippets/:id': admins(200, withBody(aSnippet, { description: 'changed' })),
  'DELETE /api/query_snippets/:id': admins(200, aSnippet),
  'GET /api/channels': listers(200),
  'POST /api/channels': listers(200, () => ({ body: { channel_id: `walk-${++made}` } })),
  'GET /api/channels/:id': listers(200, aChannel),
  'POST /api/channels/:id': listers(200, withBody(aChannel, { channel_name: 'Renamed' })),
  'DELETE /api/channels/:id': listers(200, aChannel),
  'POST /api/channels/:id/api_key': listers(200, aChannel),
  'DELETE /api/channels/:id/api_key': listers(200, aChannel),
  'GET /api/channels/:id/devices': listers(200, aChannel),
  'POST /api/channels/:id/devices': listers(200, async () => ({ ...(await aChannel()), body: { device_id: 'dev-1', device_name: 'D' } })),
  'GET /api/channels/:id/devices/:deviceId': listers(200, aDevice),
  'DELETE /api/channels/:id/devices/:deviceId': listers(200, aDevice),
  'POST /api/channels/:id/devices/:deviceId/rotate_key': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/last': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/history': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/messages': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/dashboard': listers(200, aDevice),
  'POST /api/channels/:id/devices/:deviceId/dashboard': listers(200, withBody(aDevice, { widgets: [] })),
  'GET /status.json': admins(200),
  'GET /api/admin/queries/rq_status': admins(200),
  'GET /api/admin/queries/outdated': admins(200),
  'POST /api/query_results': listers(200, () => ({ body: { query: 'select 1', data_source_id: source.id, max_age: 0 } })),
  'GET /api/query_results/:file': listers(404, () => ({ params: { file: '999999' } })),
  'POST /api/queries/:id/results': { ...listers(200, theQuery({}, { max_age: 0 })), key: 200 },
  // It has never run.
  'GET /api/queries/:id/results': { ...listers(404, theQuery()), key: 404 },
  'GET /api/queries/:id/results.:ext': { ...listers(404, theQuery({ ext: 'csv' })), key: 404 },
  'GET /api/queries/:id/results/:file': { ...listers(404, theQuery({ file: '999999.csv' })), key: 404 },
  'GET /api/queries/:id/jobs/:jobId': { ...listers(404, theQuery({ jobId: randomUUID() })), key: 404 },

  // The shell of a page, which this server was not given.
  'GET /embed/query/:id/visualization/:visualizationId': everybody(404, () => ({ params: { id: query.id, visualizationId: 1 } })),
  'GET /api/dashboards': listers(200),
  'GET /api/dashboards/my': listers(200),
  'GET /api/dashboards/favorites': listers(200),
  'GET /api/dashboards/recent': listers(200),
  'GET /api/dashboards/tags': listers(200),
  'GET /api/dashboards/shared': admins(200),
  'POST /api/dashboards': listers(200, () => ({ body: { name: 'Mine' } })),
  'GET /api/dashboards/:id': listers(200, aDashboard),
  // Somebody else's.
  'POST /api/dashboards/:id': admins(200, withBody(aDashboard, { name: 'Renamed' })),
  'DELETE /api/dashboards/:id': admins(200, aDashboard),
  'POST /api/dashboards/:id/fork': listers(200, aDashboard),
  'POST /api/dashboards/:id/layout': admins(200, withBody(aDashboard, { widgets: [] })),
  'POST /api/dashboards/:id/share': admins(200, aDashboard),
  'DELETE /api/dashboards/:id/share': admins(200, aDashboard),
  'POST /api/dashboards/:id/favorite': listers(200, aDashboard),
  'DELETE /api/dashboards/:id/favorite': listers(200, aDashboard),
  'GET /api/dashboards/:id/acl': listers(200, aDashboard),
  'GET /api/dashboards/:id/acl/:accessType': listers(200, async () => ({
    params: { ...(await aDashboard()).params, accessType: 'modify' },
  })),
  'POST /api/dashboards/:id/acl': admins(200, withBody(aDashboard, { access_type: 'modify', user_id: powerless.id })),
  'DELETE /api/dashboards/:id/acl': admins(200, withBody(aDashboard, { access_type: 'modify', user_id: powerless.id })),
  // For whoever has a token; sharing.test.ts has one.
  'GET /api/dashboards/public/:token': everybody(403, unknownToken),
  // No pages are built here; pages.test.ts has some.
  'GET /public/dashboards/:token': everybody(404, unknownToken),
  'POST /api/widgets': admins(200, async () => ({ body: { dashboard_id: (await aDashboard()).params.id, text: 'x' } })),
  'POST /api/widgets/:id': admins(200, withBody(aWidget, { text: 'changed' })),
  'DELETE /api/widgets/:id': admins(200, aWidget),

  // A socket is asked for with an upgrade; live.test.ts does.
  'GET /api/live': { answers: [401, 426, 426, 426] },

  // Nobody's job: jobs.routes.test.ts asks for one's own.
  'GET /api/jobs/:id': signedIn(404, () => ({ params: { id: randomUUID() } })),
  'DELETE /api/jobs/:id': signedIn(404, () => ({ params: { id: randomUUID() } })),
};

const routes = app.routes.map((route) => ({ method: route.method, path: route.path, name: `${route.method} ${route.path}` }));

async function answerTo(client: TestClient, route: (typeof routes)[number], call: Call, headers: Record<string, string> = {}) {
  const response = await client.json(
    route.method,
    addressOf(route.path, call.params, undefined),
    route.method === 'GET' ? undefined : call.body,
    headers,
  );
  return { status: response.status, text: await response.text() };
}

describe('every route, every kind of caller (security 20)', () => {
  test('no route is without an expectation, and no expectation without a route', () => {
    expect(routes.map((route) => route.name).sort()).toEqual(Object.keys(expectations).sort());
  });

  test.each(routes)('$name lets in exactly who is expected', async (route) => {
    const { answers, call = () => ({}), key } = expectations[route.name] ?? everybody(0);
    const seen: number[] = [];
    for (const name of names) {
      const answer = await answerTo(callers[name], route, await call());
      seen.push(answer.status);
      if (answer.status === 404 && name === 'anonymous' && route.path.startsWith('/api/')) expect(answer.text).toContain('Please login');
      if (answer.status >= 400 && route.path.startsWith('/api/')) expect(JSON.parse(answer.text)).toHaveProperty('message');
    }
    expect(Object.fromEntries(names.map((name, i) => [name, seen[i]]))).toEqual(
      Object.fromEntries(names.map((name, i) => [name, answers[i]])),
    );

    // A query's key opens what is meant for it on its own query; anywhere else, and beside another query, it is nobody's.
    const { status, text } = await answerTo(app.as(query), route, await call());
    expect(status).toBe(key ?? answers[0]);
    if (key === 404) expect(text).not.toContain('Please login');
    expect((await answerTo(app.as(otherQuery), route, await call())).status).toBe(answers[0]);
    expect((await answerTo(app.as({ api_key: randomKey() }), route, await call())).status).toBe(answers[0]);
  });

  test('2: exactly the routes that name a query say what its key may do, as the contract does', () => {
    const named = app.routes.filter((route) => /\/queries\/:id\b/.test(route.path));
    const stated = named.map((route) => [`${route.method} ${route.path}`, route.readers?.includes('query_key') ?? false] as const);
    const keyed = Object.entries(expectations).flatMap(([name, { key }]) => (key === undefined ? [] : [[name, key !== 403] as const]));
    expect(Object.fromEntries(keyed)).toEqual(Object.fromEntries(stated));
  });
});

describe('which of two credentials counts (design 8)', () => {
  test('a key wins over the cookie, and needs no CSRF token', async () => {
    const browser = await app.signedIn(app.admin);
    const answer = await browser.fetch('/api/session', { headers: { authorization: `Key ${plain.api_key}` } });
    expect(await answer.json()).toMatchObject({ user: { id: plain.id } });
    const write = await browser.fetch(`/api/users/${plain.id}`, {
      method: 'POST',
      headers: { authorization: `Key ${plain.api_key}`, 'content-type': 'application/json' },
      body: '{"name":"By key"}',
    });
    expect(write.status).toBe(200);
    expect(write.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ['an unknown key', { authorization: `Key ${randomKey()}` }, ''],
    ['a bare unknown key', { authorization: randomKey() }, ''],
    ['an empty-handed key', { authorization: 'Key x' }, ''],
    ['an unknown bearer token', { authorization: 'Bearer tt.1.99999999999999.AAAA' }, ''],
    ['an empty bearer token', { authorization: 'Bearer x' }, ''],
    ['an unknown key in the address', {}, `?api_key=${randomKey()}`],
    ['two keys in the address', {}, `?api_key=${app.admin.api_key}&api_key=${app.admin.api_key}`],
  ])('%s beside a valid cookie is nobody, never the owner of the cookie', async (_, headers, query) => {
    const browser = await app.signedIn(app.admin);
    const answer = await browser.fetch(`/api/session${query}`, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Please login');
  });

  test('the key of a user works in the header with and without its word, and in the address', async () => {
    for (const authorization of [`Key ${plain.api_key}`, `key   ${plain.api_key}`, plain.api_key]) {
      expect((await app.anonymous().fetch('/api/session', { headers: { authorization } })).status).toBe(200);
    }
    expect((await app.anonymous().fetch(`/api/session?api_key=${plain.api_key}`)).status).toBe(200);
  });

  test('Basic is for a proxy in front, not for us: the cookie still counts', async () => {
    const browser = await app.signedIn(plain);
    expect((await browser.fetch('/api/session', { headers: { authorization: 'Basic YTpi' } })).status).toBe(200);
  });
});
