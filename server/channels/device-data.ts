import type { ByDevice } from '@telltale/domain/channels/contract.ts';
import type { DeviceLayout, HistoryParams, LastValue, MessageParams, Messages, Series } from '@telltale/domain/channels/data-contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { findLayout, listBuckets, listLastValues, upsertLayout } from './device-data.store.ts';
import { getDeviceRow } from './devices.ts';
import { listMessages } from './messages.store.ts';

export async function readLast(ctx: UserCtx, at: ByDevice): Promise<LastValue[]> {
  return listLastValues(ctx.db, (await getDeviceRow(ctx, at)).pk);
}

export async function readHistory(ctx: UserCtx, at: ByDevice, { attribute, seconds, until, buckets }: HistoryParams): Promise<Series[]> {
  const { pk } = await getDeviceRow(ctx, at);
  const end = until ? new Date(until) : ctx.now;
  return listBuckets(ctx.db, pk, { names: attribute, from: new Date(end.getTime() - seconds * 1000), until: end, buckets });
}

export async function readMessages(ctx: UserCtx, at: ByDevice, params: MessageParams): Promise<Messages> {
  return listMessages(ctx.db, (await getDeviceRow(ctx, at)).pk, params);
}

export async function readLayout(ctx: UserCtx, at: ByDevice): Promise<DeviceLayout> {
  return { widgets: (await findLayout(ctx.db, (await getDeviceRow(ctx, at)).pk)) ?? [] };
}

export async function saveLayout(ctx: UserCtx, at: ByDevice, { widgets }: DeviceLayout): Promise<null> {
  await upsertLayout(ctx.db, (await getDeviceRow(ctx, at)).pk, widgets, ctx.user.id);
  return null;
}
