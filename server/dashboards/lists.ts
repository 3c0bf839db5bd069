import type { ListedDashboard } from '@telltale/domain/dashboards/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import type { TagsReply } from '@telltale/domain/tags/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { listedAnswers } from './dashboard-answers.ts';
import { countDashboardRows, countDashboardTags, type DashboardChoice, listDashboardRows } from './lists.store.ts';

async function list(ctx: UserCtx, params: ListParams, choice: DashboardChoice): Promise<Page<ListedDashboard>> {
  const page = await listDashboardRows(ctx.db, params, ctx.user, choice);
  return { ...page, results: await listedAnswers(ctx, page.results) };
}

export const listDashboards = async (ctx: UserCtx, params: ListParams) => list(ctx, params, 'all');

export const listMyDashboards = async (ctx: UserCtx, params: ListParams) => list(ctx, params, 'own');

export const listFavoriteDashboards = async (ctx: UserCtx, params: ListParams) => list(ctx, params, 'favorite');

export const listRecentDashboards = async (ctx: UserCtx, params: ListParams) =>
  list(ctx, { ...params, order: params.order ?? '-updated_at' }, 'all');

export const listDashboardTags = async (ctx: UserCtx): Promise<TagsReply> => ({ tags: await countDashboardTags(ctx.db, ctx.user) });

export const countDashboards = async (ctx: UserCtx): Promise<number> => countDashboardRows(ctx.db, ctx.user);
