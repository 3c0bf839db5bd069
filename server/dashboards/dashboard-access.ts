import { hasPermission, isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { dashboardIdOf } from '@telltale/domain/dashboards/address.ts';
import { hasGrant } from '../access/grants.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, notFound, notYours } from '../platform/errors.ts';
import { type DashboardRow, findDashboard, findDashboardBySlug, lockDashboard } from './dashboards.store.ts';

export const isOwner = (ctx: UserCtx, dashboard: DashboardRow): boolean => isOwnerOrAdmin(ctx.user, dashboard.user_id);

const isLetIn = (ctx: UserCtx, { id }: DashboardRow, accessType: 'view' | 'modify') =>
  hasGrant(ctx, { type: 'dashboards', id }, accessType);

/** design 8: a draft is there for its owner, whom they let in, and administrators. */
async function visible(ctx: UserCtx, dashboard: DashboardRow | undefined): Promise<DashboardRow> {
  if (!dashboard) throw notFound('Dashboard');
  if (!dashboard.is_draft || isOwner(ctx, dashboard)) return dashboard;
  if ((await isLetIn(ctx, dashboard, 'modify')) || (await isLetIn(ctx, dashboard, 'view'))) return dashboard;
  throw forbidden();
}

export const getDashboard = async (ctx: UserCtx, id: number): Promise<DashboardRow> =>
  visible(ctx, await findDashboard(ctx.db, ctx.user.org_id, id));

/** D7: by number, with or without a name behind it; by `legacy`, or where there is no number, by the name of old addresses. */
export async function getDashboardAt(ctx: UserCtx, address: string, isLegacy: boolean): Promise<DashboardRow> {
  const id = isLegacy ? undefined : dashboardIdOf(address);
  const { org_id } = ctx.user;
  return visible(ctx, id === undefined ? await findDashboardBySlug(ctx.db, org_id, address) : await findDashboard(ctx.db, org_id, id));
}

/** server-behaviour 4.2, modify: its owner, administrators, and whom they let in. */
export const canEdit = async (ctx: UserCtx, dashboard: DashboardRow): Promise<boolean> =>
  hasPermission(ctx.user.permissions, 'edit_dashboard') && (isOwner(ctx, dashboard) || isLetIn(ctx, dashboard, 'modify'));

export async function requireEdit(ctx: UserCtx, dashboard: DashboardRow): Promise<void> {
  if (!(await canEdit(ctx, dashboard))) throw notYours();
}

/** server-behaviour 17: what being let in does not cover: archiving, sharing, letting others in. */
export function requireOwner(ctx: UserCtx, dashboard: DashboardRow): void {
  if (!isOwner(ctx, dashboard)) throw notYours();
}

/** D5. */
export function requireLive({ is_archived }: DashboardRow): void {
  if (is_archived) throw forbidden('This dashboard is archived.');
}

/** The row for a change of its own fields: nobody else changes it until the transaction has ended. */
export const getDashboardToChange = async (tx: UserCtx, id: number): Promise<DashboardRow> =>
  visible(tx, await lockDashboard(tx.db, tx.user.org_id, id));

/** For changes of what stands on it, which each have a version of their own: editors do not wait for each other. */
export async function getEditable(ctx: UserCtx, id: number): Promise<DashboardRow> {
  const dashboard = await getDashboard(ctx, id);
  await requireEdit(ctx, dashboard);
  requireLive(dashboard);
  return dashboard;
}
