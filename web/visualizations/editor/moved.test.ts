import { expect, test } from 'vitest';
import { moved } from './moved.ts';

test.each([
  [0, 2, ['b', 'c', 'a', 'd']],
  [3, 0, ['d', 'a', 'b', 'c']],
  [1, 1, ['a', 'b', 'c', 'd']],
  [1, 9, ['a', 'c', 'd', 'b']],
  [9, 0, ['a', 'b', 'c', 'd']],
])('from %i to %i', (from, to, expected) => {
  expect(moved(['a', 'b', 'c', 'd'], from, to)).toEqual(expected);
});
