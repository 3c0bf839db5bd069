import { expect, test } from 'vitest';
import { nearestPoint, timeScale } from './timeScale.ts';

const series = (...values: number[]) => [{ name: 'a', points: values.map((value, at) => ({ at, value })) }];
const plain = { x: (at: number) => at, y: (value: number) => value };

test('the scale holds every value, its band and the threshold', () => {
  expect(timeScale(series(3, 7))).toEqual({ least: 3, most: 7 });
  expect(timeScale(series(3, 7), 5)).toEqual({ least: 3, most: 7 });
  expect(timeScale(series(0, 10), 20)).toEqual({ least: 0, most: 22 });
  expect(timeScale([{ name: 'a', points: [{ at: 0, value: 5, min: 1, max: 9 }] }])).toEqual({ least: 1, most: 9 });
});

test('a constant stands in the middle, and a switch that never moved between off and on', () => {
  expect(timeScale(series(5, 5))).toEqual({ least: 4, most: 6 });
  expect(timeScale(series(1, 1))).toEqual({ least: 0, most: 1 });
});

test('the pointer finds the nearest point, and of several series says which', () => {
  expect(nearestPoint(series(5, 6, 7), plain, 2, 0)).toEqual({ at: 2, value: 7 });
  const two = [...series(5), { name: 'b', points: [{ at: 0, value: 50 }] }];
  expect(nearestPoint(two, plain, 0, 48)).toEqual({ at: 0, value: 50, name: 'b' });
  expect(nearestPoint([], plain, 0, 0)).toBeNull();
});
