import { enqueueNotice } from '../destinations/deliveries.ts';
import type { Ctx } from '../platform/context.ts';
import { absoluteLink } from '../session/account-links.ts';
import { findCommand } from './commands.store.ts';
import { findDeliveries } from './deliveries.store.ts';
import { listSubscriptionRows } from './links.store.ts';
import type { ProgressRow } from './progress.store.ts';
import type { ScheduleRow } from './schedules.store.ts';

/** Final states that cause a notice; users who cancel or replace a delivery already know about it. */
const told: readonly string[] = ['sent', 'acknowledged', 'succeeded', 'failed', 'expired'];

const pageOf = (tx: Ctx, commandId: number) => absoluteLink(tx, `/commands/${commandId}`);

/** Notifies the destinations subscribed to a command about each ended delivery, once. */
export async function tellEnded(tx: Ctx, rows: readonly Pick<ProgressRow, 'id' | 'state' | 'stage' | 'command_id'>[]): Promise<void> {
  const ended = rows.filter(({ stage, state, command_id }) => stage === 'done' && command_id !== null && told.includes(state));
  if (ended.length === 0) return;
  const subscriptions = await listSubscriptionRows(tx.db, [...new Set(ended.map(({ command_id }) => command_id ?? 0))]);
  if (subscriptions.length === 0) return;
  const byCommand = Map.groupBy(subscriptions, ({ command_id }) => command_id);
  for (const delivery of await findDeliveries(
    tx.db,
    ended.map(({ id }) => id),
  )) {
    const { id, command_id, command_name, device_id, state, reason, finished_at } = delivery;
    const targets = byCommand.get(command_id ?? 0) ?? [];
    if (command_id === null || targets.length === 0) continue;
    const at = finished_at ?? tx.now.toISOString();
    const notice = {
      event: 'command_delivery',
      command: { id: command_id, name: command_name },
      device_id,
      state,
      reason,
      at,
      url: pageOf(tx, command_id),
    } as const;
    await enqueueNotice(tx, targets, { about: `command delivery ${id}`, notice, command_id, device_id });
  }
}

/** iot-behaviour 3.7.7: notifies subscribers that a schedule was suspended because it fired too often. */
export async function tellSuspended(tx: Ctx, schedule: ScheduleRow, reason: string): Promise<void> {
  const { id, command_id, name, device_id } = schedule;
  const targets = await listSubscriptionRows(tx.db, [command_id]);
  const command = targets.length > 0 ? await findCommand(tx.db, command_id) : undefined;
  if (!command) return;
  const at = tx.now.toISOString();
  const notice = {
    event: 'command_delivery',
    command: { id: command_id, name: command.name },
    device_id: device_id ?? '',
    state: 'suspended',
    reason: `${reason} of the schedule ${name}`,
    at,
    url: pageOf(tx, command_id),
  } as const;
  await enqueueNotice(tx, targets, {
    about: `command schedule ${id} ${Date.now()}`,
    notice,
    command_id,
    device_id: device_id ?? undefined,
  });
}
