import { getSettings } from '../organizations/organizations.ts';
import type { KeyResolver } from '../session/doorkeeper.ts';
import { findQueryByKey } from './queries.store.ts';

/** server-behaviour 2: a query's key opens the routes of that query, and only where the route names the query. */
export const queryKeys: KeyResolver = async ({ db, secrets }, key, request, route) => {
  const id = /\/queries\/:id\b|\/embed\/query\/:id\b/.test(route.path) ? Number((request.params as { id?: string }).id) : Number.NaN;
  if (!Number.isInteger(id)) return undefined;
  const query = await findQueryByKey(db, secrets.hash('api key', key));
  if (query?.id !== id) return undefined;
  // Switched off, no address opens anything without an account; the answer is that of an unknown key.
  if ((await getSettings({ db })).disable_public_urls) return undefined;
  return { kind: 'query_key', org_id: query.org_id, object_id: id, name: `ApiKey: Query ${id}`, permissions: ['view_query'] };
};
