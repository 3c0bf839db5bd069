import { type FullPosition, positionOf } from '@telltale/domain/dashboards/grid.ts';
import { describe, expect, test } from 'vitest';
import { compacted, exchanged, fitted, inReadingOrder, rowsFor } from './layout.ts';

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

  describe('complaint 30: neighbours change places', () => {
    const order = (positions: ReadonlyMap<number, FullPosition>) => inReadingOrder(positions).map(([id]) => id);
    const board = new Map([
      [1, at(0, 0, 2, 4)],
      [2, at(2, 0, 4, 4)],
      [3, at(0, 4, 6, 3)],
      [4, at(0, 7, 3, 3)],
      [5, at(3, 7, 3, 5)],
    ]);
    test.each([
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ])('%i and %i', (one, other) => {
      const next = exchanged(board, one, other);
      const wanted = order(board).map((id) => (id === one ? other : id === other ? one : id));
      expect(order(next)).toEqual(wanted);
      expect(compacted(next)).toEqual(next);
      for (const [id, { sizeX, sizeY }] of board) expect(next.get(id)).toMatchObject({ sizeX, sizeY });
    });

    test('side by side they stay side by side', () => {
      const next = exchanged(board, 1, 2);
      expect([next.get(2), next.get(1)]).toMatchObject([
        { col: 0, row: 0 },
        { col: 4, row: 0 },
      ]);
    });

    test('from the last place to the first, step by step, and back', () => {
      let next: ReadonlyMap<number, FullPosition> = board;
      for (const other of [4, 3, 2, 1]) next = exchanged(next, other, 5);
      expect(order(next)).toEqual([5, 1, 2, 3, 4]);
      for (const other of [1, 2, 3, 4]) next = exchanged(next, 5, other);
      expect(order(next)).toEqual([1, 2, 3, 4, 5]);
    });
  });
});
