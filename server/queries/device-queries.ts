import type { Query } from '@telltale/domain/queries/contract.ts';
import {
  canBeQueried,
  type DeviceQuery,
  type DeviceSelection,
  deviceChartOptions,
  deviceQueryText,
  type SelectedAttribute,
  withTimerange,
} from '@telltale/domain/queries/device-query.ts';
import { getBuiltInSource } from '../data-sources/built-in-source.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { may, whereMay } from '../policy/policy.ts';
import { findChannel, listAttributeRows, listChannelRows, listDeviceRows } from './device-queries.store.ts';
import { type QueryRow, updateUntouchedChart } from './queries.store.ts';
import { createQuery, saveQuery } from './queries.ts';
import { getQuery, requireEdit } from './query-access.ts';

/** Devices are visible only to users who may see channels (design 8). */
function requireChannels(ctx: UserCtx): void {
  if (!may(ctx.user, 'view', 'channel')) throw forbidden();
}

export async function listApplications(ctx: UserCtx) {
  requireChannels(ctx);
  return listChannelRows(ctx.db, whereMay(ctx.user, 'reach', 'channel'));
}

async function findReached(ctx: UserCtx, channelId: string): Promise<{ id: number } | undefined> {
  const channel = await findChannel(ctx.db, channelId);
  return channel && may(ctx.user, 'reach', 'channel', { channel_pk: channel.id }) ? channel : undefined;
}

async function getDevices(ctx: UserCtx, channelId: string) {
  const channel = await findReached(ctx, channelId);
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

/** The same for several devices at once; those that the channel does not have are passed over. */
export async function listAttributesOf(ctx: UserCtx, channelId: string, deviceIds: readonly string[] | undefined): Promise<string[]> {
  requireChannels(ctx);
  const devices = await getDevices(ctx, channelId);
  const asked = deviceIds ? devices.filter(({ device_id }) => deviceIds.includes(device_id)) : devices;
  const rows = await listAttributeRows(
    ctx.db,
    asked.map(({ id }) => id),
  );
  return rows.map(({ name }) => name);
}

/** Q7: adds a query whose text is made from a selection of devices. */
export async function addDeviceQuery(ctx: UserCtx, { name, ...selection }: DeviceSelection & { name: string }): Promise<Query> {
  const source = await getBuiltInSource(ctx);
  const { query, chart } = await contentOf(ctx, selection);
  const options = withTimerange({ parameters: [] });
  return createQuery(ctx, { name, query, data_source_id: source.id, options }, { device_query: selection, chart });
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
  requireEdit(ctx, row);
  const before = await contentOf(ctx, selectionOf(row)).catch(() => null);
  const source = await getBuiltInSource(ctx);
  const { query, chart } = await contentOf(ctx, selection);
  const options = withTimerange(row.options);
  await saveQuery(ctx, id, { query, options, data_source_id: source.id, device_query: selection, ...(version ? { version } : {}) });
  if (before?.chart && chart) await updateUntouchedChart(ctx.db, id, before.chart, chart);
  return readDeviceQuery(ctx, id);
}

async function answer(ctx: UserCtx, row: QueryRow): Promise<DeviceQuery> {
  const selection = selectionOf(row);
  // A text that cannot be generated any more (a device is gone) counts as edited: applying the selection again would change it.
  const made = await contentOf(ctx, selection).catch(() => null);
  return { id: row.id, ...selection, is_edited: row.query !== made?.query, version: row.version };
}

interface Content {
  query: string;
  chart: Record<string, unknown> | undefined;
}

async function contentOf(ctx: UserCtx, { channel_id, device_ids, attributes }: DeviceSelection): Promise<Content> {
  requireChannels(ctx);
  const channel = await findReached(ctx, channel_id);
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
  return {
    query: deviceQueryText(
      { channel_id, device_ids, attributes: chosen },
      ctx.config.clickhouseUrl === undefined ? 'postgres' : 'clickhouse',
    ),
    chart: deviceChartOptions({ device_ids, attributes: chosen }),
  };
}
