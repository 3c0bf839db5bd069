import { isDeepStrictEqual } from 'node:util';
import { slugOf } from '@telltale/domain/dashboards/address.ts';
import type { Dashboard, DashboardChanges, ListedDashboard, NewDashboard } from '@telltale/domain/dashboards/contract.ts';
import { requireFresh } from '../access/edit-conflict.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { getDashboard, getDashboardAt, getDashboardToChange, requireEdit, requireNotArchived, requireOwner } from './dashboard-access.ts';
import { dashboardAnswer, listedAnswers } from './dashboard-answers.ts';
import { type DashboardRow, insertDashboard, listSlugs, updateDashboard } from './dashboards.store.ts';
import { deleteShare } from './sharing.store.ts';
import { shownTo } from './widget-answers.ts';
import { copyWidgets, listWidgetRows } from './widgets.store.ts';

export async function readDashboard(ctx: UserCtx, address: string, isLegacy: boolean): Promise<Dashboard> {
  const dashboard = await getDashboardAt(ctx, address, isLegacy);
  const [answer] = await Promise.all([dashboardAnswer(ctx, dashboard), recordEvent(ctx, 'view', 'dashboard', dashboard.id)]);
  return answer;
}

/** Q4: creates a draft with a name, owned by the caller. */
export const createDashboard = (ctx: UserCtx, { name }: NewDashboard): Promise<ListedDashboard> =>
  ctx.transaction(async (tx) => {
    const dashboard = await addDashboard(tx, { name, dashboard_filters_enabled: false, options: {}, tags: [] });
    await recordEvent(tx, 'create', 'dashboard', dashboard.id);
    const [answer] = await listedAnswers(tx, [{ ...dashboard, starred_at: null }]);
    return answer as ListedDashboard;
  });

/** Reserved paths of dashboard lists, which no slug may use. */
const takenSlugs = ['my', 'favorites', 'recent', 'tags', 'shared', 'public'];

/** server-behaviour 16.1: tries `name`, `name_1`, `name_2` … until one is free. */
async function addDashboard(
  tx: UserCtx,
  fields: Pick<DashboardRow, 'name' | 'dashboard_filters_enabled' | 'options' | 'tags'>,
): Promise<DashboardRow> {
  const { org_id, id: user_id } = tx.user;
  const base = slugOf(fields.name);
  for (;;) {
    const taken = new Set([...takenSlugs, ...(await listSlugs(tx.db, org_id, base))]);
    let slug = base;
    for (let n = 1; taken.has(slug); n++) slug = `${base}_${n}`;
    const dashboard = await insertDashboard(tx.db, { ...fields, org_id, user_id, slug });
    if (dashboard) return dashboard;
  }
}

/** Changes only the sent fields; without a version the caller means to overwrite (16.2). */
export async function saveDashboard(ctx: UserCtx, id: number, { version, ...changes }: DashboardChanges): Promise<Dashboard> {
  await ctx.transaction(async (tx) => {
    const before = await getDashboardToChange(tx, id);
    requireEdit(tx, before);
    const next: DashboardRow = { ...before, ...changes };
    if (next.is_archived !== before.is_archived) requireOwner(tx, before, 'archive');
    else requireNotArchived(before);
    requireFresh(tx, before, version, 'The dashboard has been modified by another user.');
    if (!isDeepStrictEqual(before, next)) {
      await storeChange(tx, before, next);
      await recordEvent(tx, eventOf(before, next), 'dashboard', id);
    }
  });
  return dashboardAnswer(ctx, await getDashboard(ctx, id));
}

function eventOf(before: DashboardRow, next: DashboardRow): string {
  if (before.is_archived !== next.is_archived) return next.is_archived ? 'archive' : 'unarchive';
  return before.is_draft === next.is_draft ? 'edit' : 'toggle_published';
}

/** D4; W7: archiving deletes the public address, and restoring does not bring it back. */
export async function archiveDashboard(ctx: UserCtx, id: number): Promise<Dashboard> {
  await ctx.transaction(async (tx) => {
    const before = await getDashboardToChange(tx, id);
    requireOwner(tx, before, 'archive');
    if (before.is_archived) return;
    await storeChange(tx, before, { ...before, is_archived: true });
    await recordEvent(tx, 'archive', 'dashboard', id);
  });
  return dashboardAnswer(ctx, await getDashboard(ctx, id));
}

async function storeChange(tx: UserCtx, before: DashboardRow, next: DashboardRow): Promise<void> {
  await updateDashboard(tx.db, before.id, next, tx.user.id);
  if (next.is_archived) await deleteShare(tx.db, before.id);
}

/** security 20: a copy contains only the widgets that its creator may see. */
export async function forkDashboard(ctx: UserCtx, id: number): Promise<Dashboard> {
  const copy = await ctx.transaction(async (tx) => {
    const original = await getDashboard(tx, id);
    const { dashboard_filters_enabled, options, tags } = original;
    const name = `Copy of (#${id}) ${original.name}`.slice(0, 100).trim();
    const made = await addDashboard(tx, { name, dashboard_filters_enabled, options, tags });
    const rows = await listWidgetRows(tx.db, id);
    const shown = await shownTo(tx, tx.user, rows);
    const seen = rows.filter((row) => !shown.isRestricted(row)).map((row) => row.id);
    await copyWidgets(tx.db, seen, made.id);
    await recordEvent(tx, 'fork', 'dashboard', id, { copy: made.id });
    return made;
  });
  return dashboardAnswer(ctx, copy);
}
