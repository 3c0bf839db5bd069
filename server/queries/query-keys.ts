import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import type { QueryKey } from '@telltale/domain/queries/keys.ts';
import { recordEvent } from '../events/events.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { notFound, notYours } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { randomKey } from '../platform/secrets.ts';
import { may, whereMay } from '../policy/policy.ts';
import type { KeyResolver } from '../session/authentication.ts';
import { findPeople } from '../session/people.ts';
import { findUsersById } from '../users/users.ts';
import { hasReadableResults } from './joined-results.ts';
import type { QueryRow } from './queries.store.ts';
import { getQuery, getQueryToChange } from './query-access.ts';
import {
  deleteKeys,
  findOrInsertKey,
  findQueryByKey,
  type KeyRow,
  listKeyRows,
  listKeyRowsOf,
  type NewKey,
  noteKeyUse,
  setKeyRevoked,
} from './query-keys.store.ts';

/**
 * server-behaviour 2: a query's key opens the routes of that query, and only where the route names the query. It acts for the owner of the
 * query and for the holder of the key, with the current rights of both; without one of their accounts it is unknown.
 */
export const queryKeys: KeyResolver = async ({ db, secrets, log }, key, request, route) => {
  const id = /\/queries\/:id\b|\/embed\/query\/:id\b/.test(route.path) ? Number((request.params as { id?: string }).id) : Number.NaN;
  if (!Number.isInteger(id)) return undefined;
  const hash = secrets.hash('api key', key);
  const known = await findQueryByKey(db, hash);
  if (known?.id !== id) return undefined;
  // With public URLs disabled, no address works without an account; the answer is that for an unknown key.
  if ((await getSettings({ db })).disable_public_urls) return undefined;
  const acts_for = await findPeople({ db }, [...new Set([known.owner_id, known.user_id])]);
  if (acts_for.length === 0) return undefined;
  if (known.is_stale) noteKeyUse(db, hash).catch((error: Error) => log.warn({ err: error.message }, 'could not note the use of a key'));
  return { kind: 'query_key', org_id: known.org_id, object_id: id, acts_for, name: `ApiKey: Query ${id}`, permissions: ['view_query'] };
};

export function newQueryKey({ secrets }: Pick<Ctx, 'secrets'>): NewKey {
  const key = randomKey();
  return { api_key_hash: secrets.hash('api key', key), api_key_sealed: secrets.seal(key) };
}

/** design 8: the caller's own key; none for users who may not read the results, or whose key was revoked. */
export async function ownKey(ctx: UserCtx, query: QueryRow): Promise<string | undefined> {
  if (!may(ctx.user, 'view', 'query_key', { ...query, is_readable: await hasReadableResults(ctx, query) })) return undefined;
  const sealed = await findOrInsertKey(ctx.db, query.id, ctx.user.id, () => newQueryKey(ctx));
  return sealed ? ctx.secrets.open(sealed) : undefined;
}

/**
 * Q6 and server-behaviour 7.15: ends every key of the query at once. This is no change of the query, so its version stays. A key that was
 * revoked stays so, except when somebody who may revoke keys makes new ones for themself or the owner.
 */
export const regenerateKeys = (ctx: UserCtx, id: number): Promise<QueryRow> =>
  ctx.transaction(async (tx) => {
    const query = await getQueryToChange(tx, id);
    if (!may(tx.user, 'regenerate', 'query_key', query)) throw notYours();
    await deleteKeys(tx.db, id, may(tx.user, 'revoke', 'query_key', query) ? [tx.user.id, query.user_id] : []);
    await findOrInsertKey(tx.db, id, query.user_id, () => newQueryKey(tx));
    // The misspelt name is upstream's own.
    await recordEvent(tx, 'regnerate_api_key', 'query', id);
    return query;
  });

/** The keys of one query. */
export async function listKeysOfQuery(ctx: UserCtx, id: number): Promise<QueryKey[]> {
  const query = await getQuery(ctx, id);
  if (!may(ctx.user, 'list', 'query_key', query)) throw notYours();
  return answers(ctx, await listKeyRowsOf(ctx.db, id));
}

/** The keys of the caller's own queries; administrators get all keys. */
export async function listKeys(ctx: UserCtx, params: ArrayListParams) {
  const keys = await answers(ctx, await listKeyRows(ctx.db, whereMay(ctx.user, 'list', 'query_key')));
  return arrayOrPage(keys, params, ({ query, user }) => `${query.name} ${user.name}`);
}

async function answers(ctx: UserCtx, rows: KeyRow[]): Promise<QueryKey[]> {
  const people = await findUsersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  return rows.flatMap(({ query_id, query_name, user_id, ...key }) => {
    const user = people.get(user_id);
    if (!user) return [];
    const { id, name, profile_image_url } = user;
    return [{ query: { id: query_id, name: query_name }, user: { id, name, profile_image_url }, ...key }];
  });
}

export async function revokeKey(ctx: UserCtx, id: number, userId: number): Promise<null> {
  const query = await getQuery(ctx, id);
  if (!may(ctx.user, 'revoke', 'query_key', query)) throw notYours();
  if (!(await setKeyRevoked(ctx.db, id, userId))) throw notFound('Key');
  await recordEvent(ctx, 'revoke_api_key', 'query', id, { user_id: userId });
  return null;
}
