import type { ByDevice } from '@telltale/domain/channels/contract.ts';
import type {
  DeviceGlance,
  DeviceLayout,
  GlanceParams,
  HistoryParams,
  LastValue,
  MessageParams,
  Messages,
  RadioParams,
  RadioQuality,
  Series,
} from '@telltale/domain/channels/data-contract.ts';
import { readLagging, type UserCtx } from '../platform/context.ts';
import { getChannelRow } from './channels.ts';
import { findLayout, listBuckets, listLastValues, upsertLayout } from './device-data.store.ts';
import { getDeviceRow } from './devices.ts';
import { listGlances } from './glance.store.ts';
import { listMessages } from './messages.store.ts';
import { readRadioFrames, readRadioGateways } from './radio.store.ts';

export async function readGlances(ctx: UserCtx, channelId: string, { device_id }: GlanceParams): Promise<DeviceGlance[]> {
  return listGlances(ctx.db, (await getChannelRow(ctx, channelId)).pk, device_id);
}

export async function readLast(ctx: UserCtx, at: ByDevice): Promise<LastValue[]> {
  return listLastValues(ctx.db, (await getDeviceRow(ctx, at)).pk);
}

export async function readHistory(ctx: UserCtx, at: ByDevice, { attribute, seconds, until, buckets }: HistoryParams): Promise<Series[]> {
  const { pk } = await getDeviceRow(ctx, at);
  const end = until ? new Date(until) : ctx.now;
  const span = { names: attribute, from: new Date(end.getTime() - seconds * 1000), until: end, buckets };
  // The last hours go on live on the page, without a gap.
  return seconds > 86_400 ? readLagging(ctx, (db) => listBuckets(db, pk, span)) : listBuckets(ctx.db, pk, span);
}

export async function readMessages(ctx: UserCtx, at: ByDevice, params: MessageParams): Promise<Messages> {
  return listMessages(ctx.db, (await getDeviceRow(ctx, at)).pk, params);
}

/** iot-behaviour 2.5: reads the metadata stored with each uplink, whichever part of it the channel stores as points. */
export async function readRadio(ctx: UserCtx, at: ByDevice, { seconds }: RadioParams): Promise<RadioQuality> {
  const { pk, latitude, longitude } = await getDeviceRow(ctx, at);
  const since = new Date(ctx.now.getTime() - seconds * 1000);
  return readLagging(ctx, async (db) => {
    const [frames, gateways] = [await readRadioFrames(db, pk, since), await readRadioGateways(db, pk, since)];
    return { ...frames, gateways, latitude, longitude };
  });
}

export async function readLayout(ctx: UserCtx, at: ByDevice): Promise<DeviceLayout> {
  return { widgets: (await findLayout(ctx.db, (await getDeviceRow(ctx, at)).pk)) ?? [] };
}

export async function saveLayout(ctx: UserCtx, at: ByDevice, { widgets }: DeviceLayout): Promise<null> {
  await upsertLayout(ctx.db, (await getDeviceRow(ctx, at)).pk, widgets, ctx.user.id);
  return null;
}
