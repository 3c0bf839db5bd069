import { expect, test } from 'vitest';
import { arranged } from './gridLayout.ts';

const named = (...names: string[]) => names.map((attribute) => ({ attribute }));
const placeOf = (widgets: ReturnType<typeof arranged>) => widgets.map(({ attribute, col, row }) => [attribute, col, row]);

test('D2: ready-made, three tiles in a row and the feed below', () => {
  expect(placeOf(arranged([], named('a', 'b', 'c', 'd', 'sys.online')))).toEqual([
    ['a', 0, 0],
    ['b', 2, 0],
    ['c', 4, 0],
    ['d', 0, 3],
    [null, 0, 6],
  ]);
});

test('arranged charts stay, new ones come below, missing ones are left out', () => {
  const saved = [
    { attribute: 'b', col: 4, row: 2, sizeX: 2, sizeY: 5 },
    { attribute: 'gone', col: 0, row: 0, sizeX: 1, sizeY: 1 },
    { attribute: null, col: 0, row: 7, sizeX: 6, sizeY: 4 },
  ];
  expect(placeOf(arranged(saved, named('a', 'b')))).toEqual([
    ['b', 4, 2],
    [null, 0, 7],
    ['a', 0, 11],
  ]);
});
