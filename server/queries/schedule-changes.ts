import { isDeepStrictEqual } from 'node:util';
import { hasEnded, nextRun } from '@telltale/domain/schedules/next-run.ts';
import { readSchedule, type Schedule } from '@telltale/domain/schedules/schedule.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import type { QueryRow } from './queries.store.ts';

/** W24: an invalid schedule is refused when it is saved; stored ones are left alone. Never is null. */
export function checkedSchedule(ctx: UserCtx, given: QueryRow['schedule'], before: QueryRow['schedule']): QueryRow['schedule'] {
  if (isDeepStrictEqual(given, before)) return before;
  const { schedule, problem } = readSchedule(given);
  if (problem) throw invalid(problem);
  if (isDeepStrictEqual(schedule, readSchedule(before).schedule)) return schedule && { ...schedule };
  if (!may(ctx.user, 'schedule', 'query')) throw forbidden("You don't have permission to schedule queries.");
  if (schedule && hasEnded(schedule, ctx.now)) throw invalid('The end of the schedule must be later than today (UTC).');
  return schedule && { ...schedule };
}

interface Scheduled {
  schedule: unknown;
  is_archived: boolean;
  schedule_failures: number;
}

/** A date later than any schedule needs, which every database can store. */
const endOfTimeMs = Date.UTC(9999, 0);

/** The next run of a query after its last one; at once when it never ran (design 8). */
export function nextRunAt({ schedule: stored, is_archived, schedule_failures }: Scheduled, last: Date | null, now: Date): string | null {
  const schedule: Schedule | null = is_archived ? null : readSchedule(stored).schedule;
  const next = schedule && nextRun(last, schedule, schedule_failures, now);
  return next && next.getTime() < endOfTimeMs ? next.toISOString() : null;
}
