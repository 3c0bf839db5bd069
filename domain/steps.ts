/**
 * Work that can be interrupted between two steps: a long text is read while other requests wait for the same process. The driver decides
 * when to pause (server/platform/in-steps.ts); `finish` never does.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** This many iterations over tokens take about a millisecond. */
export const roundsPerStep = 2000;
