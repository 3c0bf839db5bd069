/** iot-behaviour 3.6: the decision about runs that are due. */
export interface DueRuns {
  /** Runs that are on time: they run. */
  fired: number[];
  /** The newest missed run, if it is recent enough: it runs once, late, and is marked. */
  late: number | null;
  /** Missed runs that are only recorded. */
  missed: number[];
}

const onTimeMs = 5000;
const longestLateMs = 15 * 60_000;
const longestLateOnceMs = 24 * 60 * 60_000;

/** `due` are the runs up to now, oldest first; `next` is the first one after now. */
export function sortDue(type: 'o' | 'r', due: readonly number[], next: number | null, now: number): DueRuns {
  const fired = due.filter((at) => now - at <= onTimeMs);
  const old = due.filter((at) => now - at > onTimeMs);
  const newest = old.at(-1);
  if (newest === undefined || fired.length > 0) return { fired, late: null, missed: old };
  const period = next === null ? Number.POSITIVE_INFINITY : next - newest;
  const longest = type === 'o' ? longestLateOnceMs : Math.min(period / 2, longestLateMs);
  const isYoung = now - newest < longest;
  return { fired, late: isYoung ? newest : null, missed: isYoung ? old.slice(0, -1) : old };
}
