import dayjs from 'dayjs';

/**
 * How our own screens write a time: no reader takes the day for the month. Results keep the format of the organisation, and pickers the one
 * that their rule states.
 */
export const momentFormat = {
  minute: 'D MMM YYYY, HH:mm',
  second: 'D MMM YYYY, HH:mm:ss',
  millisecond: 'D MMM YYYY, HH:mm:ss.SSS',
} as const;

/** `16 Nov 2026, 14:05`, by the clock of who looks. */
export const momentText = (at: Date | string | number, precision: keyof typeof momentFormat = 'minute'): string =>
  dayjs(at).format(momentFormat[precision]);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The same for a wall time such as `2026-11-16 14:05:00`, which is by the clock of another zone. */
export function wallText(wall: string): string {
  const [, year, month, day, clock] = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}:\d{2}(?::\d{2})?)$/.exec(wall) ?? [];
  return year ? `${Number(day)} ${months[Number(month) - 1]} ${year}, ${clock}` : wall;
}
