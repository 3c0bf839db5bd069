import type { Wall } from '@telltale/domain/parameters/calendar.ts';

/** A wall-clock time; its zone, if any, is ignored (server-behaviour 11.4: no time-zone conversion). */
export interface DateParts extends Wall {
  millisecond: number;
}

export const newDateParts = (): DateParts => ({ year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0, millisecond: 0 });

/** Two digits as a number, or NaN. */
function two(src: Uint8Array, at: number): number {
  const tens = (src[at] as number) - 0x30;
  const ones = (src[at + 1] as number) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const isWithin = (value: number, from: number, to: number) => value >= from && value <= to;

/** Reads `2026-01-31[T10:00[:00[.123]][zone]]` into `parts`; false for any other text. */
export function readDateParts(src: Uint8Array, start: number, end: number, parts: DateParts): boolean {
  if (end - start < 10 || src[start + 4] !== 0x2d || src[start + 7] !== 0x2d) return false;
  parts.year = two(src, start) * 100 + two(src, start + 2);
  parts.month = two(src, start + 5);
  parts.day = two(src, start + 8);
  parts.hour = parts.minute = parts.second = parts.millisecond = 0;
  if (!isWithin(parts.year, 0, 9999) || !isWithin(parts.month, 1, 12) || !isWithin(parts.day, 1, 31)) return false;
  if (parts.day > 28 && parts.day > new Date(Date.UTC(2000 + (parts.year % 400), parts.month, 0)).getUTCDate()) return false;
  return end - start === 10 || readClock(src, start + 10, end, parts);
}

function readClock(src: Uint8Array, start: number, end: number, parts: DateParts): boolean {
  if (end - start < 6 || (src[start] !== 0x54 && src[start] !== 0x20) || src[start + 3] !== 0x3a) return false;
  parts.hour = two(src, start + 1);
  parts.minute = two(src, start + 4);
  let at = start + 6;
  if (src[at] === 0x3a && end - at >= 3) {
    parts.second = two(src, at + 1);
    at += 3;
    if (src[at] === 0x2e && at < end) at = readFraction(src, at + 1, end, parts);
  }
  return isWithin(parts.hour, 0, 23) && isWithin(parts.minute, 0, 59) && isWithin(parts.second, 0, 59) && isZone(src, at, end);
}

function readFraction(src: Uint8Array, start: number, end: number, parts: DateParts): number {
  let at = start;
  for (let worth = 100; at < end && isWithin(src[at] as number, 0x30, 0x39); at++, worth = Math.floor(worth / 10)) {
    parts.millisecond += ((src[at] as number) - 0x30) * worth;
  }
  return at;
}

/** Whether the rest is empty, Z, or an offset. */
function isZone(src: Uint8Array, at: number, end: number): boolean {
  if (at >= end) return true;
  const first = src[at];
  return first === 0x5a ? at + 1 === end : (first === 0x2b || first === 0x2d) && isWithin(end - at, 3, 9);
}
