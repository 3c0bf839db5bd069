import { describe, expect, test } from 'vitest';
import { legendRows } from './picture.ts';
import { panned, within, zoomed } from './zoom.ts';

describe('zoom', () => {
  const whole = [0, 100] as const;
  test('nearer, around a point, and back to all of it', () => {
    expect(zoomed(whole, whole, 0.5)).toEqual([25, 75]);
    expect(zoomed(whole, whole, 0.5, 0)).toEqual([0, 50]);
    expect(zoomed([25, 75], whole, 0.5, 1)).toEqual([50, 75]);
    expect(zoomed([25, 75], whole, 4)).toBeNull();
  });

  test('moved, not beyond the ends', () => {
    expect(panned([20, 40], whole, 0.5)).toEqual([30, 50]);
    expect(panned([20, 40], whole, -9)).toEqual([0, 20]);
    expect(panned([20, 40], whole, 9)).toEqual([80, 100]);
    expect(panned(whole, whole, 0.3)).toBeNull();
  });

  test('categories are counted whole, and one of them stays', () => {
    expect(within([3.2, 4.9], whole, true)).toEqual([3, 5]);
    expect(within([3.2, 3.3], whole, true)).toEqual([3, 3]);
  });

  test('not nearer than numbers tell apart', () => {
    const now = Date.UTC(2024, 0, 1);
    expect(within([now, now], [now - 1e9, now + 1e9])).toBeNull();
    expect(within([now, now + 1], [now - 1e9, now + 1e9])).toEqual([now, now + 1]);
  });
});

test('a saved legend wraps', () => {
  const legend = ['one', 'two', 'three'].map((name) => ({ key: name, name, color: '#000', shape: 'line' as const }));
  expect(legendRows(legend, 120, (text) => text.length * 6).map((row) => row.map(({ item }) => item.name))).toEqual([
    ['one', 'two'],
    ['three'],
  ]);
  expect(legendRows([], 120, () => 0)).toEqual([]);
});
