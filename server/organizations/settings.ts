import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { SettingsChanges, SettingsReply } from '@telltale/domain/organization/contract.ts';
import { isAnyLoginLeft } from '@telltale/domain/organization/logins.ts';
import {
  type OrganizationSettings,
  type SettingName,
  secretSettings,
  settingsFrom,
  variableOf,
} from '@telltale/domain/organization/settings.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { updateSettings } from './organizations.store.ts';
import { getOrganization, getSettings, holdOrganization } from './organizations.ts';

const secretNames = Object.keys(secretSettings) as SettingName[];
const sealedMark = 'sealed:';

/** The plain text of a secret setting for its provider: stored ones are sealed, those of the environment are not. */
export function openSetting(ctx: Pick<Ctx, 'secrets'>, value: string): string {
  if (!value.startsWith(sealedMark)) return value;
  return ctx.secrets.open(Buffer.from(value.slice(sealedMark.length), 'base64'));
}

const sealSetting = (ctx: Ctx, value: string) => (value === '' ? '' : `${sealedMark}${ctx.secrets.seal(value).toString('base64')}`);

function settingsReply(ctx: Ctx, settings: OrganizationSettings): SettingsReply {
  const masked = Object.fromEntries(secretNames.flatMap((name) => (settings[name] ? [[name, secretMask]] : [])));
  return { settings: { ...settings, ...masked }, locked: Object.keys(ctx.config.fixedSettings) };
}

export const readSettings = async (ctx: UserCtx): Promise<SettingsReply> => settingsReply(ctx, await getSettings(ctx));

/** The page sends all settings: those of the environment may come back unchanged, and are left out. */
function withoutLocked(ctx: Ctx, changes: SettingsChanges): SettingsChanges {
  const locked = ctx.config.fixedSettings as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => {
      if (!(name in locked)) return true;
      const isSame = JSON.stringify(value) === JSON.stringify(locked[name]) || (value === secretMask && name in secretSettings);
      if (!isSame) throw invalid(`${name} is set by the environment variable ${variableOf(name)} and cannot be changed here.`);
      return false;
    }),
  );
}

/** design 8: dashes keep a stored secret, which is sent only to the address that it was saved for. */
function withSecrets(ctx: Ctx, changes: SettingsChanges, before: OrganizationSettings): SettingsChanges {
  const next: Record<string, unknown> = { ...changes };
  for (const name of secretNames) {
    const given = changes[name];
    if (given === secretMask) delete next[name];
    else if (typeof given === 'string') next[name] = sealSetting(ctx, given);
    const address = secretSettings[name];
    if (!address || !before[name] || name in next) continue;
    const moved = changes[address];
    if (moved !== undefined && moved !== before[address])
      throw invalid(`${address} was changed. Enter ${name} again: a stored secret is sent only to the address it was saved for.`);
  }
  return next as SettingsChanges;
}

/** server-behaviour 22: changes only the sent keys; at least one way to sign in stays on (A4). */
export async function saveSettings(ctx: UserCtx, given: SettingsChanges): Promise<SettingsReply> {
  return ctx.transaction(async (tx) => {
    await holdOrganization(tx);
    const { settings: stored } = await getOrganization(tx);
    const before = settingsFrom(stored);
    const changes = withSecrets(tx, withoutLocked(tx, given), before);
    const next = Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null));
    const inForce = () => ({ ...settingsFrom(next), ...tx.config.fixedSettings });
    // A4: turning off the last other method turns passwords on again.
    if (!isAnyLoginLeft(inForce()) && given.auth_password_login_enabled !== false) next.auth_password_login_enabled = true;
    const settings = inForce();
    if (!isAnyLoginLeft(settings)) throw invalid('Password login can be disabled only if another login method is enabled.');
    await updateSettings(tx.db, next);
    const changed = Object.keys(changes).filter(
      (name) => JSON.stringify(before[name as never]) !== JSON.stringify(settings[name as never]),
    );
    await recordEvent(tx, 'edit', 'settings', undefined, { changed: changed.join(', ') });
    return settingsReply(tx, settings);
  });
}
