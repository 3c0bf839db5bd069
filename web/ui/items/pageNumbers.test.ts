import { expect, test } from 'vitest';
import { pageNumbers } from './pageNumbers.ts';

const shown = (page: number, last: number) =>
  pageNumbers(page, last)
    .map((number) => number ?? '…')
    .join(' ');

test('few pages are all shown', () => {
  expect(shown(1, 1)).toBe('1');
  expect(shown(2, 3)).toBe('1 2 3');
  expect(shown(3, 6)).toBe('1 2 3 4 5 6');
});

test('many pages show the ends and the neighbours of the current one', () => {
  expect(shown(1, 20)).toBe('1 2 3 4 … 20');
  expect(shown(5, 20)).toBe('1 … 4 5 6 … 20');
  expect(shown(20, 20)).toBe('1 … 17 18 19 20');
});

test('a gap of one page shows the page', () => {
  expect(shown(4, 20)).toBe('1 2 3 4 5 … 20');
});
