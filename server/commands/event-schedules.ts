import { createHash } from 'node:crypto';
import { advanceEdge, type Edge, type Sample } from '@telltale/domain/commands/edge.ts';
import type { Ctx } from '../platform/context.ts';
import type { Match } from '../uplinks/watchers.ts';
import { tellSuspended } from './ended-notices.ts';
import { runSchedule } from './firing.ts';
import {
  claimHeld,
  type EventRow,
  insertRun,
  lockSchedules,
  noteMismatch,
  type ScheduleFields,
  setEdge,
  suspend,
} from './schedules.store.ts';

/** iot-behaviour 3.7.7: limits firings, because a command may trigger its own schedule again. */
const mostPerMinute = 10;
const suspendedReason = 'suspended: too many firings';

/** Channel for processes that keep edges in memory; format: `schedule:device:key of the condition:state:microseconds of the newest sample`. */
export const edgesChannel = 'telltale_command_edges';

type Terms = Pick<ScheduleFields, 'device_pk' | 'condition' | 'operator' | 'clear_value'>;

/** Everything that decides what a sample says about a schedule. */
export const termsOf = ({ device_pk, condition, operator, clear_value }: Terms) => [device_pk, condition, operator, clear_value];

/** A name for the condition of a stored schedule: samples that were taken under another condition say nothing about this one. */
export const conditionKey = (row: Terms): string =>
  createHash('sha256')
    .update(JSON.stringify(termsOf(row)))
    .digest('base64url')
    .slice(0, 22);

/** The payload of a match. */
export interface Sampled {
  samples: Sample[];
  key?: string;
  /** A value was of a kind that the condition cannot be compared with. */
  isMismatch?: boolean;
}

export const edgeOf = ({ state, evaluated_at }: Pick<EventRow, 'state' | 'evaluated_at'>): Edge => ({
  state: state ?? 'unknown',
  evaluated_at,
});

export const edgeNotice = (row: Terms & Pick<EventRow, 'id'>, { state, evaluated_at }: Edge): string =>
  [row.id, row.device_pk, conditionKey(row), state, evaluated_at ?? ''].join(':');

/** Handles matches in order of arrival on locked rows, so that two processes or a repetition cannot fire twice. */
export async function handleEdges(tx: Ctx, matches: readonly Match[]): Promise<void> {
  const rows = await lockSchedules(tx.db, [...new Set(matches.map(({ subject_id }) => subject_id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { subject_id, uplink_id, payload } of matches) {
    const row = byId.get(subject_id);
    const { samples, key, isMismatch = false } = payload as Sampled;
    if (!row || (key !== undefined && key !== conditionKey(row))) continue;
    if (isMismatch && row.suspended_at === null) await noteMismatch(tx.db, row.id);
    byId.set(subject_id, await moveEdge(tx, row, uplink_id, samples));
  }
}

async function moveEdge(tx: Ctx, row: EventRow, uplink_id: string, samples: readonly Sample[]): Promise<EventRow> {
  const after = advanceEdge(edgeOf(row), samples, Date.now());
  const hasFired = after.fired_at !== null && row.suspended_at === null;
  const isHeld = hasFired && row.hold_seconds > 0;
  if (after.is_stale && row.suspended_at === null)
    await insertRun(tx.db, { schedule_id: row.id, due_at: new Date(), uplink_id, status: 'missed', reason: 'stale_event' });
  const outcome = hasFired && !isHeld ? await fireEvent(tx, row, uplink_id, new Date((after.fired_at ?? 0) / 1000)) : 'nothing';
  const held = after.state === 'active' && outcome !== 'suspended' ? holdUntil(row, isHeld) : null;
  const { state, evaluated_at } = after;
  const change = { state, evaluated_at, hold_until: held, hasRun: outcome === 'ran' };
  await setEdge(tx.db, row.id, change, edgesChannel, edgeNotice(row, after));
  const now = new Date().toISOString();
  return {
    ...row,
    state,
    evaluated_at,
    hold_until: held?.toISOString() ?? null,
    ...(outcome === 'ran' ? { last_run_at: now, recent_runs: row.recent_runs + 1 } : {}),
    ...(outcome === 'suspended' ? { suspended_at: now } : {}),
  };
}

function holdUntil({ hold_seconds, hold_until }: EventRow, isHeld: boolean): Date | null {
  if (isHeld) return new Date(Date.now() + hold_seconds * 1000);
  return hold_until === null ? null : new Date(hold_until);
}

async function fireEvent(tx: Ctx, row: EventRow, uplink_id: string, at: Date): Promise<'ran' | 'suspended' | 'nothing'> {
  const cooling = row.last_run_at !== null && Date.now() - Date.parse(row.last_run_at) < row.cooldown_seconds * 1000;
  if (cooling) return 'nothing';
  if (row.recent_runs >= mostPerMinute) {
    await suspend(tx.db, row.id, suspendedReason);
    await tellSuspended(tx, row, suspendedReason);
    return 'suspended';
  }
  return (await runSchedule(tx, row, { due_at: at, uplink_id })) ? 'ran' : 'nothing';
}

/** Fires schedules whose condition has held for long enough. */
export async function fireHeldEvents(ctx: Ctx): Promise<void> {
  // Most scans find nothing and need no transaction. Without one this claim ends with its statement.
  if (!(await claimHeld(ctx.db))) return;
  for (let count = 0; count < 500; count++) {
    const isDone = await ctx.transaction(async (tx) => {
      const row = await claimHeld(tx.db);
      if (!row?.hold_until) return true;
      const edge = edgeOf(row);
      const outcome = row.state === 'active' ? await fireEvent(tx, row, `held ${row.hold_until}`, new Date(row.hold_until)) : 'nothing';
      await setEdge(tx.db, row.id, { ...edge, hold_until: null, hasRun: outcome === 'ran' }, edgesChannel, edgeNotice(row, edge));
      return false;
    });
    if (isDone) return;
  }
}
