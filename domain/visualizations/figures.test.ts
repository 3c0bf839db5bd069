import { expect, test } from 'vitest';
import { figuresOf, sensibleDecimals } from './figures.ts';

test.each([
  [18.2, 26.4, 2],
  [-40, 60, 0],
  [1008.1, 1031.9, 1],
  [0.1201, 0.1249, 5],
  [0, 250_000, 0],
  [21.5, 21.5, 2],
  [0, 0, 0],
  [1e-12, 2e-12, 9],
])('between %d and %d values are told with %d decimals', (least, most, decimals) => {
  expect(sensibleDecimals(least, most)).toBe(decimals);
});

test.each([
  [[20.25, Number.NaN, 18.5, 22.75, Number.NaN], { last: 22.75, min: 18.5, max: 22.75, decimals: 2 }],
  [[3, 5, 4], { last: 4, min: 3, max: 5, decimals: 0 }],
  [[100.5, 900.25], { last: 900.25, min: 100.5, max: 900.25, decimals: 1 }],
  [[Number.NaN, Number.POSITIVE_INFINITY], null],
  [[], null],
])('%j has the figures %j', (values, expected) => {
  expect(figuresOf(values)).toEqual(expected);
});
