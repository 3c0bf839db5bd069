import type { AlertState } from '@telltale/domain/alerts/options.ts';
import { isNotified, newsOf } from '@telltale/domain/alerts/rearm.ts';
import { reasonOf } from '@telltale/domain/alerts/wording.ts';
import { enqueueNotice, type NoticeTarget } from '../destinations/deliveries.ts';
import type { Ctx } from '../platform/context.ts';
import { emit } from '../platform/signals.ts';
import { may } from '../policy/policy.ts';
import { findPeople } from '../session/people.ts';
import { watchedFacts } from './alert-access.ts';
import { alertFired } from './alert-signals.ts';
import type { AlertRow } from './alerts.store.ts';
import { insertEvaluation, type NextEvaluation, nextEvaluation } from './evaluations.store.ts';
import { alertNotice, type Sight } from './notice-text.ts';

export interface Evaluated extends Sight {
  before: AlertState;
  after: AlertState;
  /** Time of the last news. */
  lastAt: string | null;
  /** The reason why there is no value. */
  lack?: string | undefined;
  /** The evaluated result of a query. */
  result_id?: number;
  /** server-behaviour 14.2: somebody asked for it, so subscribers are notified whatever the state was, and also when muted. */
  isAsked?: boolean;
}

/**
 * Records one evaluation with all its consequences in one transaction (W22): the evaluation row, the notices to subscribers, and the signal
 * for linked commands. Returns whether it was news, which moves `last_triggered_at`. The caller saves the states.
 */
export async function recordEvaluation(tx: Ctx, alert: AlertRow, evaluated: Evaluated): Promise<boolean> {
  const { before, after, lack, value, device, isAsked = false } = evaluated;
  const lastAt = evaluated.lastAt === null ? null : new Date(evaluated.lastAt);
  const news = newsOf({ before, after, rearm: alert.rearm, lastAt, now: tx.now });
  const threshold = alert.options.kind === 'silence' ? alert.options.silent_seconds : alert.options.value;
  const kept = { alert_id: alert.id, device_pk: device?.pk ?? null, value, threshold, state: after, previous_state: before };
  const isNews = isNotified(news) || news === 'first_ok';
  if (!isNotified(news) && !isAsked) {
    const outcome = news === 'rearm' || news === 'first_ok' ? news : lack ? 'no_value' : 'unchanged';
    await insertEvaluation(tx.db, { ...kept, outcome, reason: reasonOf({ outcome, rearm: alert.rearm, targets: [], lack }) });
    return isNews;
  }
  const { id, subscriptions } = await nextEvaluation(tx.db, alert.id);
  const is_muted = alert.options.muted && !isAsked;
  const targets = is_muted ? [] : await notify(tx, alert, id, await targetsOf(tx, alert, subscriptions, evaluated.result_id), evaluated);
  // Asking again notifies people again; it starts no command a second time.
  if (isNotified(news)) targets.push(...(await fire(tx, alert, id, evaluated)));
  const outcome = targets.length > 0 ? 'notified' : is_muted ? 'muted' : 'no_destination';
  await insertEvaluation(tx.db, { ...kept, id, outcome, reason: reasonOf({ outcome, rearm: alert.rearm, targets, lack }) });
  return isNews;
}

/** Tells the rooms that react to alerts, and returns the names of the commands they started. */
async function fire(tx: Ctx, alert: AlertRow, evaluation_id: number, { before, after, value, device }: Evaluated): Promise<string[]> {
  const started: string[] = [];
  await emit(tx, alertFired, {
    alert_id: alert.id,
    alert_name: alert.name,
    evaluation_id,
    state: after,
    previous_state: before,
    value,
    device: device ? { pk: device.pk, device_id: device.device_id, channel_id: device.channel_id } : null,
    is_muted: alert.options.muted,
    started,
  });
  return started;
}

/** Queues the notices and returns the names of their recipients. */
async function notify(
  tx: Ctx,
  alert: AlertRow,
  evaluationId: number,
  targets: NoticeTarget[],
  { after, ...sight }: Evaluated,
): Promise<string[]> {
  if (targets.length === 0) return [];
  await enqueueNotice(tx, targets, {
    about: `alert ${alert.id} evaluation ${evaluationId}`,
    notice: alertNotice(tx, alert, after, sight),
    alert_id: alert.id,
    device_id: sight.device?.device_id,
  });
  return targets.map(({ name }) => name);
}

/** Subscribers who may no longer see the watched object, or not read the evaluated result, get no mails about it. */
async function targetsOf(
  tx: Ctx,
  alert: AlertRow,
  subscriptions: NextEvaluation['subscriptions'],
  resultId: number | undefined,
): Promise<NoticeTarget[]> {
  const targets: NoticeTarget[] = [];
  const own = subscriptions.filter(({ destination_id }) => destination_id === null);
  const facts = own.length > 0 ? await watchedFacts(tx, alert, resultId) : undefined;
  for (const { user_id, destination_id, name } of subscriptions) {
    if (destination_id !== null) {
      targets.push({ destination_id, name });
      continue;
    }
    const [person] = await findPeople(tx, [user_id]);
    if (facts && person && may(person, 'be_notified', 'alert', facts)) targets.push({ user_id, name: person.email });
  }
  return targets;
}
