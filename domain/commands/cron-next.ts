import type { Wall } from '../parameters/calendar.ts';
import type { Cron, DayRule } from './cron-parse.ts';
import { afterGap, momentsOf, wallTime } from './zone.ts';

const lastYear = 2199;

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
/** 1 = Sunday. */
const weekDayOf = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
const isWeekend = (weekDay: number) => weekDay === 1 || weekDay === 7;

/** `15W`: the working day nearest to a day, within its month. */
function nearestWeekday(year: number, month: number, day: number): number {
  const weekDay = weekDayOf(year, month, day);
  if (!isWeekend(weekDay)) return day;
  const [earlier, later] = weekDay === 7 ? [day - 1, day + 2] : [day - 2, day + 1];
  const [first, second] = weekDay === 7 ? [earlier, later] : [later, earlier];
  return first >= 1 && first <= daysIn(year, month) ? first : second;
}

/** The days of a month on which it runs, in order. */
function daysOf(rule: DayRule, year: number, month: number): number[] {
  const last = daysIn(year, month);
  const all = Array.from({ length: last }, (_, place) => place + 1);
  switch (rule.kind) {
    case 'month-days':
      return rule.days.filter((day) => day <= last);
    case 'last-day': {
      const day = last - rule.before;
      if (day < 1) return [];
      return [rule.isWeekday ? nearestWeekday(year, month, day) : day];
    }
    case 'nearest-weekday':
      return rule.day > last ? [] : [nearestWeekday(year, month, rule.day)];
    case 'week-days':
      return all.filter((day) => rule.days.includes(weekDayOf(year, month, day)));
    case 'last-week-day':
      return all.filter((day) => day > last - 7 && weekDayOf(year, month, day) === rule.day);
    case 'nth-week-day':
      return all.filter((day) => Math.ceil(day / 7) === rule.nth && weekDayOf(year, month, day) === rule.day);
  }
}

/** The matching days in order, from the day of `from` on. */
function* wallDates(cron: Cron, from: Wall): Generator<{ year: number; month: number; day: number }> {
  for (let year = from.year; year <= lastYear; year++) {
    if (cron.years && !cron.years.includes(year)) continue;
    for (const month of cron.months) {
      if (year === from.year && month < from.month) continue;
      for (const day of daysOf(cron.day, year, month)) {
        if (year === from.year && month === from.month && day < from.day) continue;
        yield { year, month, day };
      }
    }
  }
}

/**
 * The next runs after a moment, at most `count`. With a list of hours, a time in the gap of spring runs once, right after the gap, and a
 * time that autumn repeats runs once, the first time. With `*`, `/` or a range, missing times are left out and repeated ones run twice.
 */
export function nextRuns(cron: Cron, zone: string, after: number, count: number): number[] {
  const runs: number[] = [];
  for (const date of wallDates(cron, wallTime(after, zone))) {
    for (const hour of cron.hours) {
      for (const at of runsOfHour(cron, { ...date, hour, minute: 0, second: 0 }, zone)) {
        if (at <= after || runs.includes(at)) continue;
        runs.push(at);
        if (runs.length === count) return runs;
      }
    }
  }
  return runs;
}

const hourMs = 3_600_000;

/** The runs of an hour in order, also of an hour that the clock repeats. */
function runsOfHour(cron: Cron, hour: Wall, zone: string): number[] {
  const [first, ...others] = momentsOf(hour, zone);
  const [last, ...more] = momentsOf({ ...hour, minute: 59, second: 59 }, zone);
  const isPlain = first !== undefined && others.length === 0 && more.length === 0 && last === first + hourMs - 1000;
  const times = cron.minutes.flatMap((minute) => cron.seconds.map((second) => ({ minute, second })));
  if (isPlain) return times.map(({ minute, second }) => first + (minute * 60 + second) * 1000);
  const runs = times.flatMap((time): number[] => {
    const wall = { ...hour, ...time };
    const moments = momentsOf(wall, zone);
    if (!cron.isHourFixed) return moments;
    return moments.length === 0 ? [afterGap(wall, zone)] : moments.slice(0, 1);
  });
  return [...new Set(runs)].sort((a, b) => a - b);
}
