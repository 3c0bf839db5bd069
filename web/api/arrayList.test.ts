import { describe, expect, test } from 'vitest';
import { arrangeItems } from './arrayList.ts';
import type { ListState } from './listState.ts';

const items = [
  { id: 1, name: 'pump 10', size: 3 as number | null, tags: ['water'], user: { name: 'Ada' } },
  { id: 2, name: 'Pump 2', size: null, tags: ['water', 'old'], user: { name: 'Grace' } },
  { id: 3, name: 'Boiler', size: 12, tags: [], user: { name: 'Ada' } },
];
const state: ListState = { q: '', page: 1, page_size: 20, order: '', tags: [] };
const ids = (changes: Partial<ListState>) => arrangeItems(items, { ...state, ...changes }).items.map(({ id }) => id);

describe('lists that arrive whole', () => {
  test('names sort as people read them: without case, numbers by value', () => {
    expect(ids({ order: 'name' })).toEqual([3, 2, 1]);
    expect(ids({ order: '-name' })).toEqual([1, 2, 3]);
  });

  test('missing values stand last in either direction', () => {
    expect(ids({ order: 'size' })).toEqual([1, 3, 2]);
    expect(ids({ order: '-size' })).toEqual([3, 1, 2]);
  });

  test('an order may look into objects', () => expect(ids({ order: '-user.name' })[0]).toBe(2));

  test('without an order they stay as they came', () => expect(ids({})).toEqual([1, 2, 3]));

  test('complaint 54: every word must be found somewhere, also in the name of the owner', () => {
    expect(ids({ q: 'PUMP' })).toEqual([1, 2]);
    expect(ids({ q: 'ada pump' })).toEqual([1]);
    expect(ids({ q: 'nothing' })).toEqual([]);
  });

  test('a list may define its searched text', () => {
    expect(arrangeItems(items, { ...state, q: 'ada' }, { textOf: ({ name }) => name }).total).toBe(0);
  });

  test('A2: an order of the API may be another path of the items', () => {
    const ordered = (order: string) => arrangeItems(items, { ...state, order }, { orderPaths: { owner: 'user.name' } }).items;
    expect(ordered('owner')).toEqual(ordered('user.name'));
    expect(ordered('-owner')).toEqual(ordered('-user.name'));
  });

  test('several tags must all be there', () => {
    expect(ids({ tags: ['water'] })).toEqual([1, 2]);
    expect(ids({ tags: ['water', 'old'] })).toEqual([2]);
  });

  test('Q5: the page is forced into range', () => {
    expect(arrangeItems(items, { ...state, page: 9, page_size: 2 })).toMatchObject({ page: 2, total: 3, items: [{ id: 3 }] });
    expect(arrangeItems([], { ...state, page: 9 })).toEqual({ page: 1, total: 0, items: [] });
  });

  test('the given list is left as it is', () => {
    ids({ order: 'name' });
    expect(items.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});
