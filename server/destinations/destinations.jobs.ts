import { Notice } from '../notifiers/notice.ts';
import type { JobDefinition, JobRun } from '../platform/jobs/define.ts';
import { defineJob } from '../platform/jobs/define.ts';
import { findUsersById } from '../users/users.ts';
import { type Attempt, addReached, findWaiting, holdDelivery, settleAttempt, type WaitingDelivery } from './deliveries.store.ts';
import { sendNotice } from './deliveries.ts';
import { findDestination, optionsOf } from './destinations.ts';
import { attempt } from './sending.ts';

/** design 8.1: seconds before the second, third … attempt; after the last one it gives up. */
const pauses = [5, 30, 120, 600, 3600, 21_600];

/** Well within the time that the sweep gives a due delivery. */
const holdEveryMs = 2000;

interface Target {
  type: string;
  options: Record<string, unknown>;
}

async function targetOf(ctx: JobRun, { destination_id, user_id }: WaitingDelivery): Promise<Target | string> {
  if (destination_id !== null) {
    const row = await findDestination(ctx, destination_id);
    return row ? { type: row.type, options: optionsOf(ctx, row) } : 'The destination was deleted.';
  }
  const user = user_id === null ? undefined : (await findUsersById(ctx, [user_id])).get(user_id);
  if (!user || user.is_disabled) return 'The account of the subscriber is disabled.';
  return { type: 'email', options: { addresses: user.email } };
}

const trackOf = (ctx: JobRun, { id, key, reached }: WaitingDelivery) => ({
  key,
  reached: new Set(reached),
  reach: async (target: string) => void (await addReached(ctx.db, id, target)),
});

async function outcomeOf(ctx: JobRun, delivery: WaitingDelivery): Promise<Attempt> {
  const target = await targetOf(ctx, delivery);
  if (typeof target === 'string') return { status: 'failed', error: target, again: null };
  const fault = await attempt(ctx, target, Notice.parse(delivery.notice), trackOf(ctx, delivery), ctx.signal);
  if (!fault) return { status: 'sent', error: null, again: null };
  if (fault.isFinal) return { status: 'failed', error: fault.message, again: null };
  const again = pauses[delivery.attempts] ?? null;
  return { status: again === null ? 'gave_up' : 'waiting', error: fault.message, again };
}

/**
 * A mail server may accept a letter after its job was stopped by the time limit. As long as it has not answered, the delivery stays with
 * this process, or the sweep would send it again.
 */
async function holdWhile<T>({ db, log }: JobRun, id: number, sending: Promise<T>): Promise<T> {
  const hold = () =>
    holdDelivery(db, id).catch((error: Error) => log.warn({ err: error.message }, 'a notice that is being sent could not be held'));
  const timer = setInterval(hold, holdEveryMs);
  return sending.finally(() => clearInterval(timer));
}

/**
 * Makes one attempt. The outcome is written after the target has answered: a process killed in between sends again with the same key, which
 * the target can recognise (W22).
 */
async function deliver(ctx: JobRun, delivery_id: number, target: string): Promise<void> {
  const delivery = await findWaiting(ctx.db, delivery_id);
  if (!delivery) return;
  const outcome = await holdWhile(ctx, delivery_id, outcomeOf(ctx, delivery));
  if (outcome.status !== 'sent') ctx.signal.throwIfAborted();
  await ctx.transaction(async (tx) => {
    await settleAttempt(tx.db, delivery_id, outcome);
    if (outcome.again !== null)
      await tx.enqueue(sendNotice, { delivery_id, target }, { runAt: new Date(Date.now() + outcome.again * 1000) });
  });
}

export const noticeJobs: JobDefinition[] = [
  defineJob({ ...sendNotice, run: (ctx, { delivery_id, target }) => deliver(ctx, delivery_id, target) }) as JobDefinition,
];
