import { describe, expect, test } from 'vitest';
import { type ListState, readListState, toggledTags, writeListState } from './listState.ts';

const defaults = { order: '-created_at', page_size: 20 };
const read = (search: string) => readListState(new URLSearchParams(search), defaults);
const write = (search: string, changes: Partial<ListState>) =>
  writeListState(new URLSearchParams(search), { ...read(search), ...changes }, defaults).toString();

describe('the state of a list in the address', () => {
  test('nothing said means the defaults', () => {
    expect(read('')).toEqual({ q: '', page: 1, page_size: 20, order: '-created_at', tags: [] });
  });

  test('everything can be said', () => {
    expect(read('q=pump&page=3&page_size=50&order=name&tags=a&tags=b&tags=a')).toEqual({
      q: 'pump',
      page: 3,
      page_size: 50,
      order: 'name',
      tags: ['a', 'b'],
    });
  });

  test.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=', 'page=99999999999'])('%s is page 1', (search) => {
    expect(read(search).page).toBe(1);
  });

  test('a page size that the server would refuse is cut', () => {
    expect(read('page_size=1000').page_size).toBe(250);
    expect(read('page_size=no').page_size).toBe(20);
  });

  test('default values are left out of the address', () => {
    expect(write('page=2&q=x', { page: 1, q: '' })).toBe('');
    expect(write('', { order: 'name', page: 2 })).toBe('page=2&order=name');
  });

  test('screens 1.2: keys of others are kept', () => {
    expect(write('p_room=7&page=2&edit', { page: 4 })).toBe('p_room=7&page=4&edit=');
  });

  test('complaint 53: tags are part of the address', () => {
    expect(write('', { tags: ['cold room', 'a&b'] })).toBe('tags=cold+room&tags=a%26b');
    expect(read(write('', { tags: ['cold room', 'a&b'] })).tags).toEqual(['cold room', 'a&b']);
  });
});

describe('screens 4: tags', () => {
  test('a click selects only that tag, another click clears it', () => {
    expect(toggledTags([], 'a', false)).toEqual(['a']);
    expect(toggledTags(['a', 'b'], 'a', false)).toEqual(['a']);
    expect(toggledTags(['a'], 'a', false)).toEqual([]);
  });

  test('with Shift a tag joins and leaves the set', () => {
    expect(toggledTags(['a'], 'b', true)).toEqual(['a', 'b']);
    expect(toggledTags(['a', 'b'], 'a', true)).toEqual(['b']);
  });
});
