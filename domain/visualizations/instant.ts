/**
 * visualizations 2.5: the moment of a value in milliseconds since 1970, or undefined. Text is ISO 8601 or RFC 2822 and, without an offset,
 * in UTC; a number is milliseconds already.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseInstant(value);
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= largest ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
  return undefined;
}

/** The last millisecond of ECMAScript. */
const largest = 8.64e15;
const day = 86_400_000;

export function parseInstant(text: string): number | undefined {
  return parseCommon(text) ?? parseIso(text) ?? parseRfc(text);
}

/** 2.1: only complete and valid timestamps make a column one of dates; a log line that begins with one does not. */
export const isTimestamp = (text: string): boolean => text.charCodeAt(10) === upperT && parseCommon(text) !== undefined;
export const isDay = (text: string): boolean => text.length === 10 && parseCommon(text) !== undefined;

const [zero, nine, dash, colon, dot, comma, space, upperT, upperZ] = [48, 57, 45, 58, 46, 44, 32, 84, 90];

/** `YYYY-MM-DD` and `YYYY-MM-DDTHH:mm:ss.fffZ`, without a regular expression: sorting parses a million of them. */
function parseCommon(text: string): number | undefined {
  const { length } = text;
  if (length < 10 || text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return undefined;
  const date = utc(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  if (date === undefined || length === 10) return date;
  const separator = text.charCodeAt(10);
  if ((separator !== upperT && separator !== space) || length < 16 || text.charCodeAt(13) !== colon) return undefined;
  const hours = digits(text, 11, 13);
  const minutes = digits(text, 14, 16);
  let seconds = 0;
  let milliseconds = 0;
  let at = 16;
  if (text.charCodeAt(16) === colon) {
    seconds = digits(text, 17, 19);
    at = 19;
    const mark = text.charCodeAt(19);
    if (mark === dot || mark === comma) {
      let end = 20;
      while (end < length && isDigit(text.charCodeAt(end))) end += 1;
      if (end === 20) return undefined;
      milliseconds = end === 23 ? digits(text, 20, 23) : Number(text.slice(20, Math.min(end, 23)).padEnd(3, '0'));
      at = end;
    }
  }
  const isUtc = at === length || (at === length - 1 && text.charCodeAt(at) === upperZ);
  const offset = isUtc ? 0 : offsetOf(text.slice(at));
  return offset === undefined ? undefined : withTime(date, hours, minutes, seconds, milliseconds, offset);
}

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** NaN for anything but digits: every comparison with it is false. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return Number.NaN;
    value = value * 10 + code - zero;
  }
  return value;
}

const lastDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Computes by arithmetic: a `Date` for each of a million cells takes longer than everything else about them. */
function utc(year: number, month: number, dayOfMonth: number): number | undefined {
  if (!(month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= (lastDays[month - 1] ?? 0)) || Number.isNaN(year)) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2 && dayOfMonth === 29 && !isLeap) return undefined;
  // Years begin in March here, so that the leap day is their last.
  const since = month > 2 ? month - 3 : month + 9;
  const ownYear = month > 2 ? year : year - 1;
  const era = Math.floor(ownYear / 400);
  const yearOfEra = ownYear - era * 400;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + Math.floor((153 * since + 2) / 5) + dayOfMonth - 1;
  return (era * 146_097 + dayOfEra - 719_468) * day;
}

function withTime(date: number, hours: number, minutes: number, seconds: number, milliseconds: number, offset: number): number | undefined {
  const isValid = hours < 24 && minutes < 60 && seconds < 60;
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0 && milliseconds === 0;
  if (!isValid && !isMidnight) return undefined;
  return date + hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + milliseconds - offset;
}

/** Milliseconds east of UTC. */
function offsetOf(text: string): number | undefined {
  if (/^\s*Z$/.test(text)) return 0;
  const [, sign, hours, minutes = '0', seconds = '0'] = /^([+-])(\d\d)(?::?(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

const isoDate = String.raw`([+-]\d{6}|\d{4})(?:-?W(\d\d)(?:-?(\d))?|-?(\d\d)-?(\d\d)|-(\d\d)|-?(\d{3}))?`;
const isoTime = String.raw`(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?`;
const iso = new RegExp(String.raw`^\s*${isoDate}(?:[T ]${isoTime}(.*))?$`);

/** The rarer forms: weeks, days of the year, months, basic format. */
function parseIso(text: string): number | undefined {
  if (text.length > 40) return undefined;
  const found = iso.exec(text);
  if (!found) return undefined;
  const [, yearText = '', week, weekday = '1', month = '01', dayOfMonth = '01', monthOnly, dayOfYear] = found;
  const [hours = '0', minutes = '0', seconds = '0', fraction = '', rest = ''] = found.slice(8);
  const year = Number(yearText);
  const date = week
    ? weekDate(year, Number(week), Number(weekday))
    : dayOfYear
      ? yearDate(year, Number(dayOfYear))
      : utc(year, Number(monthOnly ?? month), Number(dayOfMonth));
  const offset = rest.trim() === '' ? 0 : offsetOf(rest);
  if (date === undefined || offset === undefined) return undefined;
  return withTime(date, Number(hours), Number(minutes), Number(seconds), Number(fraction.slice(0, 3).padEnd(3, '0')), offset);
}

function weekDate(year: number, week: number, weekday: number): number | undefined {
  if (week < 1 || week > 53 || weekday < 1 || weekday > 7) return undefined;
  const fourth = utc(year, 1, 4) ?? 0;
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day;
  return monday + ((week - 1) * 7 + weekday - 1) * day;
}

function yearDate(year: number, dayOfYear: number): number | undefined {
  const date = (utc(year, 1, 1) ?? 0) + (dayOfYear - 1) * day;
  return new Date(date).getUTCFullYear() === year ? date : undefined;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const rfc =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun),?\s+)?(\d{1,2})\s+([a-z]{3})\s+(\d{2,4})\s+(\d\d):(\d\d)(?::(\d\d))?\s+([a-z]{1,3}|[+-]\d{4})$/i;
const zones: Readonly<Record<string, string>> = {
  ut: '+00',
  gmt: '+00',
  z: '+00',
  utc: '+00',
  est: '-05',
  edt: '-04',
  cst: '-06',
  cdt: '-05',
  mst: '-07',
  mdt: '-06',
  pst: '-08',
  pdt: '-07',
};

function parseRfc(text: string): number | undefined {
  if (text.length > 60) return undefined;
  const [, dayOfMonth, month = '', yearText = '', hours, minutes, seconds = '0', zone = ''] = rfc.exec(text.trim()) ?? [];
  if (dayOfMonth === undefined) return undefined;
  const short = Number(yearText);
  const year = yearText.length > 2 ? short : short + (short < 50 ? 2000 : 1900);
  const date = utc(year, months.indexOf(month.toLowerCase()) + 1, Number(dayOfMonth));
  const offset = offsetOf(Object.hasOwn(zones, zone.toLowerCase()) ? (zones[zone.toLowerCase()] ?? '') : zone);
  if (date === undefined || offset === undefined) return undefined;
  return withTime(date, Number(hours), Number(minutes), Number(seconds), 0, offset);
}
