import { type Wall, wallMs } from '../parameters/calendar.ts';
import { wallIn } from '../parameters/time-zone.ts';

export function isZone(zone: string): boolean {
  // Offsets such as +05:30 are no zones: they have no summer time.
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return false;
  try {
    wallTime(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** The wall clock of a zone at a moment. */
export const wallTime = (at: number, zone: string): Wall => wallIn(zone, new Date(at));

/** The offset of the wall clock from UTC, in milliseconds. */
const offsetAt = (at: number, zone: string): number => wallMs(wallTime(at, zone)) - Math.floor(at / 1000) * 1000;

const day = 86_400_000;

/** The moments with this wall time, in order: one, two where it is repeated, none where it is skipped. */
export function momentsOf(wall: Wall, zone: string): number[] {
  const utc = wallMs(wall);
  const offsets = new Set([offsetAt(utc - day, zone), offsetAt(utc + day, zone), offsetAt(utc, zone)]);
  return [...offsets]
    .map((offset) => utc - offset)
    .filter((at) => offsetAt(at, zone) === utc - at)
    .sort((a, b) => a - b);
}

/** The first moment after the gap that skips this time. */
export function afterGap(wall: Wall, zone: string): number {
  const utc = wallMs(wall);
  let [before, after] = [utc - day, utc + day];
  const was = offsetAt(before, zone);
  // The clock changes once in these two days: the moment is found by halving.
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (offsetAt(middle, zone) === was) before = middle;
    else after = middle;
  }
  return after;
}
