import { describe, expect, test } from 'vitest';
import { grid, isSamePosition, type Placed, Position, placeBelow, positionOf } from './grid.ts';

describe('D9: where a widget stands', () => {
  test('what was never placed is three wide and three tall, in the corner', () => {
    expect(positionOf(undefined)).toMatchObject({ col: 0, row: 0, sizeX: 3, sizeY: 3, autoHeight: false, maxSizeX: 6, maxSizeY: 1000 });
  });

  test('a kind may bring its own size', () => {
    expect(positionOf(undefined, { sizeX: 2, sizeY: 5 })).toMatchObject({ sizeX: 2, sizeY: 5 });
    expect(positionOf({ sizeX: 4 }, { sizeX: 2, sizeY: 5 })).toMatchObject({ sizeX: 4, sizeY: 5 });
  });

  test('visualizations 1.1: a height below 0 is that of the content', () => {
    const kept = Position.parse({ sizeY: -1, autoHeight: false });
    expect(positionOf(kept, { sizeY: 5 })).toMatchObject({ sizeY: 5, autoHeight: true });
    expect(positionOf(kept)).toMatchObject({ sizeY: grid.defaultSizeY, autoHeight: true });
  });

  test.each([
    [
      { col: 5, sizeX: 3 },
      { col: 3, sizeX: 3 },
    ],
    [{ sizeX: 1, minSizeX: 2 }, { sizeX: 2 }],
    [{ sizeX: 6, maxSizeX: 4 }, { sizeX: 4 }],
    [{ sizeY: 900, maxSizeY: 20 }, { sizeY: 20 }],
    [{ minSizeX: 5, maxSizeX: 2, sizeX: 3 }, { sizeX: 5 }],
  ])('%j is brought inside the grid', (kept, expected) => {
    expect(positionOf(kept)).toMatchObject(expected);
  });

  test.each([
    { col: -1 },
    { col: 6 },
    { row: -1 },
    { row: 1e9 },
    { sizeX: 0 },
    { sizeX: 7 },
    { sizeY: 0 },
    { sizeY: 1001 },
    { sizeY: -1001 },
    { sizeY: 1.5 },
    { col: '1' },
    { autoHeight: 'yes' },
    { row: Number.NaN },
  ])('%j is no position', (given) => {
    expect(Position.safeParse(given).success).toBe(false);
  });
});

describe('screens 9.3: where a new widget goes', () => {
  const at = (col: number, row: number, sizeX: number, sizeY: number): Placed => ({ col, row, sizeX, sizeY });
  test.each<[string, Placed[], number, { col: number; row: number }]>([
    ['an empty dashboard', [], 3, { col: 0, row: 0 }],
    ['beside one that is as high', [at(0, 0, 3, 3)], 3, { col: 3, row: 0 }],
    ['under the lower one', [at(0, 0, 3, 5), at(3, 0, 3, 2)], 3, { col: 3, row: 2 }],
    ['under everything when it is as wide as all', [at(0, 0, 3, 5), at(3, 0, 3, 2)], 6, { col: 0, row: 5 }],
    ['leftmost of equal tops', [at(2, 0, 2, 4)], 1, { col: 0, row: 0 }],
    ['not in a gap that is too narrow', [at(0, 0, 2, 4), at(4, 0, 2, 1)], 3, { col: 2, row: 1 }],
    ['wider than the grid', [at(0, 0, 1, 2)], 9, { col: 0, row: 2 }],
  ])('%s', (_, standing, sizeX, expected) => {
    expect(placeBelow(standing, { sizeX })).toEqual(expected);
  });

  test('it never covers what stands there', () => {
    const standing = Array.from({ length: 40 }, (_, i) => at(i % 5, Math.floor(i / 3) * 2, 1 + (i % 2), 1 + (i % 4)));
    for (let sizeX = 1; sizeX <= grid.columns; sizeX++) {
      const { col, row } = placeBelow(standing, { sizeX });
      const covered = standing.filter((item) => item.col < col + sizeX && col < item.col + item.sizeX && item.row + item.sizeY > row);
      expect(covered).toEqual([]);
    }
  });
});

test('W19: only what was moved or resized counts as a change', () => {
  expect(isSamePosition(positionOf({ col: 1 }), positionOf({ col: 1, maxSizeY: 40 }))).toBe(true);
  expect(isSamePosition(positionOf({ col: 1 }), positionOf({ col: 1, autoHeight: true }))).toBe(false);
});
