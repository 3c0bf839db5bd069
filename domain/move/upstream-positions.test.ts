import { expect, test } from 'vitest';
import { ownPositions, StoredPosition } from './upstream-positions.ts';

const at = (col: number, sizeX: number) => ({ col, row: 0, sizeX, sizeY: 8 });

test.each([
  ['six columns stay', [at(0, 3), at(3, 3)], [at(0, 3), at(3, 3)]],
  ['twelve are halved', [at(0, 6), at(6, 6)], [at(0, 3), at(3, 3)]],
  ['one wide widget decides for all', [at(0, 12), at(4, 4)], [at(0, 6), at(2, 2)]],
  ['neighbours with an odd edge stay neighbours', [at(0, 3), at(3, 5), at(8, 4)], [at(0, 2), at(2, 2), at(4, 2)]],
  ['the narrowest is still one wide', [at(10, 1), at(11, 1)], [at(5, 1), at(5, 1)]],
  ['what was never placed stays so', [undefined, at(6, 6)], [undefined, at(3, 3)]],
])('visualizations 1.1: %s', (_, stored, expected) => {
  expect(ownPositions(stored)).toEqual(expected);
});

test('visualizations 1.1: a negative height is an automatic one, and limits are not taken over', () => {
  const stored = StoredPosition.parse({ col: 0, row: 2, sizeX: 3, sizeY: -1, autoHeight: false, minSizeX: 2, maxSizeX: 12 });
  expect(ownPositions([stored])).toEqual([{ col: 0, row: 2, sizeX: 3, autoHeight: true }]);
});
