import { dayS, hourS, minuteS, type Schedule, weekS } from './schedule.ts';

export type IntervalUnit = 'second' | 'minute' | 'hour' | 'day' | 'week';
const units: readonly [IntervalUnit, number][] = [
  ['week', weekS],
  ['day', dayS],
  ['hour', hourS],
  ['minute', minuteS],
  ['second', 1],
];

/** Q9: in the largest unit that gives a whole number; 30 days are days. */
export function intervalParts(seconds: number): { count: number; unit: IntervalUnit } {
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? (['second', 1] as const);
  return { count: seconds / size, unit };
}

/** "5 minutes", "1 day". */
export function intervalText(seconds: number): string {
  const { count, unit } = intervalParts(seconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** "Every 5 minutes", "Every day", "Never". */
export function everyText(seconds: number | null): string {
  if (!seconds) return 'Never';
  const { count, unit } = intervalParts(seconds);
  return count === 1 ? `Every ${unit}` : `Every ${intervalText(seconds)}`;
}

/** The whole sentence for a tooltip: "Refreshes every week at 09:00 on Monday". Time and day as they should be shown. */
export function refreshText(schedule: Pick<Schedule, 'interval' | 'time' | 'day_of_week'> | null): string {
  if (!schedule?.interval) return 'Never';
  const at = schedule.time ? ` at ${schedule.time}` : '';
  const on = schedule.day_of_week ? ` on ${schedule.day_of_week}` : '';
  return `Refreshes ${everyText(schedule.interval).toLowerCase()}${at}${on}`;
}

/** screens 7: the choices of the dialog by unit. */
export function intervalGroups(intervals: readonly number[]): { unit: IntervalUnit; intervals: number[] }[] {
  return units
    .map(([unit]) => ({ unit, intervals: intervals.filter((seconds) => intervalParts(seconds).unit === unit) }))
    .filter((group) => group.intervals.length > 0)
    .reverse();
}
