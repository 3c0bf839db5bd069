import { describe, expect, test } from 'vitest';
import { Rates, readRate } from './rates.ts';

const usual = { sustained: 10, burst: 200 };

describe('iot-behaviour 1.6: rates', () => {
  test('a burst is free, then each message waits for its turn', () => {
    const rates = new Rates({ sustained: 10, burst: 3 });
    expect([1, 2, 3, 4, 5].map(() => rates.take(1, 0))).toEqual([0, 0, 0, 100, 200]);
    expect(rates.take(2, 0)).toBe(0);
    expect(rates.take(1, 300)).toBe(0);
    expect(rates.take(1, 300)).toBe(100);
  });

  test('who cannot wait is refused, and is let in again later', () => {
    const rates = new Rates({ sustained: 1, burst: 2 });
    expect([rates.tryTake(1, 0), rates.tryTake(1, 0), rates.tryTake(1, 0), rates.tryTake(1, 1000)]).toEqual([true, true, false, true]);
  });

  test('a clock that goes back gives nothing away', () => {
    const rates = new Rates({ sustained: 1, burst: 1 });
    expect([rates.tryTake(1, 5000), rates.tryTake(1, 1000), rates.tryTake(1, 5500), rates.tryTake(1, 6000)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('design 8: 0 turns it off', () => {
    expect([readRate(undefined, usual), readRate('0', usual), readRate('5:50', usual)]).toEqual([
      usual,
      undefined,
      { sustained: 5, burst: 50 },
    ]);
    const none = new Rates(undefined);
    expect(Array.from({ length: 1000 }, () => none.take(1, 0)).every((wait) => wait === 0)).toBe(true);
  });
});
