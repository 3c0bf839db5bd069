import type { KeyHolder } from '@telltale/domain/access/identity.ts';
import type { Ctx } from '../platform/context.ts';
import type { KeyResolver } from '../session/authentication.ts';
import { findPeople } from '../session/people.ts';
import type { DashboardRow } from './dashboards.store.ts';
import { findByToken } from './sharing.store.ts';
import { arePublicUrlsOn } from './sharing.ts';

/** Finds the dashboard that a token opens. It is looked up every time, so that a revoked token stops at once (security 23). */
export async function findSharedDashboard(
  ctx: Pick<Ctx, 'db' | 'secrets'>,
  token: string,
): Promise<(DashboardRow & { shared_by: number }) | undefined> {
  return findByToken(ctx.db, ctx.secrets.hash('api key', token));
}

/** The identity of a token: it reads the dashboard with the current permissions of the user who shared it. */
export async function tokenHolder(
  ctx: Pick<Ctx, 'db'>,
  { id, org_id, shared_by }: DashboardRow & { shared_by: number },
): Promise<KeyHolder> {
  const acts_for = await findPeople(ctx, [shared_by]);
  return { kind: 'dashboard_token', org_id, object_id: id, acts_for, name: `ApiKey: Dashboard ${id}`, permissions: ['view_query'] };
}

/** server-behaviour 2: resolves dashboard tokens on routes that accept them. */
export const dashboardTokens: KeyResolver = async (services, key) => {
  const dashboard = await findSharedDashboard(services, key);
  if (!dashboard || !(await arePublicUrlsOn(services))) return undefined;
  return tokenHolder(services, dashboard);
};
