import type { ByDevice } from '@telltale/domain/channels/contract.ts';
import type { DeliveryListParams } from '@telltale/domain/commands/contract.ts';
import type { Delivery, DeliveryDetail } from '@telltale/domain/commands/delivery.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { isReached } from '../channels/channels.ts';
import { getDeviceRow } from '../channels/devices.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { whereMay } from '../policy/policy.ts';
import { findCommand } from './commands.store.ts';
import { deleteOldExecutions, findDeliveries, listDeliveryRows, openOfCommand, readLog } from './deliveries.store.ts';
import { openDeliveries } from './executions.store.ts';
import { applyEvents } from './progress.ts';

/** Deliveries are kept for a little more than a year. */
const keepDays = 400;

export async function listOfCommand(ctx: UserCtx, id: number, params: DeliveryListParams): Promise<Page<Delivery>> {
  const command = await findCommand(ctx.db, id);
  if (!command || !isReached(ctx, command.channel_pk)) throw notFound('Command');
  // design 8.1: the command may have been moved here from a channel that the user does not see.
  return listDeliveryRows(ctx.db, { command_id: id }, params, whereMay(ctx.user, 'reach', 'channel'));
}

export async function listOfDevice(ctx: UserCtx, at: ByDevice, params: DeliveryListParams): Promise<Page<Delivery>> {
  const { pk } = await getDeviceRow(ctx, at);
  return listDeliveryRows(ctx.db, { device_pk: pk }, params, whereMay(ctx.user, 'reach', 'channel'));
}

export async function getDelivery(ctx: Ctx, id: number): Promise<DeliveryDetail> {
  const [row] = await findDeliveries(ctx.db, [id]);
  if (!row || !isReached(ctx, row.channel_pk)) throw notFound('Delivery');
  const { device_pk: _, channel_pk: __, ...delivery } = row;
  return { ...delivery, log: await readLog(ctx.db, id) };
}

export async function cancelDelivery(ctx: UserCtx, id: number): Promise<null> {
  await ctx.transaction(async (tx) => {
    const { command_id } = await getDelivery(tx, id);
    const moved = await applyEvents(tx, [{ of: { id }, event: { kind: 'cancelled', reason: 'by_user' } }]);
    if (moved.length === 0) throw conflict('This delivery has ended already.');
    await recordEvent(tx, 'cancel', 'delivery', id, { command_id });
  });
  return null;
}

/** iot-behaviour 3.2: clearing a queue is an action of its own, because an empty payload cannot be saved. */
export async function clearQueue(ctx: UserCtx, at: ByDevice): Promise<{ cancelled: number }> {
  const { pk } = await getDeviceRow(ctx, at);
  return ctx.transaction(async (tx) => {
    const cancelled = await cancel(tx, await openDeliveries(tx.db, [pk]), 'by_user');
    await recordEvent(tx, 'clear_queue', 'device', `${at.id}/${at.deviceId}`, { cancelled });
    return { cancelled };
  });
}

async function cancel(tx: Ctx, ids: readonly number[], reason: string): Promise<number> {
  const moved = await applyEvents(
    tx,
    ids.map((id) => ({ of: { id }, event: { kind: 'cancelled', reason } as const })),
  );
  return moved.length;
}

export const cancelOfCommand = async (tx: Ctx, id: number) => cancel(tx, await openOfCommand(tx.db, id), 'command_deleted');

/** iot-behaviour 3.8: cancels the deliveries to deleted devices. */
export const cancelOfDevices = async (tx: Ctx, { device_pks }: { device_pks: readonly number[] }) =>
  cancel(tx, await openDeliveries(tx.db, device_pks), 'device_deleted');

export const forgetOldDeliveries = (ctx: Ctx) => deleteOldExecutions(ctx.db, keepDays);
