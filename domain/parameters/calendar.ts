/** A wall time: no time zone, no daylight saving. */
export interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** Q9: YYYY-MM-DD, YYYY-MM-DD HH:mm, YYYY-MM-DD HH:mm:ss. */
export type Precision = 'day' | 'minute' | 'second';

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** server-behaviour 27.2: only these three forms (also with a T), and only dates that exist. */
export function parseWall(text: string): Wall | null {
  const match = pattern.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return exists && hour < 24 && minute < 60 && second < 60 ? { year, month, day, hour, minute, second } : null;
}

export function formatWall({ year, month, day, hour, minute, second }: Wall, precision: Precision): string {
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  if (precision === 'day') return date;
  const time = `${pad(hour)}:${pad(minute)}`;
  return precision === 'minute' ? `${date} ${time}` : `${date} ${time}:${pad(second)}`;
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Milliseconds of this wall time if it were UTC. */
export function wallMs({ year, month, day, hour, minute, second }: Wall): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

export function wallAt(ms: number): Wall {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

export const addDays = (wall: Wall, days: number): Wall => wallAt(wallMs(wall) + days * 86_400_000);

/** A day that the month lacks becomes its last: 31 March − 1 month = 29 (28) February. */
export function addMonths(wall: Wall, months: number): Wall {
  const count = wall.year * 12 + wall.month - 1 + months;
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
  return { ...wall, year, month, day: Math.min(wall.day, daysInMonth(year, month)) };
}

export const startOfDay = (wall: Wall): Wall => ({ ...wall, hour: 0, minute: 0, second: 0 });
export const endOfDay = (wall: Wall): Wall => ({ ...wall, hour: 23, minute: 59, second: 59 });

/** 0 = Sunday. */
export const weekdayOf = (wall: Wall): number => new Date(wallMs(wall)).getUTCDay();
