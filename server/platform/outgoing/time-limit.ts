/** A longer time means no limit: a timer cannot count further. */
const longest = 2 ** 31 - 1;

/** Calls back once after the time unless stopped; the timer does not keep the process alive. */
export function after(ms: number, run: () => void): { stop(): void } {
  if (!(ms <= longest)) return { stop() {} };
  const timer = setTimeout(run, ms).unref();
  return { stop: () => clearTimeout(timer) };
}

export const inSeconds = (ms: number): string => (ms === 1000 ? '1 second' : `${ms / 1000} seconds`);
