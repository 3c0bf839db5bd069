import type { CountedObject, ObjectCounters } from '@telltale/domain/organization/contract.ts';
import { type OrganizationSettings, settingsFrom } from '@telltale/domain/organization/settings.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { findOrganization, lockOrganizations, type OrganizationRow, updateName } from './organizations.store.ts';

export async function getOrganization(ctx: Pick<Ctx, 'db'>): Promise<OrganizationRow> {
  const organization = await findOrganization(ctx.db);
  if (!organization) throw new Error('The organisation is missing.');
  return organization;
}

/** Settings are read where they are needed, so that a saved change is in effect at once. The environment wins. */
export const getSettings = async (ctx: Pick<Ctx, 'db'> & Partial<Pick<Ctx, 'config'>>): Promise<OrganizationSettings> => ({
  ...settingsFrom((await getOrganization(ctx)).settings),
  ...ctx.config?.fixedSettings,
});

export const organizationName = async (ctx: Pick<Ctx, 'db'>): Promise<string> => (await getOrganization(ctx)).name || 'Telltale';

export const renameOrganization = (ctx: Ctx, name: string) => updateName(ctx.db, name);

/** Holds the organisation until the transaction ends, so that changes of the installation as a whole wait for each other. */
export const holdOrganization = (tx: Ctx) => lockOrganizations(tx.db);

/** Counts the objects of a kind that the caller can reach; its room provides it. */
type Counter = (ctx: UserCtx) => Promise<number>;
export type Counters = Partial<Record<CountedObject, Counter>>;

/** Q2: the counts for the checklist of the home page. A kind without a room has no objects. */
export async function objectCounters(ctx: UserCtx, counters: Counters): Promise<{ object_counters: ObjectCounters }> {
  const none: ObjectCounters = { users: 0, alerts: 0, data_sources: 0, queries: 0, dashboards: 0 };
  const counted = await Promise.all(Object.entries(counters).map(async ([kind, count]) => [kind, await count(ctx)] as const));
  return { object_counters: { ...none, ...Object.fromEntries(counted) } };
}
