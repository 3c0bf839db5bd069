import type {
  ByDevice,
  ChannelKind,
  Device,
  DeviceChanges,
  DeviceDetail,
  DeviceListParams,
  NewDevice,
} from '@telltale/domain/channels/contract.ts';
import type { DeviceVariables } from '@telltale/domain/channels/variables.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import type { TagsReply } from '@telltale/domain/tags/contract.ts';
import { publishTopic, subscribeTopic } from '@telltale/domain/uplinks/topics.ts';
import { recordEvent } from '../events/events.ts';
import { newDeviceKey } from '../networks/device-key.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { emit } from '../platform/signals.ts';
import { may } from '../policy/policy.ts';
import { getChannelRow, requireIdentifier, shownKey } from './channels.ts';
import { devicesRemoved } from './device-signals.ts';
import {
  countDevices,
  countDeviceTags,
  type DeviceDetailRow,
  type DeviceRow,
  findBrokerAddresses,
  findDeviceRow,
  insertDevice,
  listDeviceRows,
  markDeviceDeleted,
  replaceKey,
  updateDevice,
} from './devices.store.ts';

export function deviceReply(ctx: UserCtx, channel_id: string, { pk: _, device_name, key_sealed, ...row }: DeviceRow): Device {
  const api_key = key_sealed === null ? '' : shownKey(ctx, key_sealed);
  const topics = { publish_topic: publishTopic(channel_id, row.device_id), subscribe_topic: subscribeTopic(channel_id, row.device_id) };
  return { ...row, channel_id, name: device_name, api_key, ...topics };
}

export async function getDeviceRow(
  ctx: Ctx,
  { id, deviceId }: ByDevice,
): Promise<DeviceDetailRow & { channel_name: string; channel_kind: ChannelKind }> {
  const channel = await getChannelRow(ctx, id);
  const row = await findDeviceRow(ctx.db, channel.pk, deviceId);
  if (!row) throw notFound('Device');
  return { ...row, channel_name: channel.channel_name, channel_kind: channel.kind };
}

/** True when a channel has all of these devices. */
export async function hasDevices(ctx: Ctx, channelId: string, deviceIds: readonly string[]): Promise<boolean> {
  const wanted = new Set(deviceIds);
  return (await countDevices(ctx.db, channelId, [...wanted])) === wanted.size;
}

export async function listDevices(ctx: UserCtx, channelId: string, params: DeviceListParams): Promise<Device[] | Page<Device>> {
  const { pk } = await getChannelRow(ctx, channelId);
  const rows = await listDeviceRows(ctx.db, pk, params);
  if (Array.isArray(rows)) return rows.map((row) => deviceReply(ctx, channelId, row));
  return { ...rows, results: rows.results.map((row) => deviceReply(ctx, channelId, row)) };
}

/** Keys of payloads may be among the variables. */
const masked = (variables: DeviceVariables): DeviceVariables =>
  Object.fromEntries(Object.keys(variables).map((name) => [name, secretMask]));

export async function getDevice(ctx: UserCtx, at: ByDevice): Promise<DeviceDetail> {
  const row = await getDeviceRow(ctx, at);
  const { address, tls_address } = await findBrokerAddresses(ctx.db);
  const { pk: _, device_name: __, key_sealed: ___, ...facts } = row;
  const variables = may(ctx.user, 'read_key', 'device') ? row.variables : masked(row.variables);
  return { ...facts, ...deviceReply(ctx, at.id, row), variables, mqtt_address: address, mqtt_tls_address: tls_address };
}

export const takenIdMessage = (device_id: string) => `There is already a device with the id "${device_id}" in this channel.`;
export const takenEuiMessage = (dev_eui: string | null) => `There is already a device with the DevEUI ${dev_eui} in this channel.`;

export async function createDevice(ctx: UserCtx, channelId: string, device: NewDevice): Promise<Device> {
  requireIdentifier(device.device_id);
  const { pk } = await getChannelRow(ctx, channelId);
  const made = await insertDevice(ctx.db, pk, device, newDeviceKey(ctx.secrets).record);
  if (made === undefined) {
    await getChannelRow(ctx, channelId);
    const taken = await findDeviceRow(ctx.db, pk, device.device_id);
    throw invalid(taken ? takenIdMessage(device.device_id) : takenEuiMessage(device.dev_eui));
  }
  await recordEvent(ctx, 'create', 'device', `${channelId}/${device.device_id}`);
  return getDevice(ctx, { id: channelId, deviceId: device.device_id });
}

export async function saveDevice(ctx: UserCtx, at: ByDevice, changes: DeviceChanges): Promise<DeviceDetail> {
  const { pk } = await getDeviceRow(ctx, at);
  await updateDevice(ctx.db, pk, changes);
  await recordEvent(ctx, 'edit', 'device', `${at.id}/${at.deviceId}`);
  return getDevice(ctx, at);
}

export async function deviceTags(ctx: UserCtx, channelId: string): Promise<TagsReply> {
  const { pk } = await getChannelRow(ctx, channelId);
  return { tags: await countDeviceTags(ctx.db, pk) };
}

export async function removeDevice(ctx: UserCtx, at: ByDevice): Promise<null> {
  const { pk } = await getDeviceRow(ctx, at);
  await ctx.transaction(async (tx) => {
    await markDeviceDeleted(tx.db, pk);
    await emit(tx, devicesRemoved, { device_pks: [pk] });
    await recordEvent(tx, 'delete', 'device', `${at.id}/${at.deviceId}`);
  });
  return null;
}

/** Replaces the key; a notification makes brokers drop the old one. */
export async function rotateKey(ctx: UserCtx, at: ByDevice): Promise<{ api_key: string }> {
  const { pk } = await getDeviceRow(ctx, at);
  const { api_key, record } = newDeviceKey(ctx.secrets);
  await replaceKey(ctx.db, pk, record);
  await recordEvent(ctx, 'rotate_key', 'device', `${at.id}/${at.deviceId}`);
  return { api_key };
}
