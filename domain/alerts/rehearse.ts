import { type DeviceProgress, readingOf, stepDevice } from './device-state.ts';
import type { DeviceAlertOptions } from './options.ts';
import { Rehearsal } from './replay.ts';

export interface PastPoint {
  at: number;
  kind: string;
  value: number | null;
  text: string | null;
}

interface Rehearsed {
  rehearsal: Rehearsal;
  series: { at: number; value: unknown }[];
}

/** The readings of one device, oldest first, as an alert would have seen them; pending conditions mature without another reading. */
export function rehearseDevice(
  points: readonly PastPoint[],
  options: DeviceAlertOptions,
  rearm: number | null,
  until: number,
  timeZone = 'UTC',
): Rehearsed {
  const rehearsal = new Rehearsal(rearm);
  const series: Rehearsed['series'] = [];
  let progress: DeviceProgress = { state: 'unknown', pendingSince: null };
  let last: unknown = null;
  const endWait = (now: number) => {
    if (progress.pendingSince === null) return;
    const due = progress.pendingSince + options.for_seconds * 1000;
    if (due > now) return;
    rehearsal.see(due, 'triggered', last);
    progress = { state: 'triggered', pendingSince: null };
  };
  for (const point of points) {
    endWait(point.at);
    last = readingOf(point, options.value);
    series.push({ at: point.at, value: last });
    progress = stepDevice(progress, last, point.at, options, timeZone);
    rehearsal.see(point.at, progress.state, last);
  }
  endWait(until);
  return { rehearsal, series };
}

/** With rearm 1 a silence is repeated at most once a minute, as by the real alert. */
const leastRepeatSeconds = 60;

/** The times of a device's reports, oldest first. The series are the pauses before each report, in seconds. */
export function rehearseSilence(times: readonly number[], silentSeconds: number, rearm: number | null, until: number): Rehearsed {
  const rehearsal = new Rehearsal(rearm);
  const series: Rehearsed['series'] = [];
  const repeatMs = (rearm === 1 ? Math.max(silentSeconds, leastRepeatSeconds) : (rearm ?? 0)) * 1000;
  times.forEach((at, place) => {
    rehearsal.see(at, 'ok', 0);
    const next = times[place + 1] ?? until;
    const pause = Math.round((next - at) / 1000);
    if (place + 1 < times.length) series.push({ at: next, value: pause });
    if (next - at <= silentSeconds * 1000) return;
    for (let now = at + silentSeconds * 1000; now < next; now += repeatMs) {
      rehearsal.see(now, 'triggered', new Date(at).toISOString());
      if (repeatMs === 0) break;
    }
  });
  return { rehearsal, series };
}
