import { describe, expect, test } from 'vitest';
import { nearest, peaks, thinned } from './reduce.ts';

const numbers = (count: number, make: (at: number) => number) => Float64Array.from({ length: count }, (_, at) => make(at));

describe('what a screen can show', () => {
  const x = numbers(1_000_000, (at) => at);
  const y = numbers(1_000_000, (at) => (at === 123_456 ? 99 : at === 777_777 ? -99 : Math.sin(at)));

  test('of a million points a few thousand, every peak among them, in order', () => {
    const kept = peaks(x, y, 0, x.length, 1000);
    expect(kept.length).toBeLessThanOrEqual(4000);
    expect([...kept]).toEqual([...kept].sort((a, b) => a - b));
    expect(kept).toContain(123_456);
    expect(kept).toContain(777_777);
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(999_999);
  });

  test('in every pixel the lowest and the highest', () => {
    const kept = new Set(peaks(x, y, 0, x.length, 100));
    for (let pixel = 0; pixel < 100; pixel += 1) {
      const part = y.subarray(pixel * 10_000, (pixel + 1) * 10_000 - 1);
      const [low, high] = [Math.min(...part), Math.max(...part)];
      expect([...part.keys()].some((at) => part[at] === low && kept.has(pixel * 10_000 + at))).toBe(true);
      expect([...part.keys()].some((at) => part[at] === high && kept.has(pixel * 10_000 + at))).toBe(true);
    }
  });

  test('zooming finds all of them again', () => {
    expect(peaks(x, y, 500, 2500, 1000)).toHaveLength(2000);
    expect(peaks(x, y, 10, 10, 1000)).toHaveLength(0);
  });

  test('a gap that is wider than a pixel stays one', () => {
    const gaps = numbers(100_000, (at) => (at >= 40_000 && at < 60_000 ? Number.NaN : 1));
    const kept = peaks(
      numbers(100_000, (at) => at),
      gaps,
      0,
      100_000,
      100,
    );
    expect([...kept].some((at) => Number.isNaN(gaps[at] ?? 0))).toBe(true);
    expect([...kept].filter((at) => Number.isNaN(gaps[at] ?? 0)).every((at) => at >= 40_000 && at < 60_000)).toBe(true);
  });

  test('points all at one place, or in no order, are taken by their number', () => {
    expect(
      peaks(
        numbers(10_000, () => 5),
        numbers(10_000, (at) => at),
        0,
        10_000,
        100,
      ).length,
    ).toBeLessThanOrEqual(400);
    const falling = peaks(
      numbers(10_000, (at) => -at),
      numbers(10_000, (at) => (at === 5000 ? 9 : 0)),
      0,
      10_000,
      100,
    );
    expect(falling).toContain(5000);
  });

  test('uneven times: an hour of silence takes no places from the rest', () => {
    const times = numbers(20_000, (at) => (at < 10_000 ? at : at + 1_000_000));
    expect(
      peaks(
        times,
        numbers(20_000, (at) => (at === 15_000 ? 9 : 0)),
        0,
        20_000,
        100,
      ),
    ).toContain(15_000);
  });
});

test('markers: one of each cell, and those that stand alone', () => {
  const x = numbers(100_000, (at) => (at === 99_999 ? 90 : (at % 10) / 10));
  const y = numbers(100_000, (at) => (at === 99_999 ? 90 : (at % 7) / 10));
  const kept = thinned(x, y, { x: [0, 100], y: [0, 100] }, { across: 200, up: 150 });
  expect(kept).toContain(99_999);
  expect(kept.length).toBeLessThan(20);
  expect(thinned(x, y, { x: [50, 100], y: [50, 100] }, { across: 200, up: 150 })).toEqual(Uint32Array.of(99_999));
});

test.each([
  [5, 2],
  [-9, 0],
  [99, 3],
  [3, 1],
])('the nearest to %d is at %i', (wanted, at) => {
  expect(nearest([0, 2, 6, 10], wanted)).toBe(at);
});
