import type { Ctx } from '../platform/context.ts';
import type { KeyResolver } from '../session/doorkeeper.ts';
import type { DashboardRow } from './dashboards.store.ts';
import { findByToken } from './sharing.store.ts';
import { arePublicUrlsOn } from './sharing.ts';

/** The dashboard that a token opens now. Looked up every time, so that taking it back acts at once (security 23). */
export async function findSharedDashboard(
  ctx: Pick<Ctx, 'db' | 'secrets'>,
  token: string,
): Promise<(DashboardRow & { shared_by: number }) | undefined> {
  return findByToken(ctx.db, ctx.secrets.hash('api key', token));
}

/** server-behaviour 2: whoever holds the token reads the data of what stands on the dashboard, where a route lets them. */
export const dashboardTokens: KeyResolver = async (services, key) => {
  const dashboard = await findSharedDashboard(services, key);
  if (!dashboard || !(await arePublicUrlsOn(services))) return undefined;
  const { id, org_id, shared_by } = dashboard;
  return {
    kind: 'dashboard_token',
    org_id,
    object_id: id,
    in_name_of: shared_by,
    name: `ApiKey: Dashboard ${id}`,
    permissions: ['view_query'],
  };
};
