import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { parseOrder } from '@telltale/domain/lists/paging.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { listPage, nullsLast, substringPattern } from '../platform/lists.ts';
import { hasTags } from '../tags/tags.ts';
import { type DashboardRow, dashboardFields } from './dashboards.store.ts';

export type ListedRow = DashboardRow & { starred_at: string | null };

const fields = sql`${dashboardFields}, star.created_at as starred_at`;
const from = (userId: number) => sql`
  dashboards left join favorites as star
    on star.object_type = 'Dashboard' and star.object_id = dashboards.id and star.user_id = ${userId}`;

/** server-behaviour 1.2, and who made it (ours). */
const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(dashboards.name)`,
  created_at: sql`dashboards.created_at`,
  starred_at: sql`star.created_at`,
  created_by: sql`(select lower(users.name) from users where users.id = dashboards.user_id)`,
};

export interface Scope {
  userId: number;
  /** Which dashboards there are for this caller at all. */
  where: RawBuilder<unknown>;
}

/** server-behaviour 16.2: part of the name, whatever its case. */
export function listDashboardRows(db: Db, params: ListParams, { userId, where }: Scope): Promise<Page<ListedRow>> {
  const pattern = substringPattern(params.q);
  const order = parseOrder(params.order) ?? { key: 'created_at', descending: true };
  return listPage<ListedRow>(db, params, {
    fields,
    from: from(userId),
    where: sql`${where} and ${hasTags(params.tags)} and ${pattern === null ? sql`true` : sql`dashboards.name ilike ${pattern}`}`,
    order: sql`${nullsLast(orders, order, orders.created_at)}, dashboards.id desc`,
  });
}

export async function listRecentRows(db: Db, { userId, where }: Scope): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${fields} from ${from(userId)} where ${where} order by dashboards.updated_at desc, dashboards.id desc limit 10`.execute(db);
  return rows;
}

export async function countDashboardRows(db: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from dashboards where ${where}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Shows something that runs on one of these sources. */
export const showsSources = (sourceIds: number[]): RawBuilder<unknown> => sql`exists (
  select from widgets join visualizations on visualizations.id = visualization_id join queries on queries.id = query_id
  where widgets.dashboard_id = dashboards.id and queries.data_source_id = any(${sourceIds}::int[]))`;

export const isGranted = (userId: number): RawBuilder<unknown> => sql`exists (
  select from access_permissions where object_type = 'dashboards' and object_id = dashboards.id and grantee_id = ${userId})`;
