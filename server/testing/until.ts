import { setTimeout as delay } from 'node:timers/promises';

/** Reads until the value is wanted; after the time-out it returns the last value, for the test's own assertion. */
export async function until<T>(read: () => Promise<T> | T, wanted: (seen: T) => boolean, timeoutMs = 60_000): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; await delay(20)) {
    const seen = await read();
    if (wanted(seen) || performance.now() > deadline) return seen;
  }
}

/** Returns what `find` finds, as soon as it finds something; after the time-out it throws an error that says what was waited for. */
export async function untilFound<T>(what: string, timeoutMs: number, find: () => Promise<T | undefined | false>): Promise<T> {
  const found = await until(find, Boolean, timeoutMs);
  if (!found) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
  return found;
}

/** The best time of several tries: any one try may be spoilt by a busy machine. */
export async function quickest(promisedMs: number, attempt: () => Promise<() => Promise<unknown>>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let left = 8; left > 0 && best >= promisedMs; left--) {
    const timed = await attempt();
    const begun = performance.now();
    await timed();
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}
