import { hasPermission } from '@telltale/domain/access/permissions.ts';
import {
  type Channel,
  type ChannelChanges,
  type ChannelDetail,
  type ChannelListParams,
  channelKinds,
  type NewChannel,
} from '@telltale/domain/channels/contract.ts';
import { identifierFault } from '@telltale/domain/channels/identifiers.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { recordEvent } from '../events/events.ts';
import { newDeviceKey } from '../networks/device-key.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import {
  type ChannelRow,
  findChannelRow,
  insertChannel,
  listChannelRows,
  markChannelDeleted,
  renameChannel,
  setChannelDisabled,
  setChannelKey,
  setChannelSettings,
  wasDeletedLately,
} from './channels.store.ts';

const answer = ({ pk: _, settings: __, key_sealed: ___, ...channel }: ChannelRow): Channel => channel;

/** design 8: keys are for those who manage channels. */
export const shownKey = (ctx: UserCtx, sealed: Buffer) =>
  hasPermission(ctx.user.permissions, 'manage_channel') ? ctx.secrets.open(sealed) : secretMask;

/** D5: in its own words, wherever an id comes in. */
export function requireIdentifier(id: string): void {
  const fault = identifierFault(id);
  if (fault) throw invalid(fault);
}

export async function getChannelRow(ctx: Ctx, channelId: string): Promise<ChannelRow> {
  const row = await findChannelRow(ctx.db, channelId, channelKinds);
  if (!row) throw notFound('Channel');
  return row;
}

export async function listChannels(ctx: UserCtx, { kind, ...params }: ChannelListParams) {
  const channels = (await listChannelRows(ctx.db, kind)).map(answer);
  return arrayOrPage(channels, params, ({ channel_id, channel_name }) => `${channel_id} ${channel_name}`);
}

export async function getChannel(ctx: UserCtx, channelId: string): Promise<ChannelDetail> {
  const row = await getChannelRow(ctx, channelId);
  return { ...answer(row), settings: row.settings, api_key: row.key_sealed && shownKey(ctx, row.key_sealed) };
}

export async function createChannel(ctx: UserCtx, { channel_id, channel_name, kind }: NewChannel): Promise<ChannelDetail> {
  requireIdentifier(channel_id);
  const { org_id, id: user_id } = ctx.user;
  if (await wasDeletedLately(ctx.db, channel_id))
    throw invalid(`The channel "${channel_id}" was deleted less than 24 hours ago. Its id can be used again later.`);
  const made = await insertChannel(ctx.db, { channel_id, channel_name: channel_name || channel_id, kind }, { org_id, user_id });
  if (made === undefined) throw invalid(`There is already a channel with the id "${channel_id}".`);
  await recordEvent(ctx, 'create', 'channel', channel_id);
  return getChannel(ctx, channel_id);
}

export async function saveChannel(ctx: UserCtx, channelId: string, changes: ChannelChanges): Promise<ChannelDetail> {
  const { channel_name, is_disabled, ...settings } = changes;
  const { pk } = await getChannelRow(ctx, channelId);
  await ctx.transaction(async (tx) => {
    if (channel_name !== undefined) await renameChannel(tx.db, pk, channel_name || channelId);
    if (is_disabled !== undefined) await setChannelDisabled(tx.db, pk, is_disabled);
    if (Object.keys(settings).length > 0) await setChannelSettings(tx.db, pk, settings);
    await recordEvent(tx, 'edit', 'channel', channelId);
  });
  return getChannel(ctx, channelId);
}

export async function removeChannel(ctx: UserCtx, channelId: string): Promise<null> {
  const { pk, device_count } = await getChannelRow(ctx, channelId);
  await markChannelDeleted(ctx.db, pk);
  await recordEvent(ctx, 'delete', 'channel', channelId, { devices: device_count });
  return null;
}

/** iot-behaviour 1.2: a key for gateways. Brokers forget the old one by the notification of its row, and hang up. */
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
