import { useSyncExternalStore } from 'react';

const refreshMs = 30_000;
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** The current time, updated every 30 s by one timer for the whole page (Q9). */
export const useNow = (): Date => useSyncExternalStore(onTick, () => now);

function onTick(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = new Date();
    timer = setInterval(tick, refreshMs);
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/** A hidden tab is not updated until it is visible again. */
function tick(): void {
  if (document.hidden) return;
  now = new Date();
  for (const listener of listeners) listener();
}
