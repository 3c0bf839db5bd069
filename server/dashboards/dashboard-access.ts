import { dashboardIdOf } from '@telltale/domain/dashboards/address.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, notFound, notYours } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { type DashboardRow, findDashboard, findDashboardBySlug, lockDashboard } from './dashboards.store.ts';

function visible(ctx: UserCtx, dashboard: DashboardRow | undefined): DashboardRow {
  if (!dashboard) throw notFound('Dashboard');
  if (!may(ctx.user, 'view', 'dashboard', dashboard)) throw forbidden();
  return dashboard;
}

export const getDashboard = async (ctx: UserCtx, id: number): Promise<DashboardRow> =>
  visible(ctx, await findDashboard(ctx.db, ctx.user.org_id, id));

/** D7: finds a dashboard by its number, with or without a name after it; with `legacy`, or without a number, by its old slug. */
export async function getDashboardAt(ctx: UserCtx, address: string, isLegacy: boolean): Promise<DashboardRow> {
  const id = isLegacy ? undefined : dashboardIdOf(address);
  const { org_id } = ctx.user;
  return visible(ctx, id === undefined ? await findDashboardBySlug(ctx.db, org_id, address) : await findDashboard(ctx.db, org_id, id));
}

export function requireEdit(ctx: UserCtx, dashboard: DashboardRow): void {
  if (!may(ctx.user, 'edit', 'dashboard', dashboard)) throw notYours();
}

/** server-behaviour 17: checks actions that a grant does not cover. */
export function requireOwner(ctx: UserCtx, dashboard: DashboardRow, action: 'archive' | 'share'): void {
  if (!may(ctx.user, action, 'dashboard', dashboard)) throw notYours();
}

/** D5. */
export function requireNotArchived({ is_archived }: DashboardRow): void {
  if (is_archived) throw forbidden('This dashboard is archived.');
}

/** Returns the row and locks it for a change of its own fields until the transaction ends. */
export const getDashboardToChange = async (tx: UserCtx, id: number): Promise<DashboardRow> =>
  visible(tx, await lockDashboard(tx.db, tx.user.org_id, id));

/** For changes of widgets, which have versions of their own: the row is not locked, so editors do not wait for each other. */
export async function getEditable(ctx: UserCtx, id: number): Promise<DashboardRow> {
  const dashboard = await getDashboard(ctx, id);
  requireEdit(ctx, dashboard);
  requireNotArchived(dashboard);
  return dashboard;
}
