import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { parseOrder } from '@telltale/domain/lists/paging.ts';
import { type RawBuilder, sql } from 'kysely';
import type { UserCtx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { listPage, nullsLast, substringPattern } from '../platform/lists.ts';
import { whereMay } from '../policy/policy.ts';
import { countTags, hasTags } from '../tags/tags.ts';
import { type DashboardRow, dashboardFields } from './dashboards.store.ts';

export type ListedRow = DashboardRow & { starred_at: string | null };

const fields = sql`${dashboardFields}, star.created_at as starred_at`;
const from = (userId: number) => sql`
  dashboards left join favorites as star
    on star.object_type = 'Dashboard' and star.object_id = dashboards.id and star.user_id = ${userId}`;

/** server-behaviour 1.2, plus `created_by` and `updated_at`, which are our additions. */
const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(dashboards.name)`,
  created_at: sql`dashboards.created_at`,
  updated_at: sql`dashboards.updated_at`,
  starred_at: sql`star.created_at`,
  created_by: sql`(select lower(users.name) from users where users.id = dashboards.user_id)`,
};

type User = UserCtx['user'];

/** The dashboards that the user can see. */
const live = (user: User): RawBuilder<unknown> =>
  sql`not is_archived and dashboards.org_id = ${user.org_id} and ${whereMay(user, 'list', 'dashboard')}`;

const choices = {
  all: () => sql`true`,
  own: (user: User) => sql`dashboards.user_id = ${user.id}`,
  favorite: () => sql`star.user_id is not null`,
};
export type DashboardChoice = keyof typeof choices;

/** server-behaviour 16.2: searches for a part of the name, ignoring case. */
export function listDashboardRows(db: Db, params: ListParams, user: User, choice: DashboardChoice): Promise<Page<ListedRow>> {
  const pattern = substringPattern(params.q);
  const order = parseOrder(params.order) ?? { key: 'created_at', descending: true };
  return listPage(db, params, {
    fields: sql<ListedRow>`${fields}`,
    from: from(user.id),
    where: sql`${live(user)} and ${choices[choice](user)} and ${hasTags(params.tags)} and ${pattern === null ? sql`true` : sql`dashboards.name ilike ${pattern}`}`,
    order: sql`${nullsLast(orders, order, orders.created_at)}, dashboards.id desc`,
  });
}

export async function countDashboardRows(db: Db, user: User): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from dashboards where ${live(user)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export const countDashboardTags = (db: Db, user: User) => countTags(db, sql`dashboards`, live(user));
