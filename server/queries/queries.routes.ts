import { queriesApi, queryAclApi, queryFavoriteApi } from '@telltale/domain/queries/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { queryKeysApi } from '@telltale/domain/queries/keys.ts';
import { queryVersionsApi } from '@telltale/domain/queries/versions.ts';
import { bindGrants } from '../access/bind-grants.ts';
import { bindFavorites } from '../favorites/bind-favorites.ts';
import type { Http } from '../platform/http/http.ts';
import { archiveQuery, regenerateQueryKey, restoreQuery } from './archive.ts';
import {
  addDeviceQuery,
  listApplications,
  listAttributes,
  listAttributesOf,
  listDevices,
  readDeviceQuery,
  saveDeviceQuery,
} from './device-queries.ts';
import { formatQuery } from './format.ts';
import { listArchivedQueries, listFavoriteQueries, listMyQueries, listQueries, listQueryTags, listRecentQueries } from './lists.ts';
import { createQuery, forkQuery, readQuery, saveQuery } from './queries.ts';
import { getQuery, requireOwner } from './query-access.ts';
import { listKeys, listKeysOfQuery, revokeKey } from './query-keys.ts';
import { listVersions, readVersion } from './versions.ts';

export function queryRoutes(http: Http): void {
  http.on(queriesApi.list, (ctx, { query }) => listQueries(ctx, query));
  http.on(queriesApi.my, (ctx, { query }) => listMyQueries(ctx, query));
  http.on(queriesApi.archived, (ctx, { query }) => listArchivedQueries(ctx, query));
  http.on(queriesApi.favorites, (ctx, { query }) => listFavoriteQueries(ctx, query));
  http.on(queriesApi.recent, (ctx) => listRecentQueries(ctx));
  http.on(queriesApi.tags, (ctx) => listQueryTags(ctx));
  legacySearch(http);

  http.on(queriesApi.create, (ctx, { body }) => createQuery(ctx, body));
  http.on(queriesApi.get, (ctx, { params }) => readQuery(ctx, params.id));
  http.on(queriesApi.save, (ctx, { params, body }) => saveQuery(ctx, params.id, body));
  http.on(queriesApi.archive, (ctx, { params }) => archiveQuery(ctx, params.id));
  http.on(queriesApi.restore, (ctx, { params }) => restoreQuery(ctx, params.id));
  http.on(queriesApi.fork, (ctx, { params }) => forkQuery(ctx, params.id));
  http.on(queriesApi.regenerateKey, (ctx, { params }) => regenerateQueryKey(ctx, params.id));
  http.on(queriesApi.format, (ctx, { body }) => formatQuery(ctx, body));
  http.on(queryKeysApi.list, (ctx, { query }) => listKeys(ctx, query));
  http.on(queryKeysApi.ofQuery, (ctx, { params }) => listKeysOfQuery(ctx, params.id));
  http.on(queryKeysApi.revoke, (ctx, { params }) => revokeKey(ctx, params.id, params.userId));
  http.on(queryVersionsApi.list, (ctx, { params, query }) => listVersions(ctx, params.id, query));
  http.on(queryVersionsApi.get, (ctx, { params }) => readVersion(ctx, params.id, params.version));

  bindFavorites(http, queryFavoriteApi, 'Query', getQuery);
  bindGrants(http, queryAclApi, 'queries', {
    seen: getQuery,
    async owned(ctx, id) {
      const query = await getQuery(ctx, id);
      requireOwner(ctx, query, 'share');
      return query;
    },
  });

  http.on(deviceQueriesApi.applications, (ctx) => listApplications(ctx));
  http.on(deviceQueriesApi.devices, (ctx, { params }) => listDevices(ctx, params.id));
  http.on(deviceQueriesApi.attributes, (ctx, { params }) => listAttributes(ctx, params.id, params.deviceId));
  http.on(deviceQueriesApi.attributesOf, (ctx, { params, query }) => listAttributesOf(ctx, params.id, query.device_ids));
  http.on(deviceQueriesApi.add, (ctx, { body }) => addDeviceQuery(ctx, body));
  http.on(deviceQueriesApi.get, (ctx, { params }) => readDeviceQuery(ctx, params.id));
  http.on(deviceQueriesApi.save, (ctx, { params, body }) => saveDeviceQuery(ctx, params.id, body));
}

/** server-behaviour 7.7: the address where old scripts search queries; it redirects to the list. */
function legacySearch(http: Http): void {
  http.page(
    { method: 'GET', path: '/api/queries/search', needs: 'view_query', summary: 'Moved to GET /api/queries?q=.' },
    (_ctx, request, reply) => {
      const { q, include_drafts, api_key } = request.query as Record<string, unknown>;
      if (typeof q !== 'string' || q.trim() === '') return reply.type('application/json; charset=utf-8').send('[]');
      const search = new URLSearchParams({ q, drafts: String(include_drafts !== undefined) });
      if (typeof api_key === 'string') search.set('api_key', api_key);
      return reply.redirect(`/api/queries?${search}`, 301);
    },
  );
}
