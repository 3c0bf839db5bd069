import type { AlertSubscription } from '@telltale/domain/alerts/contract.ts';
import { findDestination, findDestinationsById } from '../destinations/destinations.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound, notYours } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { findUsersById } from '../users/users.ts';
import { getAlertRow, watchedFacts } from './alert-access.ts';
import { deleteSubscription, insertSubscription, listSubscriptionRows, type SubscriptionRow } from './subscriptions.store.ts';

async function answers(ctx: UserCtx, rows: readonly SubscriptionRow[]): Promise<AlertSubscription[]> {
  const people = await findUsersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  const destinations = await findDestinationsById(ctx);
  return rows.flatMap(({ id, alert_id, user_id, destination_id }) => {
    const user = people.get(user_id);
    const destination = destination_id === null ? undefined : destinations.get(destination_id);
    return user ? [{ id, alert_id, user, ...(destination ? { destination } : {}) }] : [];
  });
}

export async function listSubscriptions(ctx: UserCtx, alertId: number): Promise<AlertSubscription[]> {
  await getAlertRow(ctx, alertId);
  return answers(ctx, await listSubscriptionRows(ctx.db, alertId));
}

/** A3: without a destination, or with -1, notices go to the caller's own e-mail address. */
export const subscribe = (ctx: UserCtx, alertId: number, destinationId: number | null): Promise<AlertSubscription> =>
  ctx.transaction(async (tx) => {
    const facts = await watchedFacts(tx, await getAlertRow(tx, alertId));
    if (!facts || !may(tx.user, 'subscribe', 'alert', facts)) throw forbidden();
    const id = destinationId === -1 ? null : destinationId;
    if (id !== null && !(await findDestination(tx, id))) throw invalid('This destination does not exist.');
    const row = await insertSubscription(tx.db, alertId, tx.user.id, id);
    await recordEvent(tx, 'subscribe', 'alert', alertId, { destination: id });
    const [answer] = await answers(tx, [row]);
    if (!answer) throw new Error('The subscriber is missing.');
    return answer;
  });

/** W11: the subscription must belong to this alert. A6: its subscriber and administrators may delete it. */
export const unsubscribe = (ctx: UserCtx, alertId: number, subscriptionId: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getAlertRow(tx, alertId);
    const row = (await listSubscriptionRows(tx.db, alertId)).find(({ id }) => id === subscriptionId);
    if (!row) throw notFound('Subscription');
    if (!may(tx.user, 'unsubscribe', 'alert', row)) throw notYours();
    await deleteSubscription(tx.db, subscriptionId);
    await recordEvent(tx, 'unsubscribe', 'alert', alertId, { destination: row.destination_id });
    return null;
  });
