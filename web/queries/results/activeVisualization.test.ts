import { expect, test } from 'vitest';
import { activeVisualization } from './activeVisualization.ts';

const all = [{ id: 7 }, { id: 3 }, { id: 9 }];

test('screens 5.9: in their order, the hash chooses, an unknown one is the first', () => {
  expect(activeVisualization(all, '').active).toEqual({ id: 7 });
  expect(activeVisualization(all, '#9').active).toEqual({ id: 9 });
  expect(activeVisualization(all, '#table').active).toEqual({ id: 7 });
  expect(activeVisualization([], '#7')).toEqual({ active: null, oldest: null });
});

test('complaint 13: the oldest stays the oldest in another place', () => {
  expect(activeVisualization(all, '#9').oldest).toEqual({ id: 3 });
});
