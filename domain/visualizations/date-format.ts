import { instantOf } from './instant.ts';

type Part = (date: Date) => string | number;

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const day = 86_400_000;

const two = (value: number): string => String(value).padStart(2, '0');
const long = (year: number): string => String(year).padStart(4, '0');
const name = (names: readonly string[], at: number, letters = 20): string => (names[at] ?? '').slice(0, letters);

function ordinal(value: number): string {
  const isTeen = Math.floor((value % 100) / 10) === 1;
  return `${value}${isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[value % 10] ?? 'th')}`;
}

const dayOfYear = (date: Date): number =>
  (Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(2000, 0, 1)) / day +
  1 -
  (isLeap(date) || date.getUTCMonth() < 2 ? 0 : 1);
const isLeap = (date: Date): boolean => {
  const year = date.getUTCFullYear();
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
};

/** The week belongs to the year of its `pivot` day: Thursday for ISO weeks, Saturday for weeks that begin on Sunday. */
function weekOf(date: Date, firstWeekday: number, pivot: number): { week: number; year: number } {
  const sinceStart = (date.getUTCDay() - firstWeekday + 7) % 7;
  const middle = new Date(date.getTime() + (pivot - sinceStart) * day);
  return { week: Math.floor((dayOfYear(middle) - 1) / 7) + 1, year: middle.getUTCFullYear() };
}
const isoWeek = (date: Date) => weekOf(date, 1, 3);
const week = (date: Date) => weekOf(date, 0, 6);

const twelve = (date: Date): number => date.getUTCHours() % 12 || 12;
const twentyFour = (date: Date): number => date.getUTCHours() || 24;

/** visualizations 2.5. Everything is printed in UTC. */
const tokens: Readonly<Record<string, Part>> = {
  YYYY: (date) => long(date.getUTCFullYear()),
  YY: (date) => two(date.getUTCFullYear() % 100),
  Y: (date) => date.getUTCFullYear(),
  Q: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  Qo: (date) => ordinal(Math.floor(date.getUTCMonth() / 3) + 1),
  M: (date) => date.getUTCMonth() + 1,
  Mo: (date) => ordinal(date.getUTCMonth() + 1),
  MM: (date) => two(date.getUTCMonth() + 1),
  MMM: (date) => name(months, date.getUTCMonth(), 3),
  MMMM: (date) => name(months, date.getUTCMonth()),
  D: (date) => date.getUTCDate(),
  Do: (date) => ordinal(date.getUTCDate()),
  DD: (date) => two(date.getUTCDate()),
  DDD: (date) => dayOfYear(date),
  DDDo: (date) => ordinal(dayOfYear(date)),
  DDDD: (date) => String(dayOfYear(date)).padStart(3, '0'),
  d: (date) => date.getUTCDay(),
  do: (date) => ordinal(date.getUTCDay()),
  dd: (date) => name(weekdays, date.getUTCDay(), 2),
  ddd: (date) => name(weekdays, date.getUTCDay(), 3),
  dddd: (date) => name(weekdays, date.getUTCDay()),
  e: (date) => date.getUTCDay(),
  E: (date) => date.getUTCDay() || 7,
  w: (date) => week(date).week,
  wo: (date) => ordinal(week(date).week),
  ww: (date) => two(week(date).week),
  W: (date) => isoWeek(date).week,
  Wo: (date) => ordinal(isoWeek(date).week),
  WW: (date) => two(isoWeek(date).week),
  gg: (date) => two(week(date).year % 100),
  gggg: (date) => long(week(date).year),
  GG: (date) => two(isoWeek(date).year % 100),
  GGGG: (date) => long(isoWeek(date).year),
  H: (date) => date.getUTCHours(),
  HH: (date) => two(date.getUTCHours()),
  h: twelve,
  hh: (date) => two(twelve(date)),
  k: twentyFour,
  kk: (date) => two(twentyFour(date)),
  a: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  m: (date) => date.getUTCMinutes(),
  mm: (date) => two(date.getUTCMinutes()),
  s: (date) => date.getUTCSeconds(),
  ss: (date) => two(date.getUTCSeconds()),
  Z: () => '+00:00',
  ZZ: () => '+0000',
  z: () => 'UTC',
  zz: () => 'Coordinated Universal Time',
  X: (date) => Math.floor(date.getTime() / 1000),
  x: (date) => date.getTime(),
};

const locale: Readonly<Record<string, string>> = {
  LTS: 'h:mm:ss A',
  LT: 'h:mm A',
  LLLL: 'dddd, MMMM D, YYYY h:mm A',
  LLL: 'MMMM D, YYYY h:mm A',
  LL: 'MMMM D, YYYY',
  L: 'MM/DD/YYYY',
  llll: 'ddd, MMM D, YYYY h:mm A',
  lll: 'MMM D, YYYY h:mm A',
  ll: 'MMM D, YYYY',
  l: 'M/D/YYYY',
};

const localeToken = /\[[^\]]*\]|LTS|LT|L{1,4}|l{1,4}/g;
const token =
  /\[([^\]]*)\]|YYYY|YY|Y|Qo?|Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|e|E|wo|ww?|Wo|WW?|gggg|gg|GGGG|GG|HH?|hh?|kk?|a|A|mm?|ss?|S+|ZZ?|zz?|X|x/g;

const compiled = new Map<string, (value: unknown) => string>();
const mostCompiled = 500;

export const formatDate = (value: unknown, format: string): string => dateFormatter(format)(value);

/** A cached printer for this format. Values that are no moments print unchanged, and so does everything in an empty format. */
export function dateFormatter(format: string): (value: unknown) => string {
  const known = compiled.get(format);
  if (known) return known;
  const parts = format === '' ? undefined : partsOf(format);
  const formatter = (value: unknown): string => {
    if (value === null || value === undefined) return '';
    const instant = parts && instantOf(value);
    if (instant === undefined) return String(value);
    const date = new Date(instant);
    let text = '';
    for (const part of parts ?? []) text += typeof part === 'string' ? part : part(date);
    return text;
  };
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(format, formatter);
  return formatter;
}

function partsOf(format: string): (string | Part)[] {
  const text = format.replace(localeToken, (found) => locale[found] ?? found);
  const parts: (string | Part)[] = [];
  let end = 0;
  for (const found of text.matchAll(token)) {
    if (found.index > end) parts.push(text.slice(end, found.index));
    parts.push(found[1] ?? partOf(found[0]));
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function partOf(found: string): string | Part {
  if (!found.startsWith('S')) return tokens[found] ?? found;
  return (date) => String(date.getUTCMilliseconds()).padStart(3, '0').padEnd(found.length, '0').slice(0, found.length);
}

/** The same format with seconds, for moments that have some; a format that says seconds, or no minutes, stays as it is. */
export const withSeconds = (format: string): string => {
  const plain = format.replace(/\[[^\]]*\]/g, '');
  return /s|X|x|LTS/.test(plain) || !plain.includes('mm') ? format : format.replace(/mm(?![^[]*\])/, 'mm:ss');
};
