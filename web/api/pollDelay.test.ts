import { expect, test } from 'vitest';
import { pollDelayMs, reconnectDelayMs } from './pollDelay.ts';

test('Q9: ten tries at 500 ms, then every 3 s', () => {
  expect([0, 9, 10, 50].map((tries) => pollDelayMs(tries, false))).toEqual([500, 500, 3000, 3000]);
});

test('a told job is hardly asked for', () => {
  expect(pollDelayMs(0, true)).toBeGreaterThan(3000);
});

test('visualizations 18: a broken feed comes back after 1, 2, 4 … 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 1000].map(reconnectDelayMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});
