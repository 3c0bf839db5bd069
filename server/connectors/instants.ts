import { wallMs } from '@telltale/domain/parameters/calendar.ts';
import { wallIn } from '@telltale/domain/parameters/time-zone.ts';
import { isoDateTime } from '@telltale/domain/results/times.ts';

/** Offsets by quarter of an hour: zones change only at full quarters. */
const offsets = new Map<string, number>();
const mostOffsets = 10_000;

/** Converts a local time: `2026-07-01 12:00:00` in Europe/Berlin is `2026-07-01T10:00:00Z`; an ambiguous time means the first one. */
export function instantOf(wall: string, zone: string): string {
  const [, day, time = '', fraction = ''] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d+)?$/.exec(wall) ?? [];
  const ms = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(ms)) return wall;
  try {
    const utc = new Date(ms - offsetOf(ms, zone)).toISOString().slice(0, 19);
    return isoDateTime(`${utc}${fraction}Z`);
  } catch {
    return isoDateTime(wall); // the zone is unknown here
  }
}

function offsetOf(ms: number, zone: string): number {
  const key = `${Math.floor(ms / 900_000)} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const at = (instant: number) => wallMs(wallIn(zone, new Date(instant))) - Math.floor(instant / 1000) * 1000;
  const [before, after] = [at(ms - 86_400_000), at(ms + 86_400_000)];
  const offset = [before, after].find((candidate) => at(ms - candidate) === candidate) ?? before;
  if (offsets.size >= mostOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}
