import { z } from 'zod';
import { parseWall } from '../parameters/calendar.ts';

/** Q3: weeks begin on Sunday in the dialog (screens 7). */
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export type Weekday = (typeof weekdays)[number];

export const minuteS = 60;
export const hourS = 3600;
export const dayS = 86_400;
export const weekS = 604_800;

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'The time must be HH:mm.');
const date = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseWall(text) !== null, 'The end must be a date, YYYY-MM-DD.');
/** Seconds, as a number or (old queries) as text. */
const interval = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,10}$/)
        .transform(Number),
    ],
    'The interval must be a number of seconds.',
  )
  .pipe(
    z
      .int()
      .min(1, 'The interval must be a number of seconds.')
      .max(366 * dayS, 'The interval is too long.'),
  );

/** Q3 and server-behaviour 13.1: times are UTC; missing keys count as null; null as a whole is Never. */
export const Schedule = z.object({
  interval: interval.nullable().default(null),
  time: time.nullable().default(null),
  day_of_week: z.enum(weekdays, 'The day must be an English week day.').nullable().default(null),
  until: date.nullable().default(null),
});
export type Schedule = z.output<typeof Schedule>;

export const never: Schedule = { interval: null, time: null, day_of_week: null, until: null };

export interface StoredSchedule {
  /** Null when the query does not refresh. */
  schedule: Schedule | null;
  /** The reason why a stored schedule cannot be followed: to be shown, never to be swallowed (W24). */
  problem: string | null;
}

/** W24: reads any stored value and never throws. `disabled` is a leftover of upstream; it is ignored. */
export function readSchedule(stored: unknown): StoredSchedule {
  if (stored === null || stored === undefined) return { schedule: null, problem: null };
  const { success, data, error } = Schedule.safeParse(withoutBlanks(stored));
  if (!success) return { schedule: null, problem: error.issues[0]?.message ?? 'The schedule cannot be read.' };
  return { schedule: data.interval === null ? null : data, problem: null };
}

/** Empty text counts as null. */
function withoutBlanks(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== ''));
}
