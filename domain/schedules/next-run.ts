import { dayS, type Schedule, weekdays, weekS } from './schedule.ts';

const dayMs = dayS * 1000;

/**
 * server-behaviour 13.3 as it should be (W20): without a time, one interval after the last run; with a time, as many days (weeks on a day)
 * after the last slot at or before it. Failures delay it by 2^failures minutes. A query that never ran is due now. Null means never: the
 * schedule has ended, will end before, or failed too often.
 */
export function nextRun(lastRunAt: Date | null, schedule: Schedule, failures: number, now: Date): Date | null {
  if (schedule.interval === null || hasEnded(schedule, now)) return null;
  if (lastRunAt === null) return now;
  const backOffMs = failures > 0 ? 2 ** failures * 60_000 : 0;
  const next = new Date(nextSlotMs(lastRunAt.getTime(), schedule.interval, schedule) + backOffMs);
  return Number.isNaN(next.getTime()) || hasEnded(schedule, next) ? null : next;
}

/** server-behaviour 13.2: a schedule ends as its last date begins, at midnight UTC. */
export function hasEnded({ until }: Pick<Schedule, 'until'>, at: Date): boolean {
  return until !== null && Date.parse(`${until}T00:00:00Z`) <= at.getTime();
}

function nextSlotMs(lastMs: number, interval: number, { time, day_of_week }: Schedule): number {
  // A time of day applies only to intervals from a day upwards, a week day only to whole weeks (Q4).
  if (time === null || interval < dayS) return lastMs + interval * 1000;
  const weekly = day_of_week !== null && interval % weekS === 0;
  const step = weekly ? interval / weekS : Math.floor(interval / dayS);
  return lastSlotMs(lastMs, time, weekly ? weekdays.indexOf(day_of_week) : null) + step * (weekly ? 7 : 1) * dayMs;
}

/** The latest moment at or before this one with that time of day, and that week day. */
function lastSlotMs(ms: number, time: string, weekday: number | null): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const today = Math.floor(ms / dayMs) * dayMs + (hour * 60 + minute) * 60_000;
  const slot = today > ms ? today - dayMs : today;
  return weekday === null ? slot : slot - ((new Date(slot).getUTCDay() - weekday + 7) % 7) * dayMs;
}
