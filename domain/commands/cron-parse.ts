/** iot-behaviour 3.6: Quartz, seven fields (six accepted): seconds, minutes, hours, day of month, month, day of week, year. */
export interface Cron {
  seconds: number[];
  minutes: number[];
  hours: number[];
  /** The hours are a list: a time that a zone skips fires after the gap, one that it repeats fires once (DST). */
  isHourFixed: boolean;
  day: DayRule;
  months: number[];
  /** Null means every year. */
  years: number[] | null;
  /** The repaired expression, with seven fields. */
  text: string;
}

export type DayRule =
  | { kind: 'month-days'; days: number[] }
  /** The last day, or so many before it; on a working day when `isWeekday`. */
  | { kind: 'last-day'; before: number; isWeekday: boolean }
  | { kind: 'nearest-weekday'; day: number }
  /** 1 = Sunday. */
  | { kind: 'week-days'; days: number[] }
  | { kind: 'last-week-day'; day: number }
  | { kind: 'nth-week-day'; day: number; nth: number };

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  name: string;
  least: number;
  most: number;
  names?: readonly string[];
}

const fields = {
  seconds: { name: 'Seconds', least: 0, most: 59 },
  minutes: { name: 'Minutes', least: 0, most: 59 },
  hours: { name: 'Hours', least: 0, most: 23 },
  monthDay: { name: 'Day of month', least: 1, most: 31 },
  month: { name: 'Month', least: 1, most: 12, names: monthNames },
  weekDay: { name: 'Day of week', least: 1, most: 7, names: dayNames },
  year: { name: 'Year', least: 1970, most: 2199 },
} satisfies Record<string, Field>;

/** A fault that is shown to the author of the expression. */
export class CronFault extends Error {
  override name = 'CronFault';
}
const refuse = (message: string): never => {
  throw new CronFault(message);
};

export function parseCron(text: string): Cron {
  const parts = repair(text);
  const [seconds = '', minutes = '', hours = '', monthDay = '', month = '', weekDay = '', year = '*'] = parts;
  const day = readDay(monthDay, weekDay);
  const isEveryYear = year === '*' || year === '?';
  return {
    seconds: readList(seconds, fields.seconds),
    minutes: readList(minutes, fields.minutes),
    hours: readList(hours, fields.hours),
    isHourFixed: !/[*/-]/.test(hours),
    day,
    months: readList(month, fields.month),
    years: isEveryYear ? null : readList(year, fields.year),
    text: parts.join(' '),
  };
}

/** The seed's default runs two fields together, and the builder writes lists with `!`. */
function repair(text: string): string[] {
  const parts = text.trim().toUpperCase().replaceAll('!', ',').split(/\s+/);
  const last = parts.at(-1) ?? '';
  if (parts.length === 6 && last.length > 1 && last.startsWith('?')) parts.splice(5, 1, '?', last.slice(1));
  if (parts.length === 6) parts.push('*');
  if (parts.length !== 7) refuse('A schedule has seven fields: seconds, minutes, hours, day of month, month, day of week, year.');
  // Both fields may say "every day"; Quartz requires `?` in one of them.
  const [, , , monthDay = '', , weekDay = ''] = parts;
  if (monthDay === '?' && weekDay === '?') refuse('One of day of month and day of week must not be ?.');
  if (monthDay !== '?' && weekDay === '*') parts[5] = '?';
  else if (monthDay === '*' && weekDay !== '?') parts[3] = '?';
  return parts;
}

function readDay(monthDay: string, weekDay: string): DayRule {
  if (monthDay !== '?' && weekDay !== '?') refuse('Support for both day fields is not available, use ? in one of them.');
  return weekDay === '?' ? readMonthDay(monthDay) : readWeekDay(weekDay);
}

function readMonthDay(text: string): DayRule {
  if (text === 'L' || text === 'LW' || text === 'WL') return { kind: 'last-day', before: 0, isWeekday: text !== 'L' };
  const last = /^L-(\d{1,2})(W?)$/.exec(text);
  if (last) {
    const before = Number(last[1]);
    if (before > 30) refuse('Day of month: L- takes a number up to 30.');
    return { kind: 'last-day', before, isWeekday: last[2] === 'W' };
  }
  const nearest = /^(\d{1,2})W$/.exec(text);
  if (nearest) return { kind: 'nearest-weekday', day: readNumber(nearest[1] ?? '', fields.monthDay) };
  if (/[LW]/.test(text)) refuse('Day of month: L and W stand with a single day.');
  return { kind: 'month-days', days: readList(text, fields.monthDay) };
}

function readWeekDay(text: string): DayRule {
  if (text === 'L') return { kind: 'week-days', days: [7] };
  const nth = /^([A-Z]{3}|\d)#(\d)$/.exec(text);
  if (nth) {
    const which = Number(nth[2]);
    if (which < 1 || which > 5) refuse('Day of week: the number after # is 1 to 5.');
    return { kind: 'nth-week-day', day: readNumber(nth[1] ?? '', fields.weekDay), nth: which };
  }
  if (text.includes('#')) refuse('Day of week: # stands with a single day, such as 6#3.');
  const last = /^([A-Z]{3}|\d)L$/.exec(text);
  if (last) return { kind: 'last-week-day', day: readNumber(last[1] ?? '', fields.weekDay) };
  return { kind: 'week-days', days: readList(text, fields.weekDay) };
}

function readNumber(text: string, { name, least, most, names }: Field): number {
  const named = names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named + least : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) refuse(`${name}: "${text.slice(0, 20)}" is not between ${least} and ${most}.`);
  return value;
}

/** A list of `*`, numbers, ranges that may wrap, and steps. */
function readList(text: string, field: Field): number[] {
  const { name, least, most } = field;
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...more] = part.split('/');
    if (part === '' || more.length > 0 || (step !== undefined && !/^\d{1,4}$/.test(step)))
      refuse(`${name}: "${part.slice(0, 20)}" cannot be read.`);
    const every = step === undefined ? 1 : Number(step);
    if (every < 1) refuse(`${name}: a step is at least 1.`);
    const [from = '', to, ...rest] = range.split('-');
    if (rest.length > 0) refuse(`${name}: "${range.slice(0, 20)}" cannot be read.`);
    const begin = from === '*' ? least : readNumber(from, field);
    const end = to !== undefined ? readNumber(to, field) : from === '*' || step !== undefined ? most : begin;
    const size = most - least + 1;
    const length = end >= begin ? end - begin : end - begin + size;
    for (let at = 0; at <= length; at += every) found.add(((begin - least + at) % size) + least);
  }
  return [...found].sort((a, b) => a - b);
}
