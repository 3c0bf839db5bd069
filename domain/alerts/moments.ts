import { parseWall, type Wall, wallMs } from '../parameters/calendar.ts';
import { wallIn } from '../parameters/time-zone.ts';
import { parseInstant } from '../visualizations/instant.ts';

/** A moment in milliseconds since 1970, or a time of day in milliseconds since midnight: only the same kinds compare. */
export interface Moment {
  kind: 'moment' | 'time';
  ms: number;
}

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/;
const withOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const beginsAsDate = /^\d{4}-\d{2}-\d{2}(?:$|[ T]\d{2}:\d{2})/;

/** A9: YYYY-MM-DD, HH:mm:ss or both. Without an offset it is a wall time in the organisation's time zone. */
export function momentOf(text: string, timeZone: string): Moment | undefined {
  const time = timeOfDay.exec(text);
  if (time) {
    const [hours = 0, minutes = 0, seconds = 0] = time.slice(1, 4).map((part) => Number(part ?? 0));
    return { kind: 'time', ms: (hours * 3600 + minutes * 60 + seconds) * 1000 + Number((time[4] ?? '').slice(0, 3).padEnd(3, '0')) };
  }
  if (!beginsAsDate.test(text)) return undefined;
  if (withOffset.test(text) && text.length > 10) {
    const ms = parseInstant(text);
    return ms === undefined ? undefined : { kind: 'moment', ms };
  }
  const [whole = '', fraction = ''] = text.split('.');
  const wall = parseWall(whole);
  return wall && /^\d{0,9}$/.test(fraction)
    ? { kind: 'moment', ms: instantOf(wall, timeZone) + Number(fraction.slice(0, 3).padEnd(3, '0')) }
    : undefined;
}

/** The instant of a wall time: the first of two when clocks go back; a skipped time is shifted by the length of the gap. */
function instantOf(wall: Wall, timeZone: string): number {
  const ms = wallMs(wall);
  const offsetAt = (at: number) => wallMs(wallIn(timeZone, new Date(at))) - at;
  const [before, after] = [offsetAt(ms - 86_400_000), offsetAt(ms + 86_400_000)];
  const guess = ms - before;
  return offsetAt(guess) === before || offsetAt(ms - after) !== after ? guess : ms - after;
}
