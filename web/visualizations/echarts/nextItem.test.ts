import { expect, test } from 'vitest';
import { nextItem } from './nextItem.ts';

test.each([
  [null, 'ArrowRight', 3, 0],
  [null, 'ArrowUp', 3, 2],
  [1, 'ArrowDown', 3, 2],
  [2, 'ArrowRight', 3, 2],
  [0, 'ArrowLeft', 3, 0],
  [1, 'Home', 3, 0],
  [1, 'End', 3, 2],
  [1, 'x', 3, null],
  [null, 'ArrowRight', 0, null],
])('look.md: from %s by %s of %d to %s', (at, key, count, expected) => expect(nextItem(at, key, count)).toBe(expected));
