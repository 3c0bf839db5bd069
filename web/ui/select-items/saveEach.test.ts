import { expect, test } from 'vitest';
import { saveEach } from './saveEach.ts';

test('those that failed come back, in their order; the others are saved all the same', async () => {
  const saved: number[] = [];
  const failed = await saveEach([1, 2, 3, 4], async (item) => {
    if (item % 2 === 0) throw new Error('full');
    saved.push(item);
  });
  expect(failed).toEqual([2, 4]);
  expect(saved).toEqual([1, 3]);
});
