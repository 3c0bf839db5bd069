import { dashboardUrl } from '@telltale/domain/dashboards/address.ts';
import { type Share, type SharedDashboard, type ShareRequest, unsafeShareMessage } from '@telltale/domain/dashboards/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { recordEvent } from '../events/events.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { randomKey } from '../platform/secrets.ts';
import { getDashboardToChange, requireEdit, requireNotArchived, requireOwner } from './dashboard-access.ts';
import type { DashboardRow } from './dashboards.store.ts';
import { deleteShare, findShare, listShares, replaceShare, type ShareRow, setExpiry } from './sharing.store.ts';
import { shownTo } from './widget-answers.ts';
import { listWidgetRows } from './widgets.store.ts';

export const publicUrlsDisabled = () => invalid('Public URLs are disabled.');

export const arePublicUrlsOn = async (ctx: Pick<Ctx, 'db'>): Promise<boolean> => !(await getSettings(ctx)).disable_public_urls;

/** The current public address, if any. */
export async function findShareOf(ctx: UserCtx, { id, is_archived }: DashboardRow): Promise<Share | undefined> {
  const row = is_archived ? undefined : await findShare(ctx.db, id);
  return row && (await arePublicUrlsOn(ctx)) ? shareAnswer(ctx, row) : undefined;
}

function shareAnswer(ctx: UserCtx, row: ShareRow): Share {
  const api_key = ctx.secrets.open(row.api_key_sealed);
  return {
    // The host is that of the caller's request: only the caller gets this answer.
    public_url: `${ctx.config.publicUrl ?? ctx.request.origin}/public/dashboards/${api_key}`,
    api_key,
    expires_at: row.expires_at,
    view_count: row.view_count,
    last_viewed_at: row.last_viewed_at,
    created_at: row.created_at,
  };
}

export async function listShared(ctx: UserCtx): Promise<SharedDashboard[]> {
  const rows = (await arePublicUrlsOn(ctx)) ? await listShares(ctx.db, ctx.user.org_id) : [];
  return rows.map(({ dashboard_id, name, user_id, sharer, expires_at, view_count, last_viewed_at, created_at }) => ({
    dashboard_id,
    name,
    url: dashboardUrl({ id: dashboard_id, name }),
    shared_by: { id: user_id, name: sharer },
    expires_at,
    view_count,
    last_viewed_at,
    created_at,
  }));
}

/** W7: sharing again returns the same address, unless the caller requests a new one. */
export const shareDashboard = (ctx: UserCtx, id: number, { expires_at, rotate }: ShareRequest): Promise<Share> =>
  ctx.transaction(async (tx) => {
    const dashboard = await getDashboardToChange(tx, id);
    requireOwner(tx, dashboard, 'share');
    requireEdit(tx, dashboard);
    requireNotArchived(dashboard);
    if (!(await arePublicUrlsOn(tx))) throw publicUrlsDisabled();
    if (expires_at && Date.parse(expires_at) <= tx.now.getTime()) throw invalid('The end of sharing must be in the future.');
    await requireShareable(tx, id);
    const standing = await findShare(tx.db, id);
    if (standing && !rotate) {
      if (expires_at !== undefined) await setExpiry(tx.db, id, expires_at);
    } else {
      const key = randomKey();
      await replaceShare(tx.db, id, {
        user_id: tx.user.id,
        api_key_hash: tx.secrets.hash('api key', key),
        api_key_sealed: tx.secrets.seal(key),
        expires_at: (expires_at === undefined ? standing?.expires_at : expires_at) ?? null,
      });
      await recordEvent(tx, 'activate_api_key', 'dashboard', id);
    }
    return shareAnswer(tx, (await findShare(tx.db, id)) as ShareRow);
  });

/** D5: users cannot share data that they may not see themselves. */
async function requireShareable(tx: UserCtx, id: number): Promise<void> {
  const rows = await listWidgetRows(tx.db, id);
  const shown = await shownTo(tx, tx.user, rows);
  if (rows.some((row) => shown.isRestricted(row))) {
    throw forbidden("This dashboard shows data that you don't have access to, so you cannot share it.");
  }
  const isUnsafe = rows.some((row) => {
    const query = shown.query(row);
    return query !== undefined && !isSafe(query.query, query.options.parameters);
  });
  if (isUnsafe) throw invalid(unsafeShareMessage);
}

export const unshareDashboard = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    const dashboard = await getDashboardToChange(tx, id);
    requireOwner(tx, dashboard, 'share');
    await deleteShare(tx.db, id);
    await recordEvent(tx, 'deactivate_api_key', 'dashboard', id);
    return null;
  });
