import { type Wall, wallAt, wallMs } from './calendar.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** What the clock on the wall shows at this moment in an IANA time zone; throws for a zone that does not exist. */
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
 * A wall time that the zone skipped (clocks went forward) is read as that much later, as clocks do; every other one is
 * left as it is.
 */
export function existingWall(wall: Wall, timeZone: string): Wall {
  const ms = wallMs(wall);
  const offsets = [offsetMs(timeZone, ms - 86_400_000), offsetMs(timeZone, ms + 86_400_000)];
  if (offsets.some((offset) => offsetMs(timeZone, ms - offset) === offset)) return wall;
  return wallAt(ms + Math.max(...offsets) - Math.min(...offsets));
}
