import { nextRuns } from '@telltale/domain/commands/cron-next.ts';
import { parseCron } from '@telltale/domain/commands/cron-parse.ts';
import { sortDue } from '@telltale/domain/commands/misfire.ts';
import type { Ctx } from '../platform/context.ts';
import { runSchedule } from './firing.ts';
import { claimDueSchedule, deleteOldRuns, insertRun, type ScheduleRow, setNextRun } from './schedules.store.ts';

/** Further due schedules wait for the next scan. */
const mostPerScan = 500;
/** The number of missed runs after a long stop that are recorded one by one. */
const mostMissed = 100;
const mostDue = 5000;
const keepRunsDays = 90;

/**
 * Fires all due schedules, each in a transaction that also sets its next run: any number of processes may do this at once, and a crash
 * leaves nothing half done.
 */
export async function fireDueSchedules(ctx: Ctx): Promise<number> {
  let count = 0;
  // Most scans find nothing and need no transaction. Without one this claim ends with its statement.
  if (!(await claimDueSchedule(ctx.db))) return count;
  for (; count < mostPerScan; count++) if (!(await fireNext(ctx))) break;
  return count;
}

const fireNext = (ctx: Ctx): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const claimed = await claimDueSchedule(tx.db);
    return claimed ? fireClaimed(tx, claimed) : false;
  });

async function fireClaimed(tx: Ctx, schedule: ScheduleRow): Promise<boolean> {
  if (!schedule.next_run_at) return false;
  const now = Date.now();
  const { due, next } = dueRuns(schedule, Date.parse(schedule.next_run_at), now);
  const { fired, late, missed } = sortDue(schedule.type === 'o' ? 'o' : 'r', due, next, now);
  for (const at of missed.slice(-mostMissed))
    await insertRun(tx.db, { schedule_id: schedule.id, due_at: new Date(at), status: 'missed', reason: 'The console was not running.' });
  if (late !== null) await runSchedule(tx, schedule, { due_at: new Date(late), is_late: true });
  for (const at of fired) await runSchedule(tx, schedule, { due_at: new Date(at) });
  await setNextRun(tx.db, schedule.id, next === null ? null : new Date(next), fired.length > 0 || late !== null ? new Date(now) : null);
  return true;
}

/** Returns the runs from the stored one up to now, and the first one after. */
function dueRuns({ type, schedule, timezone }: ScheduleRow, first: number, now: number): { due: number[]; next: number | null } {
  if (type === 'o' || schedule === null) return { due: [first], next: null };
  const cron = parseCron(schedule);
  const next = nextRuns(cron, timezone, now, 1)[0] ?? null;
  // After a long stop, only the runs of the last two days are listed.
  const from = Math.max(first - 1, now - 2 * 86_400_000);
  const due = nextRuns(cron, timezone, from, mostDue).filter((at) => at <= now);
  return { due: due.length > 0 ? due : [first], next };
}

export const forgetOldRuns = (ctx: Ctx) => deleteOldRuns(ctx.db, keepRunsDays);
