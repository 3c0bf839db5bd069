import { dashboardUrl, slugOf } from '@telltale/domain/dashboards/address.ts';
import type { Dashboard, ListedDashboard } from '@telltale/domain/dashboards/contract.ts';
import { isFavorite } from '../favorites/favorites.ts';
import type { UserCtx } from '../platform/context.ts';
import { may } from '../policy/policy.ts';
import { findUsersById, getUserRow, userAnswer } from '../users/users.ts';
import type { DashboardRow } from './dashboards.store.ts';
import { findShareOf } from './sharing.ts';
import { widgetAnswers } from './widget-answers.ts';
import { listWidgetRows } from './widgets.store.ts';

type Common = Omit<ListedDashboard, 'widgets' | 'starred_at' | 'is_favorite'>;

/** server-behaviour 16.1; the users of a page are read once (W38). */
async function commonAnswers(ctx: UserCtx, rows: readonly DashboardRow[]): Promise<Common[]> {
  const people = await findUsersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  return Promise.all(
    rows.map(async (row) => {
      const { id, name, email, profile_image_url } = people.get(row.user_id) ?? userAnswer(ctx, await getUserRow(ctx, row.user_id));
      return {
        id: row.id,
        slug: slugOf(row.name),
        name: row.name,
        url: dashboardUrl(row),
        user_id: row.user_id,
        user: { id, name, email, profile_image_url },
        layout: [],
        dashboard_filters_enabled: row.dashboard_filters_enabled,
        options: row.options,
        is_archived: row.is_archived,
        is_draft: row.is_draft,
        tags: row.tags,
        version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
      };
    }),
  );
}

export async function listedAnswers(
  ctx: UserCtx,
  rows: readonly (DashboardRow & { starred_at: string | null })[],
): Promise<ListedDashboard[]> {
  const common = await commonAnswers(ctx, rows);
  return common.map((answer, i) => {
    const starred_at = rows[i]?.starred_at ?? null;
    return { ...answer, widgets: null, is_favorite: starred_at !== null, ...(starred_at ? { starred_at } : {}) };
  });
}

/** W6: only users who may share the dashboard see its secret address. */
export async function dashboardAnswer(ctx: UserCtx, row: DashboardRow): Promise<Dashboard> {
  const [[common], rows, is_favorite, share] = await Promise.all([
    commonAnswers(ctx, [row]),
    listWidgetRows(ctx.db, row.id),
    isFavorite(ctx, 'Dashboard', row.id),
    findShareOf(ctx, row),
  ]);
  return {
    ...(common as Common),
    widgets: await widgetAnswers(ctx, rows),
    is_favorite,
    can_edit: may(ctx.user, 'edit', 'dashboard', row),
    publicAccessEnabled: share !== undefined,
    ...(share && may(ctx.user, 'share', 'dashboard', row) ? { public_url: share.public_url, api_key: share.api_key, share } : {}),
  };
}
