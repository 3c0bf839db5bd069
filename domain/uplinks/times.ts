import { type Point, Refused } from './record.ts';

const microsPerSecond = 1e6;
/** A clock with an earlier time has never been set. */
const earliest = Date.UTC(2015, 0, 1) * 1000;
const aheadMicros = 10 * 60 * microsPerSecond;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** iot-behaviour 1.5: seconds, milliseconds, microseconds or nanoseconds by magnitude, or RFC 3339. Microseconds since 1970. */
export function readTime(ts: unknown): number | null {
  if (ts === null || ts === undefined) return null;
  if (typeof ts === 'number' && Number.isFinite(ts)) {
    const size = Math.abs(ts);
    const micros = size < 1e11 ? ts * 1e6 : size < 1e14 ? ts * 1e3 : size < 1e17 ? ts : ts / 1e3;
    if (Number.isSafeInteger(Math.round(micros))) return Math.round(micros);
  }
  if (typeof ts === 'string') {
    const match = rfc3339.exec(ts);
    // Date keeps three digits of the fraction; the others are kept here.
    const whole = match ? Date.parse(ts.replace(' ', 'T').replace(/\.\d+/, '').toUpperCase()) : Number.NaN;
    if (Number.isFinite(whole)) return whole * 1000 + Number((match?.[1] ?? '').padEnd(6, '0').slice(0, 6));
  }
  throw new Refused('bad_time', 'ts is neither a number of seconds, milliseconds, microseconds or nanoseconds nor an RFC 3339 time.');
}

/** Microseconds between two times that one process assigns: others assign the times in between, each its own. */
export const timeStep = 8;

/** iot-behaviour 1.5: readings of a list without times of their own follow each other in the order of the list. */
export const entryTime = (base: number, entry: number): number => base + entry * timeStep;

/** True when a clock was clearly wrong: then the newest point is now, and the spacing stays. */
export function shiftClock(points: Point[], receivedAt: number): boolean {
  let [newest, isWrong] = [Number.NEGATIVE_INFINITY, false];
  for (const { at } of points) {
    if (at === null) continue;
    if (at > newest) newest = at;
    if (at < earliest || at > receivedAt + aheadMicros) isWrong = true;
  }
  if (!isWrong || newest === receivedAt) return false;
  for (const point of points) if (point.at !== null) point.at += receivedAt - newest;
  return true;
}
