import { expect, test } from 'vitest';
import { activeVisualization } from './activeVisualization.ts';

const all = [{ id: 7 }, { id: 3 }];

test('screens 5.9: by creation, the hash chooses, an unknown one is the first', () => {
  expect(activeVisualization(all, '').active).toEqual({ id: 3 });
  expect(activeVisualization(all, '#7').active).toEqual({ id: 7 });
  expect(activeVisualization(all, '#table').active).toEqual({ id: 3 });
  expect(activeVisualization([], '#7').active).toBeNull();
  expect(activeVisualization(all, '').all.map(({ id }) => id)).toEqual([3, 7]);
});
