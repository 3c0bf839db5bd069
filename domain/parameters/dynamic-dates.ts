import { addDays, addMonths, endOfDay, formatWall, type Precision, startOfDay, type Wall, weekdayOf } from './calendar.ts';
import { isDateType, isRangeType, type ParameterType } from './contract.ts';
import { existingWall, wallIn } from './time-zone.ts';

/** The time and zone for resolving a dynamic date: the viewer's zone, for schedules and alerts the organisation's (W24). */
export interface Clock {
  now: Date;
  timeZone: string;
  /** First day of the week, 0 = Sunday, which is the default (screens 8.4). */
  weekStart?: number;
}

export interface DateRange {
  start: string;
  end: string;
}

interface Dynamic<T> {
  name: string;
  resolve: (now: Wall, clock: Clock) => T;
}

const today = (wall: Wall): [Wall, Wall] => [startOfDay(wall), endOfDay(wall)];

function week(wall: Wall, { weekStart = 0 }: Clock): [Wall, Wall] {
  const first = addDays(wall, -((weekdayOf(wall) - weekStart + 7) % 7));
  return [startOfDay(first), endOfDay(addDays(first, 6))];
}

function month(wall: Wall): [Wall, Wall] {
  const first = startOfDay({ ...wall, day: 1 });
  return [first, endOfDay(addDays(addMonths(first, 1), -1))];
}

const year = (wall: Wall): [Wall, Wall] => [startOfDay({ ...wall, month: 1, day: 1 }), endOfDay({ ...wall, month: 12, day: 31 })];

/** server-behaviour 10.3: from the start of the day N days ago until now. */
const lastDays = (days: number): Dynamic<[Wall, Wall]> => ({
  name: `Last ${days} days`,
  resolve: (now) => [startOfDay(addDays(now, -days)), now],
});

/** The range counts elapsed minutes, so a change to or from summer time does not make it longer or shorter. */
const lastMinutes = (minutes: number, name: string): Dynamic<[Wall, Wall]> => ({
  name,
  resolve: (now, clock) => [wallIn(clock.timeZone, new Date(clock.now.getTime() - minutes * 60_000)), now],
});
const lastHours = (hours: number) => lastMinutes(hours * 60, hours === 1 ? 'Last hour' : `Last ${hours} hours`);

/** Ours, for monitoring devices: shorter than a day, so ranges of whole days do not offer them. */
const shortRanges: Record<string, Dynamic<[Wall, Wall]>> = {
  d_5Minutes: lastMinutes(5, 'Last 5 minutes'),
  d_15Minutes: lastMinutes(15, 'Last 15 minutes'),
  d_1Hours: lastHours(1),
  d_3Hours: lastHours(3),
  d_6Hours: lastHours(6),
};

/** Q3: single dates. */
const dates: Record<string, Dynamic<Wall>> = {
  d_now: { name: 'Today/Now', resolve: (now) => now },
  d_yesterday: { name: 'Yesterday', resolve: (now) => addDays(now, -1) },
};

/** Q3: ranges, in the order of the menu. */
const ranges: Record<string, Dynamic<[Wall, Wall]>> = {
  d_today: { name: 'Today', resolve: today },
  d_yesterday: { name: 'Yesterday', resolve: (now) => today(addDays(now, -1)) },
  ...shortRanges,
  d_12Hours: lastHours(12),
  d_24Hours: lastHours(24),
  d_this_week: { name: 'This week', resolve: week },
  d_this_month: { name: 'This month', resolve: month },
  d_this_year: { name: 'This year', resolve: year },
  d_last_week: { name: 'Last week', resolve: (now, clock) => week(addDays(now, -7), clock) },
  d_last_month: { name: 'Last month', resolve: (now) => month(addMonths(now, -1)) },
  d_last_year: { name: 'Last year', resolve: (now) => year(addMonths(now, -12)) },
  d_last_7_days: lastDays(7),
  d_last_14_days: lastDays(14),
  d_last_30_days: lastDays(30),
  d_last_60_days: lastDays(60),
  d_last_90_days: lastDays(90),
  d_last_12_months: { name: 'Last 12 months', resolve: (now) => [startOfDay(addMonths(now, -12)), now] },
};

/** The dynamic values that a parameter of this type may have, with their names in the menu (screens 8.4). */
export function dynamicValues(type: ParameterType): { value: string; name: string }[] {
  const all = isRangeType(type) ? Object.entries(ranges) : isDateType(type) ? Object.entries(dates) : [];
  const isLong = ([value]: [string, unknown]) => precisionOf(type) !== 'day' || !Object.hasOwn(shortRanges, value);
  return all.filter(isLong).map(([value, { name }]) => ({ value, name }));
}

/** Whether one of the values depends on the day that a week begins with. */
export const namesWeek = (values: Readonly<Record<string, unknown>>): boolean =>
  Object.values(values).some((value) => value === 'd_this_week' || value === 'd_last_week');

export const isDynamicDate = (value: unknown): value is string => typeof value === 'string' && Object.hasOwn(dates, value);
export const isDynamicRange = (value: unknown): value is string => typeof value === 'string' && Object.hasOwn(ranges, value);

/** Q9: the precision of dates in a type. */
export function precisionOf(type: ParameterType): Precision {
  if (type.endsWith('with-seconds')) return 'second';
  return type === 'date' || type === 'date-range' ? 'day' : 'minute';
}

export function resolveDynamicDate(value: string, type: ParameterType, clock: Clock): string | null {
  const dynamic = isDynamicDate(value) ? dates[value] : undefined;
  return dynamic ? written(dynamic.resolve(wallIn(clock.timeZone, clock.now), clock), type, clock) : null;
}

export function resolveDynamicRange(value: string, type: ParameterType, clock: Clock): DateRange | null {
  const dynamic = isDynamicRange(value) ? ranges[value] : undefined;
  if (!dynamic) return null;
  const [start, end] = dynamic.resolve(wallIn(clock.timeZone, clock.now), clock);
  return { start: written(start, type, clock), end: written(end, type, clock) };
}

const written = (wall: Wall, type: ParameterType, { timeZone }: Clock) => formatWall(existingWall(wall, timeZone), precisionOf(type));
