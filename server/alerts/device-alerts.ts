import { type DeviceProgress, stepDevice } from '@telltale/domain/alerts/device-state.ts';
import type { DeviceAlertOptions } from '@telltale/domain/alerts/options.ts';
import { intervalText } from '@telltale/domain/alerts/wording.ts';
import { z } from 'zod';
import type { Ctx } from '../platform/context.ts';
import type { Match } from '../uplinks/watchers.ts';
import { type AlertRow, listWithTimeZone } from './alerts.store.ts';
import {
  type DeviceStateRow,
  listDue,
  listStaleStates,
  lockDeviceStates,
  refreshAlertState,
  saveDeviceState,
} from './device-alerts.store.ts';
import { insertEvaluation } from './evaluations.store.ts';
import type { DeviceFacts } from './notice-text.ts';
import { recordEvaluation } from './record-evaluation.ts';

/** A match of the watcher in an uplink; for alerts on silence it only means that the device reported. */
const Matched = z.object({ value: z.unknown().optional(), at: z.number().optional(), armedAt: z.number().optional() });

/**
 * Channel for processes that keep states in memory; format: `alert:device:ms of the arming:state:ms of the last news:ms of the reading`.
 */
export const alertStatesChannel = 'telltale_alert_states';

/** An observation about a device, from an uplink or from elapsed time. */
export interface Observation {
  alert_id: number;
  device_pk: number;
  /**
   * When the condition was set under which this was observed, in milliseconds: under a later one it does not count. Without it, the
   * condition of now was looked at.
   */
  armedAt?: number | undefined;
  /** A reading, the end of a pending time, or a device that fell silent or reports again. */
  seen:
    | { kind: 'reading'; value: unknown; at: number; isAsked?: boolean; isMadeUp?: boolean }
    | { kind: 'due' }
    | { kind: 'silent' | 'heard'; lastSeen: string | null };
}

export const handleMatches = (tx: Ctx, matches: readonly Match[]): Promise<void> =>
  settleObservations(
    tx,
    matches.map(({ subject_id, device_pk, payload, at: receivedAt }): Observation => {
      const { value, at, armedAt } = Matched.parse(payload);
      const seen: Observation['seen'] =
        at === undefined || value === undefined ? { kind: 'heard', lastSeen: receivedAt } : { kind: 'reading', value, at };
      return { alert_id: subject_id, device_pk, armedAt, seen };
    }),
  );

/** Settles observations in their order, with all consequences; the states of the alerts follow from those of their devices. */
export async function settleObservations(tx: Ctx, observed: readonly Observation[]): Promise<void> {
  if (observed.length === 0) return;
  const alerts = new Map((await listWithTimeZone(tx.db, ids(observed))).map((alert) => [alert.id, alert]));
  const isCurrent = ({ alert_id, armedAt }: Observation) =>
    armedAt === undefined || armedAt === msOf(alerts.get(alert_id)?.armed_at ?? null);
  const observations = observed.filter(isCurrent);
  if (observations.length === 0) return;
  const rows = new Map((await lockDeviceStates(tx.db, observations)).map((row) => [pairOf(row), row]));
  const touched = new Map<number, boolean>();
  const changed = new Set<DeviceStateRow>();
  for (const observation of observations) {
    const [alert, row] = [alerts.get(observation.alert_id), rows.get(pairOf(observation))];
    if (!alert || !row) continue;
    const outcome = await settle(tx, alert, row.device, row, observation.seen, alert.time_zone);
    if (outcome === 'nothing') continue;
    changed.add(row);
    touched.set(alert.id, (touched.get(alert.id) ?? false) || outcome === 'news');
  }
  for (const row of changed)
    await saveDeviceState(tx.db, row, alertStatesChannel, stateNotice(row, alerts.get(row.alert_id)?.armed_at ?? ''));
  for (const [id, isNews] of [...touched].sort(([a], [b]) => a - b)) await refreshAlertState(tx.db, id, isNews);
}

const ids = (observations: readonly Observation[]) => [...new Set(observations.map(({ alert_id }) => alert_id))];
const pairOf = ({ alert_id, device_pk }: { alert_id: number; device_pk: number }) => `${alert_id} ${device_pk}`;
const iso = (ms: number) => new Date(ms).toISOString();
const msOf = (time: string | null) => (time === null ? null : Date.parse(time));

type Outcome = 'nothing' | 'changed' | 'news';

async function settle(
  tx: Ctx,
  alert: AlertRow,
  device: DeviceFacts,
  row: DeviceStateRow,
  seen: Observation['seen'],
  timeZone: string,
): Promise<Outcome> {
  const { options } = alert;
  if (seen.kind === 'reading') {
    if (options.kind !== 'device') return 'nothing';
    const lastAt = row.value_at ?? Number.NEGATIVE_INFINITY;
    // A reading that is checked again after a change of the alert may have been settled already.
    if (seen.isMadeUp && seen.at <= lastAt) return 'nothing';
    // Readings from before the condition was set, or older than the last one, do not count.
    if ((seen.at < Date.parse(alert.armed_at) && !seen.isAsked) || seen.at < lastAt) return 'nothing';
    const before: DeviceProgress = { state: row.state, pendingSince: msOf(row.pending_since) };
    const next = stepDevice(before, seen.value, seen.at, options, timeZone);
    Object.assign(row, { value: seen.value, value_at: seen.at });
    return advance(tx, alert, device, row, next);
  }
  if (seen.kind === 'due') {
    if (options.kind !== 'device' || row.due_at === null || Date.parse(row.due_at) > tx.now.getTime()) return 'nothing';
    return advance(tx, alert, device, row, { state: 'triggered', pendingSince: null });
  }
  if (options.kind !== 'silence') return 'nothing';
  row.value = seen.lastSeen;
  return advance(tx, alert, device, row, { state: seen.kind === 'silent' ? 'triggered' : 'ok', pendingSince: null });
}

async function advance(tx: Ctx, alert: AlertRow, device: DeviceFacts, row: DeviceStateRow, next: DeviceProgress): Promise<Outcome> {
  const before = row.state;
  const forSeconds = alert.options.kind === 'device' ? alert.options.for_seconds : 0;
  const isNewWait = next.pendingSince !== null && row.pending_since === null;
  row.pending_since = next.pendingSince === null ? null : iso(next.pendingSince);
  row.due_at = next.pendingSince === null ? null : iso(next.pendingSince + forSeconds * 1000);
  if (next.state === before && next.state !== 'triggered') {
    if (isNewWait) await noteWait(tx, alert, device, row);
    return 'changed';
  }
  const isNews = await recordEvaluation(tx, alert, { before, after: next.state, value: row.value, lastAt: row.last_triggered_at, device });
  if (next.state !== before) row.since = tx.now.toISOString();
  row.state = next.state;
  if (isNews) row.last_triggered_at = tx.now.toISOString();
  return isNews ? 'news' : 'changed';
}

async function noteWait(tx: Ctx, alert: AlertRow, device: DeviceFacts, row: DeviceStateRow): Promise<void> {
  const { for_seconds, value: threshold } = alert.options as DeviceAlertOptions;
  const evaluation = { alert_id: alert.id, device_pk: device.pk, value: row.value, threshold, state: row.state, previous_state: row.state };
  const reason = `Nobody was notified yet: the condition is met, but has not held for ${intervalText(for_seconds)}.`;
  await insertEvaluation(tx.db, { ...evaluation, outcome: 'pending', reason });
}

export const stateNotice = (
  { alert_id, device_pk, state, last_triggered_at, pending_since, value_at }: DeviceStateRow,
  armed_at: string,
): string =>
  [alert_id, device_pk, Date.parse(armed_at), pending_since === null ? state : 'pending', msOf(last_triggered_at) ?? 0, value_at ?? 0].join(
    ':',
  );

/** Triggers alerts whose condition has held for long enough; no further reading is needed. */
export async function fireDueAlerts(ctx: Ctx): Promise<void> {
  // Most scans find nothing and need no transaction. Without one the locks of this list end with its statement.
  for (let more = (await listDue(ctx.db, 1)).length > 0; more; ) {
    more = await ctx.transaction(async (tx) => {
      const due = await listDue(tx.db, 200);
      await settleObservations(
        tx,
        due.map(({ alert_id, device_pk }): Observation => ({ alert_id, device_pk, seen: { kind: 'due' } })),
      );
      return due.length === 200;
    });
  }
}

/** Updates alerts whose triggered devices have been deleted. */
export async function settleDeletedDevices(ctx: Ctx): Promise<void> {
  for (const id of await listStaleStates(ctx.db)) await refreshAlertState(ctx.db, id, false);
}
