import { expect, test } from 'vitest';
import { sparkPath } from './sparkPath.ts';

const frame = { from: 0, until: 100, width: 100, height: 20, isStepped: false };
const points = (...pairs: [at: number, value: number][]) => pairs.map(([at, value]) => ({ at, value }));

test('a series stands where it was in time, not over the whole width', () => {
  expect(sparkPath(points([50, 1], [60, 3]), frame)).toBe('M50.0 18.0L60.0 2.0');
  expect(sparkPath(points([-10, 99], [50, 1], [100, 3]), frame)).toBe('M50.0 18.0L100.0 2.0');
});

test('a constant stands in the middle, a switch goes up and down at once', () => {
  expect(sparkPath(points([0, 7], [100, 7]), frame)).toBe('M0.0 10.0L100.0 10.0');
  expect(sparkPath(points([0, 0], [40, 1], [100, 0]), { ...frame, isStepped: true })).toBe('M0.0 18.0H40.0V2.0H100.0V18.0');
});

test('one point is no line', () => {
  expect(sparkPath(points([50, 1]), frame)).toBeNull();
  expect(sparkPath([], frame)).toBeNull();
});
