import type { DashboardOptions } from '@telltale/domain/dashboards/options.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import type { Granted } from '../policy/facts.ts';

type PlainColumns =
  | 'id'
  | 'org_id'
  | 'slug'
  | 'name'
  | 'user_id'
  | 'dashboard_filters_enabled'
  | 'tags'
  | 'is_archived'
  | 'is_draft'
  | 'version'
  // The last editor; null when it was not recorded.
  | 'last_modified_by_id'
  | 'own_base'
  | 'created_at'
  | 'updated_at';

/** A dashboard with its grants. */
export interface DashboardRow extends Granted, Columns<'dashboards', PlainColumns> {
  options: DashboardOptions;
}

export const dashboardFields = sql`
  dashboards.id, dashboards.org_id, slug, dashboards.name, dashboards.user_id, dashboard_filters_enabled, dashboards.options, tags,
  is_archived, is_draft, dashboards.version, dashboards.last_modified_by_id, dashboards.own_base, dashboards.created_at, dashboards.updated_at,
  coalesce((select json_agg(json_build_object('grantee', grantee_id, 'access_type', access_type))
            from access_permissions where object_type = 'dashboards' and object_id = dashboards.id), '[]'::json) as grants`;

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

/** Locks the dashboard: other changes wait until this transaction ends. */
export async function lockDashboard(db: Db, orgId: number, id: number): Promise<DashboardRow | undefined> {
  const { rows } = await sql<DashboardRow>`
    select ${dashboardFields} from dashboards where org_id = ${orgId} and id = ${id} for update`.execute(db);
  return rows[0];
}

type Fields = Pick<DashboardRow, 'name' | 'dashboard_filters_enabled' | 'options' | 'tags'>;

/** Inserts a dashboard; returns undefined when the slug was taken meanwhile. */
export async function insertDashboard(
  db: Db,
  dashboard: Fields & Pick<DashboardRow, 'org_id' | 'user_id' | 'slug'>,
): Promise<DashboardRow | undefined> {
  const { org_id, user_id, slug, name, dashboard_filters_enabled, options, tags } = dashboard;
  const { rows } = await sql<DashboardRow>`
    insert into dashboards (org_id, user_id, last_modified_by_id, slug, name, dashboard_filters_enabled, options, tags)
    values (${org_id}, ${user_id}, ${user_id}, ${slug}, ${name}, ${dashboard_filters_enabled}, ${JSON.stringify(options)}::jsonb, ${tags})
    on conflict (org_id, slug) do nothing returning ${dashboardFields}`.execute(db);
  return rows[0];
}

/** Lists the slugs that collide with `slug` or `slug_{number}`. */
export async function listSlugs(db: Db, orgId: number, slug: string): Promise<string[]> {
  const { rows } = await sql<Columns<'dashboards', 'slug'>>`
    select slug from dashboards
    where org_id = ${orgId} and left(slug, ${slug.length}) = ${slug} and substr(slug, ${slug.length + 1}) ~ '^(_[0-9]+)?$'`.execute(db);
  return rows.map((row) => row.slug);
}

/** Updates a dashboard and increases its version. Call it with the row locked and its version compared. */
export async function updateDashboard(
  db: Db,
  id: number,
  next: Fields & Pick<DashboardRow, 'is_archived' | 'is_draft'>,
  by: number,
): Promise<void> {
  await sql`
    update dashboards set name = ${next.name}, dashboard_filters_enabled = ${next.dashboard_filters_enabled},
      options = ${JSON.stringify(next.options)}::jsonb, tags = ${next.tags}, is_archived = ${next.is_archived}, is_draft = ${next.is_draft},
      own_base = case when last_modified_by_id = ${by} then own_base else version end,
      last_modified_by_id = ${by}, version = version + 1, updated_at = now()
    where id = ${id}`.execute(db);
}

/** Marks a change of the widgets; the dashboard's own fields and version stay the same. */
export const touchDashboard = (db: Db, id: number) => sql`update dashboards set updated_at = now() where id = ${id}`.execute(db);
