import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { FairQueue } from './fair-queue.ts';

const of = (channel: number, name: string, bytes = 1) =>
  ({ kind: 'uplink', uplink_id: name, raw: Buffer.alloc(bytes), device: { channel: { pk: channel } } }) as unknown as Entry;
const names = (entries: readonly Entry[]) => entries.map(({ uplink_id }) => uplink_id);
function queueOf(entries: readonly Entry[]): FairQueue {
  const queue = new FairQueue();
  for (const entry of entries) queue.push(entry);
  return queue;
}

test('each channel has its turn: one message behind a flood of another channel is in the next flush', () => {
  const flood = Array.from({ length: 50 }, (_, n) => of(1, `a${n}`));
  const queue = queueOf([...flood, of(2, 'b0'), of(3, 'c0'), of(2, 'b1')]);
  expect(names(queue.take(10, 1000)).toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b0', 'b1', 'c0']);
  expect(names(queue.take(1000, 100_000))).toEqual(names(flood.slice(7)));
  expect([queue.length, queue.bytes]).toEqual([0, 0]);
});

test('with more channels than a flush holds, those that were left out come first in the next one', () => {
  const queue = queueOf([1, 2, 3, 4, 5].flatMap((channel) => [0, 1, 2].map((n) => of(channel, `${channel}-${n}`))));
  expect(names(queue.take(3, 1000))).toEqual(['1-0', '2-0', '3-0']);
  expect(names(queue.take(3, 1000))).toEqual(['4-0', '5-0', '1-1']);
});

test('messages of one channel keep their order, and every message is taken once', () => {
  const queue = queueOf(Array.from({ length: 20_000 }, (_, n) => of(n % 7 === 0 ? 2 : 1, String(n))));
  const stored: Entry[] = [];
  while (queue.length > 0) {
    const left = queue.length;
    const taken = queue.take(640, 100_000);
    expect([taken.length, queue.length]).toEqual([Math.min(640, left), left - taken.length]);
    stored.push(...taken);
  }
  for (const isSecond of [false, true]) {
    const own = names(stored)
      .map(Number)
      .filter((n) => (n % 7 === 0) === isSecond);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
  expect(new Set(names(stored)).size).toBe(20_000);
  expect(queue.bytes).toBe(0);
});

test('a flush holds as many bytes as it may, and one message that is larger alone', () => {
  const queue = queueOf([of(1, 'a', 600), of(1, 'b', 600), of(1, 'c', 600)]);
  expect(names(queue.take(10, 1000))).toEqual(['a', 'b']);
  expect(queue.bytes).toBe(600);
  expect(names(queue.take(10, 1000))).toEqual(['c']);
  expect(names(queueOf([of(1, 'a', 5000), of(2, 'b', 1)]).take(10, 1000))).toEqual(['a']);
});
