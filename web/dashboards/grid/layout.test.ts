import { type FullPosition, positionOf } from '@telltale/domain/dashboards/grid.ts';
import { describe, expect, test } from 'vitest';
import { compacted, fitted, inReadingOrder, rowsFor } from './layout.ts';

const at = (col: number, row: number, sizeX: number, sizeY: number, autoHeight = false): FullPosition =>
  positionOf({ col, row, sizeX, sizeY, autoHeight });
const rows = (positions: ReadonlyMap<number, FullPosition>) => [...positions].map(([id, { row }]) => [id, row]).sort();

describe('the grid of a dashboard', () => {
  test('D9: everything moves up as far as it can', () => {
    const positions = new Map([
      [1, at(0, 4, 3, 2)],
      [2, at(3, 0, 3, 5)],
      [3, at(0, 20, 6, 1)],
    ]);
    expect(rows(compacted(positions))).toEqual([
      [1, 0],
      [2, 0],
      [3, 5],
    ]);
  });

  test('what stands on the same place ends one below the other, none lost', () => {
    const positions = new Map([
      [1, at(0, 0, 6, 3)],
      [2, at(0, 0, 6, 3)],
      [3, at(2, 1, 2, 3)],
    ]);
    expect(rows(compacted(positions))).toEqual([
      [1, 0],
      [2, 3],
      [3, 6],
    ]);
  });

  test('a compacted grid stays as it is', () => {
    const once = compacted(
      new Map([
        [1, at(0, 9, 2, 2)],
        [2, at(2, 3, 4, 4)],
        [3, at(1, 1, 3, 3)],
      ]),
    );
    expect(compacted(once)).toEqual(once);
  });

  test('D4: only widgets that fit their content take its height', () => {
    const positions = new Map([
      [1, at(0, 0, 3, 3, true)],
      [2, at(3, 0, 3, 3)],
      [3, at(0, 3, 3, 4, true)],
    ]);
    const heights = new Map([
      [1, 400],
      [2, 400],
    ]);
    expect([...fitted(positions, heights)].map(([id, { sizeY }]) => [id, sizeY])).toEqual([
      [1, 9],
      [2, 3],
      [3, 4],
    ]);
  });

  test.each([
    [0, 1],
    [35, 1],
    [36, 2],
    [85, 2],
    [86, 3],
    [10_000_000, 1000],
  ])('D9: %d px are %d rows of 50 with a gap of 15', (height, expected) => {
    expect(rowsFor(height, { minSizeY: 1, maxSizeY: 1000 })).toBe(expected);
  });

  test('a single column follows the eye', () => {
    const order = inReadingOrder(
      new Map([
        [5, at(3, 0, 3, 1)],
        [6, at(0, 2, 3, 1)],
        [7, at(0, 0, 3, 1)],
      ]),
    );
    expect(order.map(([id]) => id)).toEqual([7, 5, 6]);
  });
});
