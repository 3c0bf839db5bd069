import type { Token } from '@telltale/domain/sql/tokenize.ts';

const literal = String.raw`'(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?'`;
const shift = String.raw` [+-] (?:\d+(?: \* \d+)*|[Ii][Nn][Tt][Ee][Rr][Vv][Aa][Ll] \d+ \w+)`;
const parts = new RegExp(`^(.+?)((?:${shift})*)$`);
const oneLiteral = new RegExp(`^${literal}$`);
const parsed = new RegExp(String.raw`^toDateTime \( ${literal}(?: , '[\w+/-]+')? \)$`);
const fromDate = new RegExp(String.raw`^toDateTime \( (today|yesterday) \( \)((?:${shift})*) \)$`);

/** The functions that a moment may be written with. */
export const momentFunctions = ['now', 'today', 'yesterday', 'toDateTime'];

/** In seconds, at most. */
const lengths = new Map(
  Object.entries({ second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 31 * 86_400, year: 366 * 86_400 }),
);
const day = 86_400;
const mostShifted = 20 * 365 * day;
const mostWords = 40;

/**
 * The moment that an expression means, for a server in whatever time zone: texts are read as UTC, so the moment is up to 24 hours away from
 * the one that is meant. Undefined for expressions that could mean anything else, and for moments beyond which a DateTime wraps around.
 *
 * Dates alone (`today() - 3`) are left out: ClickHouse 18.16 compares the number of the day with the seconds of a DateTime.
 */
export function momentOf(words: readonly Token[]): string | undefined {
  if (words.length > mostWords) return undefined;
  const written = words.map(({ text }) => text).join(' ');
  const alone = textOf(oneLiteral.exec(written), 1972, 2100);
  if (alone) return alone;
  const [, base = '', shifts = ''] = parts.exec(written) ?? [];
  const shifted = secondsOf(shifts, 1, 0);
  if (/^now \( \)$/i.test(base)) return shifted <= mostShifted ? `toDateTime(now()${shifts})` : undefined;
  const date = fromDate.exec(base);
  if (date) {
    const [, name, dateShifts = ''] = date;
    // It also takes hours from a date as if they were days.
    return shifted + secondsOf(dateShifts, day, day) <= mostShifted ? `toDateTime(toDateTime(${name}()${dateShifts})${shifts})` : undefined;
  }
  const text = shifts === '' ? textOf(parsed.exec(base), 1972, 2100) : textOf(parsed.exec(base), 1993, 2079);
  if (shifts === '') return text;
  return text !== undefined && shifted <= mostShifted ? `toDateTime(${text}${shifts})` : undefined;
}

/** A text with a time that exists, in years from which nothing wraps around; the server would read the 31st of February as another day. */
function textOf(match: RegExpExecArray | null, firstYear: number, lastYear: number): string | undefined {
  if (!match) return undefined;
  const [, year = '', month = '', date = '', hour = '00', minute = '00', second = '00'] = match;
  const text = `${year}-${month}-${date} ${hour}:${minute}:${second}`;
  const time = new Date(`${text.replace(' ', 'T')}Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.replace(' ', 'T'));
  return exists && Number(year) >= firstYear && Number(year) <= lastYear ? `toDateTime('${text}', 'UTC')` : undefined;
}

/** How far shifts go, all in one direction; NaN with an interval that is unknown or shorter than the shortest. */
function secondsOf(shifts: string, plainUnit: number, shortest: number): number {
  let seconds = 0;
  for (const [, written = ''] of shifts.matchAll(/[+-] ([^+-]+)/g)) {
    const [, count, unit = ''] = /^interval (\d+) (\w+)/i.exec(written) ?? [];
    const length = lengths.get(unit.toLowerCase()) ?? Number.NaN;
    if (count !== undefined) seconds += length >= shortest ? Number(count) * length : Number.NaN;
    else seconds += written.split('*').reduce((product, factor) => product * Number(factor), plainUnit);
  }
  return seconds;
}
