import type { Ctx } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { findCommandWithTargets } from './commands.store.ts';
import { fire } from './executions.ts';
import { insertRun, type NewRun, type ScheduleRow } from './schedules.store.ts';

/**
 * Runs a schedule once; a unique row prevents repetitions. A run that cannot be sent (no device left, or a payload that its channel no
 * longer accepts) is recorded with the reason. Returns whether this call fired it.
 */
export async function runSchedule(
  tx: Ctx,
  schedule: Pick<ScheduleRow, 'id' | 'command_id'>,
  { due_at, uplink_id = null, is_late = false }: { due_at: Date; uplink_id?: string | null; is_late?: boolean },
): Promise<boolean> {
  const run: NewRun = { schedule_id: schedule.id, due_at, uplink_id, status: is_late ? 'late' : 'fired' };
  const found = await findCommandWithTargets(tx.db, schedule.command_id);
  if (!found) return false;
  const { command, devices } = found;
  try {
    if (devices.length === 0) throw new AppError(400, 'invalid', 'The devices of this command have been deleted.');
    const dedupe_key = `schedule ${schedule.id} ${uplink_id ?? due_at.toISOString()}`;
    const fired = await fire(tx, command, { source: 'schedule', devices, schedule_id: schedule.id, due_at, is_late, dedupe_key, run });
    return fired !== undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await insertRun(tx.db, { ...run, status: 'missed', reason: error.message });
    return false;
  }
}
