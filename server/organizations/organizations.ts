import type { CountedObject, ObjectCounters, SettingsChanges, SettingsReply } from '@telltale/domain/organization/contract.ts';
import { isAnyLoginLeft, type OrganizationSettings, settingsFrom } from '@telltale/domain/organization/settings.ts';
import { sql } from 'kysely';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';

interface OrganizationRow {
  id: number;
  name: string;
  slug: string;
  settings: Record<string, unknown>;
}

export async function getOrganization(ctx: Pick<Ctx, 'db'>): Promise<OrganizationRow> {
  const { rows } = await sql<OrganizationRow>`select id, name, slug, settings from organizations order by id limit 1`.execute(ctx.db);
  if (!rows[0]) throw new Error('The organisation is missing.');
  return rows[0];
}

/** Read where they are needed, so that a saved change is in effect at once. */
export const getSettings = async (ctx: Pick<Ctx, 'db'>): Promise<OrganizationSettings> =>
  settingsFrom((await getOrganization(ctx)).settings);

export const organizationName = async (ctx: Pick<Ctx, 'db'>): Promise<string> => (await getOrganization(ctx)).name || 'Telltale';

export const renameOrganization = (ctx: Ctx, name: string) => sql`update organizations set name = ${name}`.execute(ctx.db);

/** Sign-on through Google, LDAP or SAML is not part of this installation yet. */
export const externalLogins = { google: false, ldap: false, saml: false };

function settingsReply(settings: OrganizationSettings): SettingsReply {
  const { beacon_consent, ...rest } = settings;
  return { settings: beacon_consent === null ? rest : settings };
}

export const readSettings = async (ctx: UserCtx): Promise<SettingsReply> => settingsReply(await getSettings(ctx));

export async function saveSettings(ctx: UserCtx, changes: SettingsChanges): Promise<SettingsReply> {
  return ctx.transaction(async (tx) => {
    await sql`select from organizations for update`.execute(tx.db);
    const { settings: stored } = await getOrganization(tx);
    const before = settingsFrom(stored);
    const next = Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null));
    const settings = settingsFrom(next);
    if (!isAnyLoginLeft(settings, externalLogins)) throw invalid('Password login can be disabled only if another login method is enabled.');
    await sql`update organizations set settings = ${JSON.stringify(next)}::jsonb`.execute(tx.db);
    const changed = Object.keys(changes).filter(
      (name) => JSON.stringify(before[name as never]) !== JSON.stringify(settings[name as never]),
    );
    await recordEvent(tx, 'edit', 'settings', undefined, { changed: changed.join(', ') });
    return settingsReply(settings);
  });
}

/** A room with objects of a kind says how many of them the caller can reach. */
export type Counter = (ctx: UserCtx) => Promise<number>;
export type Counters = Partial<Record<CountedObject, Counter>>;

/** Q2: what the checklist of the home page is marked from. A kind without a room has no objects. */
export async function objectCounters(ctx: UserCtx, counters: Counters): Promise<{ object_counters: ObjectCounters }> {
  const none: ObjectCounters = { users: 0, alerts: 0, data_sources: 0, queries: 0, dashboards: 0 };
  const counted = await Promise.all(Object.entries(counters).map(async ([kind, count]) => [kind, await count(ctx)] as const));
  return { object_counters: { ...none, ...Object.fromEntries(counted) } };
}
