import { hasPermission } from '@telltale/domain/access/permissions.ts';
import type { Query } from '@telltale/domain/queries/contract.ts';
import {
  canBeQueried,
  type DeviceQuery,
  type DeviceSelection,
  deviceQueryText,
  type SelectedAttribute,
  withTimerange,
} from '@telltale/domain/queries/device-query.ts';
import { getBuiltInSource } from '../data-sources/built-in-source.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { findChannel, listAttributeRows, listChannelRows, listDeviceRows } from './device-queries.store.ts';
import type { QueryRow } from './queries.store.ts';
import { createQuery, saveQuery } from './queries.ts';
import { getQuery, requireEdit } from './query-access.ts';

/** Devices are somebody's business who may see channels (design 8). */
function requireChannels(ctx: UserCtx): void {
  if (!hasPermission(ctx.user.permissions, 'view_channel')) throw forbidden();
}

export async function listApplications(ctx: UserCtx) {
  requireChannels(ctx);
  return listChannelRows(ctx.db);
}

async function getDevices(ctx: UserCtx, channelId: string) {
  const channel = await findChannel(ctx.db, channelId);
  if (!channel) throw notFound('Channel');
  return listDeviceRows(ctx.db, channel.id);
}

export async function listDevices(ctx: UserCtx, channelId: string) {
  requireChannels(ctx);
  return (await getDevices(ctx, channelId)).map(({ device_id, device_name }) => ({ device_id, device_name }));
}

export async function listAttributes(ctx: UserCtx, channelId: string, deviceId: string): Promise<string[]> {
  requireChannels(ctx);
  const device = (await getDevices(ctx, channelId)).find(({ device_id }) => device_id === deviceId);
  if (!device) throw notFound('Device');
  return (await listAttributeRows(ctx.db, [device.id])).map(({ name }) => name);
}

/** Q7: a query whose text is made from what somebody has chosen. */
export async function addDeviceQuery(ctx: UserCtx, { name, ...selection }: DeviceSelection & { name: string }): Promise<Query> {
  const source = await getBuiltInSource(ctx);
  const query = await textOf(ctx, selection);
  return createQuery(ctx, { name, query, data_source_id: source.id, options: withTimerange({ parameters: [] }) }, selection);
}

/** 404 when the query was not made this way. */
function selectionOf(row: QueryRow): DeviceSelection {
  if (!row.device_query) throw notFound('Device query');
  return row.device_query;
}

export async function readDeviceQuery(ctx: UserCtx, id: number): Promise<DeviceQuery> {
  return answer(ctx, await getQuery(ctx, id));
}

export async function saveDeviceQuery(
  ctx: UserCtx,
  id: number,
  { version, ...selection }: DeviceSelection & { version?: number | undefined },
): Promise<DeviceQuery> {
  const row = await getQuery(ctx, id);
  await requireEdit(ctx, row);
  selectionOf(row);
  const source = await getBuiltInSource(ctx);
  const query = await textOf(ctx, selection);
  const options = withTimerange(row.options);
  await saveQuery(ctx, id, { query, options, data_source_id: source.id, device_query: selection, ...(version ? { version } : {}) });
  return readDeviceQuery(ctx, id);
}

async function answer(ctx: UserCtx, row: QueryRow): Promise<DeviceQuery> {
  const selection = selectionOf(row);
  // What cannot be made any more (a device is gone) is as good as edited: applying it again would be a change.
  const text = await textOf(ctx, selection).catch(() => null);
  return { id: row.id, ...selection, is_edited: row.query !== text, version: row.version };
}

async function textOf(ctx: UserCtx, { channel_id, device_ids, attributes }: DeviceSelection): Promise<string> {
  requireChannels(ctx);
  const channel = await findChannel(ctx.db, channel_id);
  if (!channel) throw invalid(`There is no channel ${channel_id}.`);
  const devices = (await listDeviceRows(ctx.db, channel.id)).filter(({ device_id }) => device_ids.includes(device_id));
  const missing = device_ids.find((id) => !devices.some(({ device_id }) => device_id === id));
  if (missing !== undefined) throw invalid(`The channel ${channel_id} has no device ${missing}.`);
  const known = await listAttributeRows(
    ctx.db,
    devices.map(({ id }) => id),
  );
  const chosen = attributes.map((name): SelectedAttribute => {
    const attribute = known.find((one) => one.name === name);
    if (!attribute || !canBeQueried(name)) throw invalid(`These devices have not reported ${name}.`);
    return attribute;
  });
  return deviceQueryText({ channel_id, device_ids, attributes: chosen });
}
