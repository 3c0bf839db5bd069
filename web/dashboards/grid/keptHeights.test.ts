import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepHeights, keptHeights } from './keptHeights.ts';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('complaint 29: a browser remembers how high widgets were, in the grid and in a single column', () => {
  keepHeights(new Map([[1, 300]]), 'grid');
  keepHeights(new Map([[1, 700]]), 'column');
  keepHeights(new Map([[2, 90]]), 'grid');
  expect([...keptHeights([1, 2, 3], 'grid')]).toEqual([
    [1, 300],
    [2, 90],
  ]);
  expect([...keptHeights([1], 'column')]).toEqual([[1, 700]]);
});

test('it remembers the last 500, and nothing that is not its own', () => {
  for (let id = 1; id <= 501; id++) keepHeights(new Map([[id, id]]), 'grid');
  expect(keptHeights([1], 'grid').size).toBe(0);
  expect(keptHeights([2, 501], 'grid').size).toBe(2);
  storage.set('telltale:widgetHeights:grid', '[["x",{}]]');
  expect(keptHeights([2], 'grid').size).toBe(0);
});
