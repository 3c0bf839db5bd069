import { describe, expect, test } from 'vitest';
import { ArrayListParams, ListParams } from './contract.ts';
import { formatOrder, isPaginatorHidden, pageFault, pageInRange, parseOrder } from './paging.ts';

describe('server-behaviour 1.2: what may be asked of a list', () => {
  test.each([
    [{}, 1, 25],
    [{ page: '3', page_size: '50' }, 3, 50],
    [{ page: 3, page_size: 50 }, 3, 50],
    [{ page: 'x', page_size: '' }, 1, 25],
    [{ page: '1.5', page_size: '1e2' }, 1, 25],
    [{ page: '-1', page_size: '+5' }, -1, 5],
    [{ page: ' 2 ', page_size: '0x10' }, 2, 25],
    [{ page: '99999999999999999999', page_size: 'NaN' }, 1, 25],
    [{ page: '٣', page_size: '１０' }, 1, 25],
  ])('%j → page %i of %i', (given, page, page_size) => {
    expect(ListParams.parse(given)).toMatchObject({ page, page_size });
  });

  test('tags are a list, however many were given', () => {
    expect(ListParams.parse({}).tags).toEqual([]);
    expect(ListParams.parse({ tags: 'a' }).tags).toEqual(['a']);
    expect(ListParams.parse({ tags: ['a', 'b'] }).tags).toEqual(['a', 'b']);
  });

  test('a bare array unless a page is asked for', () => {
    expect(ArrayListParams.parse({}).page).toBeUndefined();
    expect(ArrayListParams.parse({ page: 'x' }).page).toBeUndefined();
    expect(ArrayListParams.parse({ page: '0' }).page).toBe(0);
  });

  test.each([{ q: ['a', 'b'] }, { order: ['a'] }, { page: ['1'] }, { q: 'q'.repeat(1001) }, { order: 'o'.repeat(101) }, { tags: [1] }])(
    '%j is refused',
    (given) => {
      expect(ListParams.safeParse(given).success).toBe(false);
    },
  );
});

describe('server-behaviour 1.2: refusals in their order', () => {
  test.each([
    [1, 20, 0, null],
    [1, 20, 1, null],
    [2, 20, 21, null],
    [2, 20, 20, 'Page is out of range.'],
    [0, 20, 5, 'Page must be positive integer.'],
    [-1, 0, 5, 'Page must be positive integer.'],
    [99, 0, 5, 'Page size is out of range (1-250).'],
    [99, 300, 5, 'Page is out of range.'],
    [1, 0, 5, 'Page size is out of range (1-250).'],
    [1, 251, 5, 'Page size is out of range (1-250).'],
    [1, 250, 5, null],
    [1, 1, 5, null],
    [5, 1, 5, null],
    [6, 1, 5, 'Page is out of range.'],
    [2, -5, 5, 'Page size is out of range (1-250).'],
    [1, 251, 0, 'Page size is out of range (1-250).'],
    [Number.MAX_SAFE_INTEGER, 250, 5, 'Page is out of range.'],
  ])('page %i of %i in %i items → %s', (page, page_size, count, message) => {
    expect(pageFault({ page, page_size }, count)?.message ?? null).toBe(message);
  });

  test('a later page of nothing is a 404, the others are 400', () => {
    expect(pageFault({ page: 2, page_size: 20 }, 0)?.status).toBe(404);
    expect(pageFault({ page: 0, page_size: 20 }, 0)?.status).toBe(400);
    expect(pageFault({ page: 2, page_size: 20 }, 1)?.status).toBe(400);
  });
});

describe('Q5: the browser brings the page into range', () => {
  test.each([
    [1, 20, 0, 1],
    [5, 20, 0, 1],
    [5, 20, 41, 3],
    [0, 20, 41, 1],
    [-3, 20, 41, 1],
    [2.9, 20, 41, 2],
    [Number.NaN, 20, 41, 1],
    [2, 0, 5, 2],
  ])('page %d of %i in %i → %i', (page, size, total, expected) => {
    expect(pageInRange(page, size, total)).toBe(expected);
  });

  test('Q9: the paginator hides when everything fits', () => {
    expect([isPaginatorHidden(20, 20, false), isPaginatorHidden(21, 20, false)]).toEqual([true, false]);
    expect([isPaginatorHidden(5, 20, true), isPaginatorHidden(6, 20, true)]).toEqual([true, false]);
  });
});

describe('server-behaviour 1.2: order', () => {
  test.each([
    ['name', { key: 'name', descending: false }],
    ['-created_at', { key: 'created_at', descending: true }],
    ['', null],
    ['-', null],
    [undefined, null],
    ['--name', { key: '-name', descending: true }],
  ])('%s → %j', (text, expected) => {
    expect(parseOrder(text)).toEqual(expected);
  });

  test('a written order can be read again', () => {
    for (const order of ['name', '-name']) expect(formatOrder(parseOrder(order) ?? { key: '', descending: false })).toBe(order);
  });
});
