import { expect, test } from 'vitest';
import { beside } from './beside.ts';

const window = { width: 390, height: 800 };

test.each([
  ['right of the point', { x: 50, y: 300 }, { width: 200, height: 100 }, { x: 64, y: 250 }],
  ['left where the right has no room', { x: 330, y: 300 }, { width: 200, height: 100 }, { x: 116, y: 250 }],
  ['at the top edge', { x: 50, y: 10 }, { width: 200, height: 100 }, { x: 64, y: 8 }],
  ['at the bottom edge', { x: 50, y: 790 }, { width: 200, height: 100 }, { x: 64, y: 692 }],
  ['a box wider than both sides starts at the edge', { x: 190, y: 300 }, { width: 370, height: 100 }, { x: 8, y: 250 }],
])('%s', (_, point, box, expected) => {
  expect(beside(point, box, window)).toEqual(expected);
});
