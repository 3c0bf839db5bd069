import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { type DashboardRow, dashboardFields } from './dashboards.store.ts';

export type ShareRow = Columns<
  'dashboard_shares',
  'dashboard_id' | 'api_key_sealed' | 'user_id' | 'expires_at' | 'view_count' | 'last_viewed_at' | 'created_at'
>;

const fields = sql`
  dashboard_shares.dashboard_id, dashboard_shares.api_key_sealed, dashboard_shares.user_id, expires_at, view_count, last_viewed_at,
  dashboard_shares.created_at`;

/** W7: a share works until it is revoked or expires, while the dashboard exists and the sharer's account is enabled. */
const works = sql`
  (expires_at is null or expires_at > now()) and not exists (select from users where users.id = dashboard_shares.user_id and disabled_at is not null)`;

export async function findShare(db: Db, dashboardId: number): Promise<ShareRow | undefined> {
  const { rows } = await sql<ShareRow>`
    select ${fields} from dashboard_shares where dashboard_id = ${dashboardId} and ${works}`.execute(db);
  return rows[0];
}

/** Lists all public dashboards. */
export async function listShares(db: Db, orgId: number): Promise<(ShareRow & { name: string; sharer: string })[]> {
  const { rows } = await sql<ShareRow & { name: string; sharer: string }>`
    select ${fields}, dashboards.name, users.name as sharer
    from dashboard_shares join dashboards on dashboards.id = dashboard_id join users on users.id = dashboard_shares.user_id
    where dashboards.org_id = ${orgId} and not is_archived and ${works}
    order by last_viewed_at desc nulls last, dashboard_id desc limit 1000`.execute(db);
  return rows;
}

/** Finds the dashboard of a token and the user who shared it. */
export async function findByToken(db: Db, hash: Buffer): Promise<(DashboardRow & { shared_by: number }) | undefined> {
  const { rows } = await sql<DashboardRow & { shared_by: number }>`
    select ${dashboardFields}, dashboard_shares.user_id as shared_by
    from dashboard_shares join dashboards on dashboards.id = dashboard_id
    where dashboard_shares.api_key_hash = ${hash} and not is_archived and ${works}`.execute(db);
  return rows[0];
}

interface NewShare {
  user_id: number;
  api_key_hash: Buffer;
  api_key_sealed: Buffer;
  expires_at: string | null;
}

/** Replaces the share of a dashboard, which has at most one. */
export const replaceShare = (db: Db, dashboardId: number, { user_id, api_key_hash, api_key_sealed, expires_at }: NewShare) =>
  sql`insert into dashboard_shares (dashboard_id, user_id, api_key_hash, api_key_sealed, expires_at)
      values (${dashboardId}, ${user_id}, ${api_key_hash}, ${api_key_sealed}, ${expires_at})
      on conflict (dashboard_id) do update set user_id = excluded.user_id, api_key_hash = excluded.api_key_hash,
        api_key_sealed = excluded.api_key_sealed, expires_at = excluded.expires_at, view_count = 0, last_viewed_at = null,
        created_at = now()`.execute(db);

export const setExpiry = (db: Db, dashboardId: number, expiresAt: string | null) =>
  sql`update dashboard_shares set expires_at = ${expiresAt} where dashboard_id = ${dashboardId}`.execute(db);

export const deleteShare = (db: Db, dashboardId: number) =>
  sql`delete from dashboard_shares where dashboard_id = ${dashboardId}`.execute(db);

export const countView = (db: Db, dashboardId: number) =>
  sql`update dashboard_shares set view_count = view_count + 1, last_viewed_at = now() where dashboard_id = ${dashboardId}`.execute(db);
