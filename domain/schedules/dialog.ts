import { parseWall } from '../parameters/calendar.ts';
import { intervalParts } from './intervals.ts';
import { never, type Schedule, type Weekday, weekdays } from './schedule.ts';

/** Q4, Q9: 00:15 UTC. */
const defaultTime = '00:15';
/** Q5. */
export const timeStepMinutes = 5;

/**
 * Q4: Never clears everything; minutes and hours clear the time; days and weeks start at 00:15 UTC; weeks start on the
 * first week day, nothing else has one.
 */
export function withInterval(schedule: Schedule, interval: number | null): Schedule {
  if (interval === null) return never;
  const { unit } = intervalParts(interval);
  const time = unit === 'day' || unit === 'week' ? (schedule.time ?? defaultTime) : null;
  return { ...schedule, interval, time, day_of_week: unit === 'week' ? (schedule.day_of_week ?? weekdays[0]) : null };
}

export function hasTime({ interval }: Schedule): boolean {
  return interval !== null && ['day', 'week'].includes(intervalParts(interval).unit);
}
export const hasDay = ({ interval }: Schedule): boolean => interval !== null && intervalParts(interval).unit === 'week';

/** Sets the time only where the interval has one, and on a step of five minutes (Q5). */
export function withTime(schedule: Schedule, time: string): Schedule {
  const minute = /^\d{2}:(\d{2})$/.exec(time)?.[1];
  return hasTime(schedule) && minute !== undefined && Number(minute) % timeStepMinutes === 0 ? { ...schedule, time } : schedule;
}

export const withDay = (schedule: Schedule, day: Weekday): Schedule => (hasDay(schedule) ? { ...schedule, day_of_week: day } : schedule);

/** Q5: the end cannot be today or earlier. Dates as YYYY-MM-DD. */
export const canEndOn = (until: string, today: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(until) && parseWall(until) !== null && until > today;

export function withUntil(schedule: Schedule, until: string | null, today: string): Schedule {
  const fits = schedule.interval !== null && (until === null || canEndOn(until, today));
  return fits ? { ...schedule, until } : schedule;
}

/** Q4: the result of the dialog: null without an interval, undefined when nothing has changed. */
export function dialogResult(before: Schedule | null, after: Schedule): Schedule | null | undefined {
  const [old, now] = [before ?? never, after.interval === null ? never : after];
  const isSame = (['interval', 'time', 'day_of_week', 'until'] as const).every((key) => old[key] === now[key]);
  if (isSame) return undefined;
  return after.interval === null ? null : after;
}

/**
 * Q3: stored in UTC, shown in local time. Moves a time by minutes, and the week day with it when midnight lies between: Monday 00:15 in
 * Berlin is Sunday 22:15 UTC in summer. Minutes east of UTC to show, their negative to store.
 */
export function shiftTime(time: string, day: Weekday | null, minutes: number): { time: string; day_of_week: Weekday | null } {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const shifted = hour * 60 + minute + minutes;
  const inDay = ((shifted % 1440) + 1440) % 1440;
  const days = Math.floor(shifted / 1440);
  const pad = (value: number) => String(value).padStart(2, '0');
  return {
    time: `${pad(Math.floor(inDay / 60))}:${pad(inDay % 60)}`,
    day_of_week: day && (weekdays[(((weekdays.indexOf(day) + days) % 7) + 7) % 7] ?? day),
  };
}
