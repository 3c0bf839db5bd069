import type { CommandSubscription } from '@telltale/domain/commands/contract.ts';
import { findDestination } from '../destinations/destinations.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { getCommandRow } from './commands.ts';
import { deleteSubscription, insertSubscription, listSubscriptionRows, type SubscriptionRow } from './links.store.ts';

const answer = ({ name, type, ...row }: SubscriptionRow): CommandSubscription => ({
  ...row,
  destination: { id: row.destination_id, name, type },
});

export async function listSubscriptions(ctx: UserCtx, commandId: number): Promise<CommandSubscription[]> {
  await getCommandRow(ctx, commandId);
  return (await listSubscriptionRows(ctx.db, [commandId])).map(answer);
}

export const subscribe = (ctx: UserCtx, commandId: number, destinationId: number): Promise<CommandSubscription> =>
  ctx.transaction(async (tx) => {
    await getCommandRow(tx, commandId);
    if (!(await findDestination(tx, destinationId))) throw invalid('This destination does not exist.');
    await insertSubscription(tx.db, commandId, destinationId, ctx.user.id);
    await recordEvent(tx, 'subscribe', 'command', commandId, { destination: destinationId });
    const made = (await listSubscriptionRows(tx.db, [commandId])).find(({ destination_id }) => destination_id === destinationId);
    if (!made) throw notFound('Subscription');
    return answer(made);
  });

export const unsubscribe = (ctx: UserCtx, commandId: number, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getCommandRow(tx, commandId);
    if (!(await deleteSubscription(tx.db, commandId, id))) throw notFound('Subscription');
    await recordEvent(tx, 'unsubscribe', 'command', commandId);
    return null;
  });
