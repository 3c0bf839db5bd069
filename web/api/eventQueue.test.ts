import { largestEventBatch, type UsageEvent } from '@telltale/domain/events/contract.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEventQueue } from './eventQueue.ts';

const event = (action: string): UsageEvent => ({ action, object_type: 'page' });

describe('Q7: usage events', () => {
  const send = vi.fn<(events: UsageEvent[], isLeaving: boolean) => void>();
  const sent = () => send.mock.calls.map(([events]) => events.map(({ action }) => action));
  let queue = createEventQueue(send);

  beforeEach(() => {
    vi.useFakeTimers();
    send.mockReset();
    queue = createEventQueue(send);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('leave together, one second after the last', () => {
    queue.add(event('view'));
    vi.advanceTimersByTime(900);
    queue.add(event('execute'));
    vi.advanceTimersByTime(999);
    expect(sent()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent()).toEqual([['view', 'execute']]);
  });

  test('a steady stream does not wait for ever, and goes at most once a second', () => {
    const at: number[] = [];
    send.mockImplementation(() => void at.push(Date.now()));
    for (let i = 0; i < 100; i++) {
      queue.add(event('move'));
      vi.advanceTimersByTime(300);
    }
    expect(at.length).toBeGreaterThan(3);
    for (const [index, time] of at.entries()) if (index > 0) expect(time - (at[index - 1] ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('more than a batch go in several, a second apart', () => {
    for (let i = 0; i < largestEventBatch + 5; i++) queue.add(event('move'));
    vi.advanceTimersByTime(1000);
    expect(sent().map((batch) => batch.length)).toEqual([largestEventBatch]);
    vi.advanceTimersByTime(1000);
    expect(sent().map((batch) => batch.length)).toEqual([largestEventBatch, 5]);
  });

  test('what waits is sent when the page goes, and not again', () => {
    queue.add(event('view'));
    queue.flush(true);
    expect(send).toHaveBeenCalledExactlyOnceWith([event('view')], true);
    vi.advanceTimersByTime(5000);
    expect(send).toHaveBeenCalledOnce();
  });

  test('nothing to say is not sent', () => {
    queue.flush(true);
    expect(send).not.toHaveBeenCalled();
  });
});
