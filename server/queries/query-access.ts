import { getDataSource } from '../data-sources/data-sources.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, notFound, notYours } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { findQuery, isShownOn, lockQuery, type QueryRow } from './queries.store.ts';

/** Finds a query without a check: for references of a query that the caller may read. */
export const findQueryRow = (ctx: Ctx, id: number): Promise<QueryRow | undefined> => findQuery(ctx.db, id);

/** Returns the query if the caller may view it. */
export const getQuery = async (ctx: Ctx, id: number): Promise<QueryRow> => visible(ctx, await findQuery(ctx.db, id));

/** The same with the row locked, so that no other change happens until the transaction has ended. */
export const getQueryToChange = async (tx: UserCtx, id: number): Promise<QueryRow> => visible(tx, await lockQuery(tx.db, id));

async function visible(ctx: Ctx, query: QueryRow | undefined): Promise<QueryRow> {
  if (!query) throw notFound('Query');
  const { identity } = ctx;
  const isToken = identity.kind === 'dashboard_token';
  const row = isToken && (await isShownOn(ctx.db, identity.object_id, query.id)) ? { ...query, stands_on: [identity.object_id] } : query;
  if (!may(identity, 'view', 'query', row)) throw forbidden();
  return row;
}

export function requireEdit(ctx: UserCtx, query: QueryRow): void {
  if (!may(ctx.user, 'edit', 'query', query)) throw notYours();
}

export function requireOwner(ctx: UserCtx, query: QueryRow, action: 'archive' | 'share'): void {
  if (!may(ctx.user, action, 'query', query)) throw notYours();
}

/** Checks the source that the query will run on, whenever the running part changes (security 21). */
export async function requireFullAccess(ctx: UserCtx, dataSourceId: number): Promise<void> {
  const source = await getDataSource(ctx, dataSourceId);
  if (!may(ctx.user, 'save_queries', 'data_source', source))
    throw forbidden("You don't have permission to create queries on this data source.");
}
