import { expect, test } from 'vitest';
import { pollDelayMs } from './pollDelay.ts';

test('Q9: ten tries at 500 ms, then every 3 s', () => {
  expect([0, 9, 10, 50].map((tries) => pollDelayMs(tries, false))).toEqual([500, 500, 3000, 3000]);
});

test('a told job is hardly asked for', () => {
  expect(pollDelayMs(0, true)).toBeGreaterThan(3000);
});
