import { advance, type ProgressEvent, readAttemptId } from '@telltale/domain/commands/progress.ts';
import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import type { ReportDownlinks } from '../networks/downlinks.ts';
import type { Ctx } from '../platform/context.ts';
import { conditionEvent } from './effects.ts';
import { tellEnded } from './ended-notices.ts';
import { deliveryNotification, downlinkNotification } from './notices.ts';
import {
  insertLog,
  lockDeliveries,
  medianGaps,
  type NewLogRow,
  notifyIds,
  type ProgressRow,
  readPointsSince,
  writeProgress,
} from './progress.store.ts';

/** An event of a delivery. Without `attempt` it concerns the current attempt. */
export interface DeliveryEvent {
  of: { id: number } | { wire_id: string };
  attempt?: number;
  /** Restricts the event to this device: devices cannot answer for each other. */
  device_pk?: number;
  /** Time of the event in milliseconds; now by default. */
  at?: number;
  event: ProgressEvent;
  raw?: unknown;
}

const usualWait = { least: 60, most: 86_400, gaps: 2.5 };
const largestRaw = 4096;

/** iot-behaviour 3.5.3: the default wait, long enough that the device has most likely reported meanwhile. */
const waitFor = (gap: number | undefined) =>
  gap === undefined ? usualWait.least : Math.round(Math.min(Math.max(gap * usualWait.gaps, usualWait.least), usualWait.most));

/**
 * Moves deliveries on and writes their log in one transaction. The rules decide on locked rows, so an event that arrives twice, from two
 * processes or in another order does no harm. Returns the updated rows.
 */
export async function applyEvents(ctx: Ctx, events: readonly DeliveryEvent[]): Promise<ProgressRow[]> {
  if (events.length === 0) return [];
  return ctx.transaction(async (tx) => {
    const ids = events.flatMap(({ of }) => ('id' in of ? [of.id] : []));
    const wireIds = events.flatMap(({ of }) => ('wire_id' in of ? [of.wire_id] : []));
    const rows = await lockDeliveries(tx.db, ids, wireIds);
    await learnWaits(tx, rows);
    const timed = new Set(events.flatMap(({ of, event }) => (event.kind === 'timer' && 'id' in of ? [of.id] : [])));
    const seen = await storedEffects(
      tx,
      rows.filter(({ id, stage }) => stage === 'effect' && timed.has(id)),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byWireId = new Map(rows.map((row) => [row.wire_id, row]));
    const now = Date.now();
    const log: NewLogRow[] = [];
    const [changed, withdrawn, woken] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (const { of, attempt, device_pk, event, raw, at = now } of [...seen, ...events]) {
      const before = byId.get('id' in of ? of.id : (byWireId.get(of.wire_id)?.id ?? 0));
      if (!before || (device_pk !== undefined && before.device_pk !== device_pk)) continue;
      const step = advance(before, event, attempt ?? before.attempt, at, (before.wait_seconds ?? usualWait.least) * 1000);
      const after: ProgressRow = { ...before, ...step.progress };
      byId.set(after.id, after);
      for (const line of step.log) {
        log.push({ ...line, delivery_id: after.id, attempt: attempt ?? Math.max(before.attempt, after.attempt), raw: shortened(raw) });
      }
      if (step.progress === before) continue;
      changed.add(after.id);
      if (before.stage === 'network' && after.stage === 'done' && ['cancelled', 'expired'].includes(after.state)) withdrawn.add(after.id);
      const isFree = (before.stage === 'flying' || before.stage === 'answer') && after.stage !== 'flying' && after.stage !== 'answer';
      if (isFree || (after.stage === 'ready' && after.next_at !== null) || withdrawn.has(after.id)) woken.add(after.device_pk);
    }
    const moved = [...changed].map((id) => byId.get(id) as ProgressRow);
    if (moved.length > 0)
      await writeProgress(
        tx.db,
        moved.map((row) => ({ ...row, to_withdraw: withdrawn.has(row.id) })),
      );
    await insertLog(tx.db, log);
    await tellEnded(tx, moved);
    await notifyIds(tx.db, deliveryNotification, [...changed, ...log.map(({ delivery_id }) => delivery_id)]);
    await notifyIds(tx.db, downlinkNotification, woken);
    const fresh = moved.filter(({ id, stage }) => stage === 'effect' && rows.find((row) => row.id === id)?.stage !== 'effect');
    // The device may have reported the effect before its receipt of the command was recorded.
    const early = await storedEffects(tx, fresh);
    return early.length === 0 ? moved : [...moved, ...(await applyEvents(tx, early))];
  });
}

/** Checks stored readings for the conditions of these deliveries, because the uplink watcher may have missed them. */
async function storedEffects(tx: Ctx, rows: readonly ProgressRow[]): Promise<DeliveryEvent[]> {
  if (rows.length === 0) return [];
  const points = Map.groupBy(
    await readPointsSince(
      tx.db,
      rows.map(({ id }) => id),
    ),
    ({ delivery_id }) => delivery_id,
  );
  return [...points].map(([id, reported]) => ({ of: { id }, event: conditionEvent(reported) }));
}

/** Sets the wait of deliveries that have a condition but no wait yet. */
async function learnWaits(tx: Ctx, rows: ProgressRow[]): Promise<void> {
  const unknown = rows.filter(({ has_condition, wait_seconds, stage }) => has_condition && wait_seconds === null && stage !== 'done');
  if (unknown.length === 0) return;
  const gaps = await medianGaps(tx.db, [...new Set(unknown.map(({ device_pk }) => device_pk))]);
  for (const row of unknown) row.wait_seconds = waitFor(gaps.get(row.device_pk));
}

/** Cuts long network messages for the log. */
function shortened(raw: unknown): unknown {
  if (raw === undefined) return null;
  const text = storableJson(raw) ?? 'null';
  return text.length <= largestRaw ? (JSON.parse(text) as unknown) : text.slice(0, largestRaw).toWellFormed();
}

/** Handles reports of networks by attempt id; unknown ids are ignored. */
export const reportDownlinks =
  (ctx: Ctx): ReportDownlinks =>
  async (events) => {
    await applyEvents(
      ctx,
      events.flatMap(({ attempt_id, kind, reason, raw, will_repeat, is_lost }): DeliveryEvent[] => {
        const read = readAttemptId(attempt_id);
        if (!read) return [];
        const event: ProgressEvent =
          kind === 'failed'
            ? { kind, reason: reason ?? 'network' }
            : kind === 'nacked'
              ? { kind, reason, will_repeat }
              : kind === 'requeued'
                ? { kind, is_lost }
                : { kind };
        return [{ of: { wire_id: read.wire_id }, attempt: read.attempt, event, raw }];
      }),
    );
  };
