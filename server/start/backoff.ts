const firstMs = 200;
const longestMs = 10_000;
const healthyMs = 30_000;

export interface Backoff {
  /** To be called whenever the process has been started. */
  started(): void;
  nextWaitMs(): number;
}

/** The wait before the next try: doubles while a process keeps dying, and starts over once it has lived for a while. */
export function createBackoff(now: () => number = () => performance.now()): Backoff {
  let waitMs = 0;
  let startedAt: number | undefined;
  return {
    started: () => {
      startedAt = now();
    },
    nextWaitMs: () => {
      const wasHealthy = startedAt !== undefined && now() - startedAt >= healthyMs;
      startedAt = undefined;
      waitMs = waitMs === 0 || wasHealthy ? firstMs : Math.min(waitMs * 2, longestMs);
      return waitMs;
    },
  };
}
