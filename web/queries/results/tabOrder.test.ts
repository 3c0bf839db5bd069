import { expect, test } from 'vitest';
import { placedBeside, tabStep } from './tabOrder.ts';

const all = [{ id: 1 }, { id: 2 }, { id: 3 }];
const placed = (moved: number, beside: number, isAfter: boolean) => placedBeside(all, moved, beside, isAfter).map(({ id }) => id);

test('complaint 13: a tab is put before or after another', () => {
  expect(placed(3, 1, false)).toEqual([3, 1, 2]);
  expect(placed(1, 3, true)).toEqual([2, 3, 1]);
  expect(placed(1, 3, false)).toEqual([2, 1, 3]);
});

test.each([
  [1, 2, false],
  [2, 1, true],
  [2, 2, true],
  [9, 1, true],
  [1, 9, true],
])('%i beside %i moves nothing', (moved, beside, isAfter) => {
  expect(placedBeside(all, moved, beside, isAfter)).toBe(all);
});

test('the keys that move a tab', () => {
  const keys = { altKey: true, shiftKey: true, ctrlKey: false, metaKey: false };
  expect(tabStep({ ...keys, key: 'ArrowLeft' })).toBe(-1);
  expect(tabStep({ ...keys, key: 'ArrowRight' })).toBe(1);
  expect(tabStep({ ...keys, key: 'ArrowUp' })).toBeNull();
  expect(tabStep({ ...keys, shiftKey: false, key: 'ArrowLeft' })).toBeNull();
  expect(tabStep({ ...keys, ctrlKey: true, key: 'ArrowLeft' })).toBeNull();
});
