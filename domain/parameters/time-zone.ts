import { type Wall, wallAt, wallMs } from './calendar.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Names come from people, so the formats must not pile up.
  if (formats.size > 100) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** The wall time at this moment in an IANA time zone; throws for a zone that does not exist. */
export function wallIn(timeZone: string, at: Date): Wall {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute'), second: part('second') };
}

const offsetMs = (timeZone: string, ms: number): number => wallMs(wallIn(timeZone, new Date(ms))) - Math.floor(ms / 1000) * 1000;

/**
 * A wall time that the zone skipped (clocks went forward) is moved by the length of the gap, as clocks do; every other one is unchanged.
 */
export function existingWall(wall: Wall, timeZone: string): Wall {
  const ms = wallMs(wall);
  const offsets = [offsetMs(timeZone, ms - 86_400_000), offsetMs(timeZone, ms + 86_400_000)];
  if (offsets.some((offset) => offsetMs(timeZone, ms - offset) === offset)) return wall;
  return wallAt(ms + Math.max(...offsets) - Math.min(...offsets));
}
