import { hasPermission, isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { hasGrant } from '../access/grants.ts';
import { accessTo, getDataSource, getSourceRow } from '../data-sources/data-sources.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, notFound, notYours } from '../platform/errors.ts';
import { findAbsentPerson } from '../session/absent.ts';
import { findQuery, lockQuery, type QueryRow } from './queries.store.ts';
import { isOnDashboard } from './shared-queries.ts';

/** Without asking who wants to know: for what a query that may be read refers to. */
export const findQueryRow = (ctx: Ctx, id: number): Promise<QueryRow | undefined> => findQuery(ctx.db, id);

/** The query for whoever may view its source, or holds its key. Drafts are no secret (server-behaviour 7.11). */
export const getQuery = async (ctx: Ctx, id: number): Promise<QueryRow> => visible(ctx, await findQuery(ctx.db, id));

/** The same, and nobody else changes it until the transaction has ended. */
export const getQueryToChange = async (tx: UserCtx, id: number): Promise<QueryRow> => visible(tx, await lockQuery(tx.db, id));

async function visible(ctx: Ctx, query: QueryRow | undefined): Promise<QueryRow> {
  if (!query) throw notFound('Query');
  if (!(await mayView(ctx, query))) throw forbidden();
  return query;
}

export async function mayView(ctx: Ctx, query: Pick<QueryRow, 'id' | 'user_id' | 'data_source_id'>): Promise<boolean> {
  const { identity } = ctx;
  if (identity.kind === 'query_key') return identity.object_id === query.id;
  if (identity.kind === 'dashboard_token') {
    const sharer = await findAbsentPerson(ctx, identity.in_name_of ?? 0);
    return sharer !== undefined && (await isOnDashboard(ctx, identity, query.id)) && mayView({ ...ctx, identity: sharer }, query);
  }
  if (hasPermission(identity.permissions, 'admin')) return true;
  if (query.data_source_id === null) return identity.kind === 'user' && identity.id === query.user_id;
  return accessTo(await getSourceRow(ctx, query.data_source_id), identity) !== 'none';
}

/** server-behaviour 4.2, modify: its author, administrators, and whom they let in. */
export const canEdit = async (ctx: UserCtx, query: QueryRow): Promise<boolean> =>
  isOwnerOrAdmin(ctx.user, query.user_id) || hasGrant(ctx, { type: 'queries', id: query.id }, 'modify');

export async function requireEdit(ctx: UserCtx, query: QueryRow): Promise<void> {
  if (!(await canEdit(ctx, query))) throw notYours();
}

/** What being let in does not cover: archiving, keys, letting others in. */
export function requireOwner(ctx: UserCtx, query: QueryRow): void {
  if (!isOwnerOrAdmin(ctx.user, query.user_id)) throw notYours();
}

/** Full access is asked for the source that it will run on, whenever what runs there changes (security 21). */
export async function requireFullAccess(ctx: UserCtx, dataSourceId: number): Promise<void> {
  const source = await getDataSource(ctx, dataSourceId);
  if (accessTo(source, ctx.user) !== 'full') throw forbidden("You don't have permission to create queries on this data source.");
}
