import { largestEventBatch, type UsageEvent } from '@telltale/domain/events/contract.ts';

const pauseMs = 1000;
const longestWaitMs = 5000;

/** Q7: events leave one second after the last of them, in one request, and at most one request a second. */
export function createEventQueue(send: (events: UsageEvent[], isLeaving: boolean) => void) {
  let waiting: UsageEvent[] = [];
  let firstAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(isLeaving = false): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting.slice(0, largestEventBatch);
    waiting = waiting.slice(largestEventBatch);
    if (batch.length > 0) send(batch, isLeaving);
    if (waiting.length > 0) {
      firstAt = Date.now();
      timer = setTimeout(flush, pauseMs);
    }
  }

  return {
    add(event: UsageEvent): void {
      if (waiting.length === 0) firstAt = Date.now();
      waiting.push(event);
      clearTimeout(timer);
      // A steady stream must not delay the queue for ever.
      const latest = firstAt + longestWaitMs - Date.now();
      timer = setTimeout(flush, Math.max(0, Math.min(pauseMs, latest)));
    },
    flush,
  };
}
