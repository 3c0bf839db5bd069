import { hasPermission } from '@telltale/domain/access/permissions.ts';
import type { ListedDashboard } from '@telltale/domain/dashboards/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import type { TagsReply } from '@telltale/domain/tags/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import { reachableSourceIds } from '../data-sources/data-sources.ts';
import type { UserCtx } from '../platform/context.ts';
import { countTags } from '../tags/tags.ts';
import { listedAnswers } from './dashboard-answers.ts';
import { countDashboardRows, isGranted, listDashboardRows, listRecentRows, showsSources } from './lists.store.ts';

/**
 * server-behaviour 16.2: one's own, those one was let in to, and published ones that show something one may see; for
 * administrators all (4.2, decided once).
 */
async function live(ctx: UserCtx): Promise<RawBuilder<unknown>> {
  const here = sql`not is_archived and dashboards.org_id = ${ctx.user.org_id}`;
  if (hasPermission(ctx.user.permissions, 'admin')) return here;
  const open = sql`(not is_draft and ${showsSources(await reachableSourceIds(ctx))})`;
  return sql`${here} and (dashboards.user_id = ${ctx.user.id} or ${isGranted(ctx.user.id)} or ${open})`;
}

async function list(ctx: UserCtx, params: ListParams, where: RawBuilder<unknown>): Promise<Page<ListedDashboard>> {
  const page = await listDashboardRows(ctx.db, params, { userId: ctx.user.id, where });
  return { ...page, results: await listedAnswers(ctx, page.results) };
}

export const listDashboards = async (ctx: UserCtx, params: ListParams) => list(ctx, params, await live(ctx));

export const listMyDashboards = async (ctx: UserCtx, params: ListParams) =>
  list(ctx, params, sql`${await live(ctx)} and dashboards.user_id = ${ctx.user.id}`);

export const listFavoriteDashboards = async (ctx: UserCtx, params: ListParams) =>
  list(ctx, params, sql`${await live(ctx)} and star.user_id is not null`);

export const listRecentDashboards = async (ctx: UserCtx): Promise<ListedDashboard[]> =>
  listedAnswers(ctx, await listRecentRows(ctx.db, { userId: ctx.user.id, where: await live(ctx) }));

export const listDashboardTags = async (ctx: UserCtx): Promise<TagsReply> => countTags(ctx, sql`dashboards`, await live(ctx));

export const countDashboards = async (ctx: UserCtx): Promise<number> => countDashboardRows(ctx.db, await live(ctx));
