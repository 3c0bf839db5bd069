import {
  type Channel,
  type ChannelChanges,
  type ChannelDetail,
  type ChannelKind,
  type ChannelListParams,
  type ChannelSettings,
  channelKinds,
  isLorawan,
  type NewChannel,
  type SettingChanges,
} from '@telltale/domain/channels/contract.ts';
import { identifierFault } from '@telltale/domain/channels/identifiers.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { recordEvent } from '../events/events.ts';
import { newDeviceKey } from '../networks/device-key.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { emit } from '../platform/signals.ts';
import { may, whereMay } from '../policy/policy.ts';
import { queueArchiveDeletion } from './archive.store.ts';
import {
  type ChannelRow,
  findChannelRow,
  findNetworkFor,
  insertChannel,
  listChannelRows,
  listDevicePks,
  markChannelDeleted,
  renameChannel,
  setChannelDisabled,
  setChannelKey,
  setChannelSettings,
  wasDeletedLately,
} from './channels.store.ts';
import { devicesRemoved } from './device-signals.ts';

const answer = ({
  pk,
  settings,
  key_sealed,
  storage_bytes,
  storage_measured_at,
  lost_frames,
  lost_frame_at,
  has_network_error,
  are_credentials_refused,
  ...channel
}: ChannelRow): Channel => channel;

/** design 8: only users who manage channels see keys. */
export const shownKey = (ctx: UserCtx, sealed: Buffer) => (may(ctx.user, 'read_key', 'channel') ? ctx.secrets.open(sealed) : secretMask);

/** D5: the same message for an invalid id on every route. */
export function requireIdentifier(id: string): void {
  const fault = identifierFault(id);
  if (fault) throw invalid(fault);
}

/** design 8.1: channels outside the caller's groups count as missing. Telltale's own jobs reach all channels. */
export const isReached = ({ identity }: Pick<Ctx, 'identity'>, channel_pk: number): boolean =>
  identity.kind === 'nobody' || may(identity, 'reach', 'channel', { channel_pk });

export async function getChannelRow(ctx: Ctx, channelId: string): Promise<ChannelRow> {
  const row = await findChannelRow(ctx.db, channelId, channelKinds);
  if (!row || !isReached(ctx, row.pk)) throw notFound('Channel');
  return row;
}

export async function listChannels(ctx: UserCtx, { kind, ...params }: ChannelListParams) {
  const channels = (await listChannelRows(ctx.db, kind, whereMay(ctx.user, 'reach', 'channel'))).map(answer);
  return arrayOrPage(channels, params, ({ channel_id, channel_name }) => `${channel_id} ${channel_name}`);
}

const noNetworkFaults = { has_network_error: null, are_credentials_refused: null };

export async function getChannel(ctx: UserCtx, channelId: string): Promise<ChannelDetail> {
  const row = await getChannelRow(ctx, channelId);
  const { settings, key_sealed, storage_bytes, storage_measured_at, lost_frames, lost_frame_at } = row;
  const figures = { storage_bytes, storage_measured_at, lost_frames, lost_frame_at };
  const { has_network_error, are_credentials_refused } = may(ctx.user, 'manage', 'channel') ? row : noNetworkFaults;
  const api_key = key_sealed && shownKey(ctx, key_sealed);
  return { ...answer(row), settings, api_key, ...figures, has_network_error, are_credentials_refused };
}

/** iot-behaviour 2: a LoRaWAN channel belongs to one application of a network of its own kind; an MQTT channel to none. */
async function requireNetwork(
  ctx: UserCtx,
  kind: ChannelKind,
  { network_id, application_id }: Pick<ChannelSettings, 'network_id' | 'application_id'>,
  exceptPk: number | null,
): Promise<void> {
  if (network_id === null) {
    if (isLorawan(kind)) throw invalid('Network is required.');
    return;
  }
  if (kind === 'mqtt') throw invalid('Devices of an MQTT channel report by themselves: it has no network.');
  const found = await findNetworkFor(ctx.db, { network_id, application_id }, exceptPk);
  if (!found) throw invalid('There is no such network.');
  if (found.type !== kind)
    throw invalid(`A channel of the kind ${kind} needs a network of that type, this one is of the type ${found.type}.`);
  if (found.taken_by) throw invalid(`The channel "${found.taken_by}" takes this application of the network already.`);
}

interface ChannelTerms {
  /** A channel of a file may come before its network; it is then as one whose network was deleted. */
  mayLackNetwork?: boolean;
}

export async function createChannel(
  ctx: UserCtx,
  { channel_id, channel_name, kind, settings = {} }: NewChannel,
  { mayLackNetwork = false }: ChannelTerms = {},
): Promise<ChannelDetail> {
  if (!may(ctx.user, 'create', 'channel')) throw forbidden('Your groups see only some channels, so you cannot make new ones.');
  requireIdentifier(channel_id);
  const bound: SettingChanges = { ...settings, auto_create: settings.auto_create ?? settings.network_id != null };
  const { network_id = null, application_id = null } = settings;
  if (network_id !== null || !mayLackNetwork) await requireNetwork(ctx, kind, { network_id, application_id }, null);
  const { org_id, id: user_id } = ctx.user;
  if (await wasDeletedLately(ctx.db, channel_id))
    throw invalid(`The channel "${channel_id}" was deleted less than 24 hours ago. Its id can be used again later.`);
  await ctx.transaction(async (tx) => {
    const made = await insertChannel(tx.db, { channel_id, channel_name: channel_name || channel_id, kind }, { org_id, user_id });
    if (made === undefined) throw invalid(`There is already a channel with the id "${channel_id}".`);
    await setChannelSettings(tx.db, made, bound);
    await recordEvent(tx, 'create', 'channel', channel_id);
  });
  return getChannel(ctx, channel_id);
}

export async function saveChannel(ctx: UserCtx, channelId: string, changes: ChannelChanges): Promise<ChannelDetail> {
  const { channel_name, is_disabled, settings: nested, ...flat } = changes;
  const settings = { ...flat, ...nested };
  const { pk, kind, settings: before } = await getChannelRow(ctx, channelId);
  if (settings.network_id !== undefined || settings.application_id !== undefined) {
    const { network_id = before.network_id, application_id = before.application_id } = settings;
    await requireNetwork(ctx, kind, { network_id, application_id }, pk);
  }
  await ctx.transaction(async (tx) => {
    if (channel_name !== undefined) await renameChannel(tx.db, pk, channel_name || channelId);
    if (is_disabled !== undefined) await setChannelDisabled(tx.db, pk, is_disabled);
    if (Object.keys(settings).length > 0) await setChannelSettings(tx.db, pk, settings);
    const { retention_days } = settings;
    const isKeptOtherwise = retention_days !== undefined && retention_days !== before.retention_days;
    await recordEvent(tx, 'edit', 'channel', channelId, isKeptOtherwise ? { retention_days } : {});
  });
  return getChannel(ctx, channelId);
}

export async function removeChannel(ctx: UserCtx, channelId: string): Promise<null> {
  const { pk, device_count } = await getChannelRow(ctx, channelId);
  await ctx.transaction(async (tx) => {
    await markChannelDeleted(tx.db, pk);
    if (ctx.objects) await queueArchiveDeletion(tx.db, pk);
    await emit(tx, devicesRemoved, { device_pks: await listDevicePks(tx.db, pk) });
    await recordEvent(tx, 'delete', 'channel', channelId, { devices: device_count });
  });
  return null;
}

/** iot-behaviour 1.2: replaces the gateway key. A notification makes brokers drop the old key and close its connections. */
export async function rotateChannelKey(ctx: UserCtx, channelId: string): Promise<{ api_key: string }> {
  const { pk } = await getChannelRow(ctx, channelId);
  const { api_key, record } = newDeviceKey(ctx.secrets);
  await setChannelKey(ctx.db, pk, record);
  await recordEvent(ctx, 'rotate_key', 'channel', channelId);
  return { api_key };
}

export async function removeChannelKey(ctx: UserCtx, channelId: string): Promise<null> {
  const { pk } = await getChannelRow(ctx, channelId);
  await setChannelKey(ctx.db, pk);
  await recordEvent(ctx, 'remove_key', 'channel', channelId);
  return null;
}
