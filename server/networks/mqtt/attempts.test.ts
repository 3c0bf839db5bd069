import { describe, expect, test } from 'vitest';
import { Attempts } from './attempts.ts';

const fail = (attempts: Attempts, address: string, name: (n: number) => string, times: number, now: number) => {
  for (let n = 0; n < times; n++) attempts.failed(address, name(n), now);
};

describe('design 8: failed sign-ins', () => {
  test('20 of a name lock out that name at that address for a minute from then on', () => {
    const attempts = new Attempts();
    fail(attempts, 'a', () => 'x', 19, 0);
    expect(attempts.isLockedOut('a', 'x', 59_000)).toBe(false);
    attempts.failed('a', 'x', 59_000);
    expect([
      attempts.isLockedOut('a', 'x', 118_000),
      attempts.isLockedOut('a', 'y', 59_000),
      attempts.isLockedOut('b', 'x', 59_000),
    ]).toEqual([true, false, false]);
    expect(attempts.isLockedOut('a', 'x', 119_001)).toBe(false);
  });

  test('1,000 of an address lock out the address', () => {
    const attempts = new Attempts();
    fail(attempts, 'a', (n) => `x${n}`, 999, 0);
    expect(attempts.isAddressLockedOut('a', 1)).toBe(false);
    attempts.failed('a', 'y', 1);
    expect([attempts.isAddressLockedOut('a', 2), attempts.isLockedOut('a', 'never-seen', 2)]).toEqual([true, true]);
    expect(attempts.isAddressLockedOut('a', 60_002)).toBe(false);
  });

  test('many unknown long user names neither release a lock-out nor fill the memory', () => {
    const attempts = new Attempts();
    fail(attempts, 'bad', () => 'x', 20, 0);
    const long = 'n'.repeat(60_000);
    fail(attempts, 'c', () => long, 20, 1);
    expect(attempts.isLockedOut('c', long, 2)).toBe(true);
    for (let n = 0; n < 40_000; n++) attempts.failed(`${n}`, long, 1);
    expect(attempts.isLockedOut('bad', 'x', 2)).toBe(true);
  });
});

test('iot-behaviour 1.4: the third trespass within a minute blocks for one', () => {
  const attempts = new Attempts();
  attempts.trespassed('d1', 0);
  attempts.trespassed('d1', 30_000);
  expect(attempts.isBlocked('d1', 30_000)).toBe(false);
  attempts.trespassed('d1', 59_000);
  expect([attempts.isBlocked('d1', 118_000), attempts.isBlocked('d2', 59_000), attempts.isBlocked('d1', 119_001)]).toEqual([
    true,
    false,
    false,
  ]);
});
