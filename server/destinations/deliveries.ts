import type { ListParams } from '@telltale/domain/lists/contract.ts';
import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import { z } from 'zod';
import type { Notice } from '../notifiers/notice.ts';
import { titleOf } from '../notifiers/words.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { jobKind } from '../platform/jobs/define.ts';
import { laneName } from '../platform/jobs/lanes.ts';
import { deleteOldDeliveries, insertDelivery, listDeliveriesOfDestination, listForgotten } from './deliveries.store.ts';
import { getDestinationRow } from './destinations.ts';

export { giveUpOnAlert } from './deliveries.store.ts';

/** The number of worker slots that one target may use, so that a slow one does not block the others. */
const placesPerTarget = 3;

export const sendNotice = jobKind({
  name: 'notices.send',
  queue: 'notices',
  payload: z.object({ delivery_id: z.int(), target: z.string().max(100) }),
  // The delivery counts attempts, and the sweep queues it again when its job is lost: so a worker may start it at once.
  isDirect: true,
  timeLimitMs: 2 * 60_000,
  lanes: ({ target }) => [laneName(`notices ${target}`, placesPerTarget)],
});

/** The target of a notice: a destination, or a user's own e-mail address. */
export type NoticeTarget = { destination_id: number; name: string } | { user_id: number; name: string };

export interface NewNotice {
  /** The subject of the notice, the same for all targets: `alert 12 evaluation 345`. It is part of the key that targets receive. */
  about: string;
  notice: Notice;
  alert_id?: number;
  command_id?: number;
  device_id?: string | undefined;
}

/**
 * Call it in the transaction of the event: the notice is sent when that commits, and each target gets exactly one row, however often it is
 * called with the same `about`. Returns the number of targets.
 */
export async function enqueueNotice(tx: Ctx, targets: readonly NoticeTarget[], { about, notice, ...more }: NewNotice): Promise<number> {
  if (!tx.db.isTransaction) throw new Error('A notice belongs in the transaction of what it tells about.');
  const text = storableJson(notice) ?? '{}';
  let count = 0;
  for (const target of targets) {
    const [destination_id, user_id] = 'destination_id' in target ? [target.destination_id, null] : [null, target.user_id];
    const who = destination_id === null ? `user ${user_id}` : `destination ${destination_id}`;
    const delivery_id = await insertDelivery(tx.db, {
      key: `${about} ${who}`.replaceAll(' ', '-'),
      destination_id,
      user_id,
      name: target.name,
      alert_id: more.alert_id ?? null,
      command_id: more.command_id ?? null,
      device_id: more.device_id ?? null,
      subject: titleOf(notice).replaceAll('\0', '').toWellFormed().slice(0, 500),
      notice: text,
    });
    if (delivery_id === undefined) continue;
    await tx.enqueue(sendNotice, { delivery_id, target: who });
    count++;
  }
  return count;
}

export async function listDeliveries(ctx: UserCtx, destinationId: number, params: ListParams) {
  await getDestinationRow(ctx, destinationId);
  return listDeliveriesOfDestination(ctx.db, destinationId, params);
}

/** Queues notices again whose job was lost. */
export async function sweepNotices(ctx: Ctx): Promise<void> {
  for (const { id, target } of await listForgotten(ctx.db)) await ctx.enqueue(sendNotice, { delivery_id: id, target });
}

const keptDays = 90;
export const forgetOldDeliveries = (ctx: Ctx) => deleteOldDeliveries(ctx.db, keptDays);
