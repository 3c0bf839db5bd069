import { randomUUID } from 'node:crypto';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import {
  admin,
  admins,
  aGroup,
  app,
  type Expectations,
  everybody,
  listers,
  makeSource,
  nextNumber,
  plain,
  powerless,
  query,
  signedIn,
  source,
  unknownToken,
  withBody,
} from './callers.ts';

const aSource = async () => ({ params: { id: (await makeSource()).id } });
const aGroupSource = async () => {
  const params = { id: (await app.make.group()).id, dataSourceId: (await makeSource()).id };
  await admin.json('POST', `/api/groups/${params.id}/data_sources`, { data_source_id: params.dataSourceId });
  return { params };
};
const theQuery =
  (params: Record<string, string | number> = {}, body?: unknown) =>
  () => ({ params: { id: query.id, ...params }, body });
/** The query before was archived by an earlier call, and the key of an archived query counts as anonymous. */
const theLiveQuery = async () => {
  await admin.get(queriesApi.restore, { params: { id: query.id } });
  return { params: { id: query.id } };
};
/** An earlier call may have replaced the key that this walk uses. */
const theKeyedQuery = async () => {
  const hash = app.ctx.secrets.hash('api key', query.api_key);
  await sql`update query_keys set api_key_hash = ${hash}, revoked_at = null where query_id = ${query.id} and user_id = ${app.admin.id}`.execute(
    app.ctx.db,
  );
  return { params: { id: query.id } };
};
/** A user gets a key of the query by opening it. */
const thePlainKey = async () => {
  await app.as(plain).get(queriesApi.get, { params: { id: query.id } });
  return { params: { id: query.id, userId: plain.id } };
};
const aSnippet = async () => {
  const { id } = await admin.get(querySnippetsApi.create, { body: { trigger: `s${nextNumber()}`, snippet: 'select 1' } });
  return { params: { id } };
};
const aVisualization = async () => {
  const { id } = await admin.get(visualizationsApi.create, { body: { query_id: query.id, name: 'Chart', type: 'CHART' } });
  return { params: { id } };
};
const theOrder = async () => {
  const { visualizations } = await admin.get(queriesApi.get, { params: { id: query.id } });
  return { params: { id: query.id }, body: { ids: visualizations.map(({ id }) => id).reverse() } };
};
/** A published dashboard of an administrator. */
const aDashboard = async () => ({ params: { id: (await app.make.dashboard({ user_id: app.admin.id, is_draft: false })).id } });
const aWidget = async () => {
  const { params } = await aDashboard();
  return { params: { id: (await app.make.widget({ dashboard_id: params.id, text: 'x' })).id } };
};
const devices = { channel_id: 'none', device_ids: ['d'], attributes: ['a'] };

/** Data sources, queries, results, visualizations and dashboards. */
export const questionRoutes: Expectations = {
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
    body: { name: `Renamed ${nextNumber()}`, type: 'pg', options: { host: '203.0.113.1', dbname: 'none' } },
  })),
  'DELETE /api/data_sources/:id': admins(204, aSource),
  'POST /api/data_sources/:id/test': admins(404, () => ({ params: { id: 999_999 } })),
  'POST /api/data_sources/:id/pause': admins(200, withBody(aSource, { reason: 'a walk' })),
  'DELETE /api/data_sources/:id/pause': admins(200, aSource),
  'GET /api/data_sources/:id/schema': listers(200, aSource),
  // Other kinds have several databases, too (ours).
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
  // The query of another user.
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
  // The query has never run.
  'GET /api/queries/:id/dropdown': { ...listers(400, theQuery()), key: 400 },
  'GET /api/queries/:id/dropdowns/:dropdownId': { ...listers(400, theQuery({ dropdownId: query.id })), key: 400 },
  'POST /api/queries/:id/favorite': { ...listers(200, theQuery()), key: 403 },
  'DELETE /api/queries/:id/favorite': { ...listers(200, theQuery()), key: 403 },
  'GET /api/queries/:id/acl': { ...listers(200, theQuery()), key: 403 },
  'GET /api/queries/:id/acl/:accessType': { ...listers(200, theQuery({ accessType: 'modify' })), key: 403 },
  'POST /api/queries/:id/acl': { ...admins(200, theQuery({}, { access_type: 'view', user_id: powerless.id })), key: 403 },
  'DELETE /api/queries/:id/acl': { ...admins(200, theQuery({}, { access_type: 'view', user_id: powerless.id })), key: 403 },
  'GET /api/query_keys': listers(200),
  'GET /api/queries/:id/api_keys': { ...admins(200, theQuery()), key: 403 },
  'DELETE /api/queries/:id/api_keys/:userId': { ...admins(200, thePlainKey), key: 403 },
  'GET /api/queries/:id/versions': { ...listers(200, theQuery()), key: 403 },
  'GET /api/queries/:id/versions/:version': { ...listers(200, theQuery({ version: 1 })), key: 403 },
  'GET /api/queries/applications': listers(200),
  'GET /api/queries/applications/:id/devices': listers(404, () => ({ params: { id: 'none' } })),
  'GET /api/queries/applications/:id/attributes': listers(404, () => ({ params: { id: 'none' } })),
  'GET /api/queries/applications/:id/devices/:deviceId/attributes': listers(404, () => ({ params: { id: 'none', deviceId: 'none' } })),
  'POST /api/queries/add': listers(
    400,
    withBody(() => ({}), { name: 'Nothing chosen' }),
  ),
  // The query was not made from devices.
  'GET /api/myqueries/:id': listers(404, theQuery()),
  'POST /api/myqueries/:id': { answers: [404, 403, 403, 404], call: theQuery({}, devices) },
  'POST /api/visualizations': admins(200, () => ({ body: { query_id: query.id, name: 'Chart', type: 'CHART' } })),
  'GET /api/visualizations/:id': listers(200, aVisualization),
  'POST /api/visualizations/:id': admins(200, withBody(aVisualization, { name: 'Renamed' })),
  'POST /api/queries/:id/visualizations/order': { ...admins(200, theOrder), key: 403 },
  'DELETE /api/visualizations/:id': admins(200, aVisualization),
  'GET /api/query_snippets': signedIn(200),
  'POST /api/query_snippets': listers(200, () => ({ body: { trigger: `s${nextNumber()}`, snippet: 'select 1' } })),
  'GET /api/query_snippets/:id': signedIn(200, aSnippet),
  'POST /api/query_snippets/:id': admins(200, withBody(aSnippet, { description: 'changed' })),
  'DELETE /api/query_snippets/:id': admins(200, aSnippet),
  'POST /api/query_results': listers(200, () => ({ body: { query: 'select 1', data_source_id: source.id, max_age: 0 } })),
  'GET /api/query_results/:file': listers(404, () => ({ params: { file: '999999' } })),
  'POST /api/queries/:id/results': { ...listers(200, theQuery({}, { max_age: 0 })), key: 200 },
  // The query has never run.
  'GET /api/queries/:id/results': { ...listers(404, theQuery()), key: 404 },
  'GET /api/queries/:id/results.:ext': { ...listers(404, theQuery({ ext: 'csv' })), key: 404 },
  'GET /api/queries/:id/results/:file': { ...listers(404, theQuery({ file: '999999.csv' })), key: 404 },
  'GET /api/queries/:id/jobs/:jobId': { ...listers(404, theQuery({ jobId: randomUUID() })), key: 404 },
  // The shell of a page, which this server does not have.
  'GET /embed/query/:id/visualization/:visualizationId': everybody(404, () => ({ params: { id: query.id, visualizationId: 1 } })),
  'GET /api/dashboards': listers(200),
  'GET /api/dashboards/my': listers(200),
  'GET /api/dashboards/favorites': listers(200),
  'GET /api/dashboards/recent': listers(200),
  'GET /api/dashboards/tags': listers(200),
  'GET /api/dashboards/shared': admins(200),
  'POST /api/dashboards': listers(200, () => ({ body: { name: 'Mine' } })),
  'GET /api/dashboards/:id': listers(200, aDashboard),
  // The dashboard of another user.
  'POST /api/dashboards/:id': admins(200, withBody(aDashboard, { name: 'Renamed' })),
  'DELETE /api/dashboards/:id': admins(200, aDashboard),
  'POST /api/dashboards/:id/fork': listers(200, aDashboard),
  'POST /api/dashboards/:id/layout': admins(200, withBody(aDashboard, { widgets: [] })),
  'GET /api/dashboards/:id/annotations': listers(200, aDashboard),
  'POST /api/dashboards/:id/annotations': admins(200, withBody(aDashboard, { at: '2026-01-01T00:00:00Z', text: 'Door open' })),
  'POST /api/dashboards/:id/annotations/:annotationId': admins(404, async () => ({
    params: { ...(await aDashboard()).params, annotationId: 999_999 },
    body: { at: '2026-01-01T00:00:00Z', text: 'Door open' },
  })),
  'GET /api/dashboards/public/:token/annotations': everybody(404, unknownToken),
  'GET /api/queries/:id/annotations': { ...listers(200, theQuery()), key: 200 },
  'DELETE /api/dashboards/:id/annotations/:annotationId': admins(404, async () => ({
    params: { ...(await aDashboard()).params, annotationId: 999_999 },
  })),
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
  // The route needs a token; sharing.test.ts has one.
  'GET /api/dashboards/public/:token': everybody(404, unknownToken),
  // No pages are built here; pages.test.ts has some.
  'GET /public/dashboards/:token': everybody(404, unknownToken),
  'POST /api/widgets': admins(200, async () => ({ body: { dashboard_id: (await aDashboard()).params.id, text: 'x' } })),
  'GET /api/widgets/:id': listers(200, aWidget),
  'POST /api/widgets/:id': admins(200, withBody(aWidget, { text: 'changed' })),
  'DELETE /api/widgets/:id': admins(200, aWidget),
};
