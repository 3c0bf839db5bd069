import type { DashboardOptions } from '@telltale/domain/dashboards/options.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface DashboardRow {
  id: number;
  org_id: number;
  slug: string;
  name: string;
  user_id: number;
  dashboard_filters_enabled: boolean;
  options: DashboardOptions;
  tags: string[];
  is_archived: boolean;
  is_draft: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

export const dashboardFields = sql`
  dashboards.id, dashboards.org_id, slug, dashboards.name, dashboards.user_id, dashboard_filters_enabled, dashboards.options, tags,
  is_archived, is_draft, dashboards.version, dashboards.created_at, dashboards.updated_at`;

export async function findDashboard(db: Db, orgId: number, id: number): Promise<DashboardRow | undefined> {
  const { rows } = await sql<DashboardRow>`
    select ${dashboardFields} from dashboards where org_id = ${orgId} and id = ${id}`.execute(db);
  return rows[0];
}

export async function findDashboardBySlug(db: Db, orgId: number, slug: string): Promise<DashboardRow | undefined> {
  const { rows } = await sql<DashboardRow>`
    select ${dashboardFields} from dashboards where org_id = ${orgId} and slug = ${slug}`.execute(db);
  return rows[0];
}

/** Whoever else wants to change it waits until this transaction has ended. */
export async function lockDashboard(db: Db, orgId: number, id: number): Promise<DashboardRow | undefined> {
  const { rows } = await sql<DashboardRow>`
    select ${dashboardFields} from dashboards where org_id = ${orgId} and id = ${id} for update`.execute(db);
  return rows[0];
}

type Fields = Pick<DashboardRow, 'name' | 'dashboard_filters_enabled' | 'options' | 'tags'>;

/** Undefined when somebody has just taken this slug. */
export async function insertDashboard(
  db: Db,
  dashboard: Fields & Pick<DashboardRow, 'org_id' | 'user_id' | 'slug'>,
): Promise<DashboardRow | undefined> {
  const { org_id, user_id, slug, name, dashboard_filters_enabled, options, tags } = dashboard;
  const { rows } = await sql<DashboardRow>`
    insert into dashboards (org_id, user_id, slug, name, dashboard_filters_enabled, options, tags)
    values (${org_id}, ${user_id}, ${slug}, ${name}, ${dashboard_filters_enabled}, ${JSON.stringify(options)}::jsonb, ${tags})
    on conflict (org_id, slug) do nothing returning ${dashboardFields}`.execute(db);
  return rows[0];
}

/** Those that `slug` or `slug_{number}` would collide with. */
export async function listSlugs(db: Db, orgId: number, slug: string): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from dashboards
    where org_id = ${orgId} and left(slug, ${slug.length}) = ${slug} and substr(slug, ${slug.length + 1}) ~ '^(_[0-9]+)?$'`.execute(db);
  return rows.map((row) => row.slug);
}

/** The version moves with every change. Call with the row locked and its version compared. */
export async function updateDashboard(db: Db, id: number, next: Fields & Pick<DashboardRow, 'is_archived' | 'is_draft'>): Promise<void> {
  await sql`
    update dashboards set name = ${next.name}, dashboard_filters_enabled = ${next.dashboard_filters_enabled},
      options = ${JSON.stringify(next.options)}::jsonb, tags = ${next.tags}, is_archived = ${next.is_archived}, is_draft = ${next.is_draft},
      version = version + 1, updated_at = now()
    where id = ${id}`.execute(db);
}

/** Something on it changed; its own fields did not, so its version stays. */
export const touchDashboard = (db: Db, id: number) => sql`update dashboards set updated_at = now() where id = ${id}`.execute(db);
