import { expect, test } from 'vitest';
import { nextOrder, sortState } from './column.ts';

test('screens 4: the first click on a header sorts ascending, the second descending', () => {
  expect(nextOrder('-created_at', 'name')).toBe('name');
  expect(nextOrder('name', 'name')).toBe('-name');
  expect(nextOrder('-name', 'name')).toBe('name');
});

test('a header tells how its column is sorted', () => {
  expect(sortState('-name', 'name')).toBe('descending');
  expect(sortState('name', 'name')).toBe('ascending');
  expect(sortState('name', 'created_at')).toBe('none');
  expect(sortState('name', undefined)).toBeUndefined();
});
