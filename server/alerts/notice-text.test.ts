import { expect, test } from 'vitest';
import { hasTags } from './notice-text.ts';

test.each([
  ['<b>now</b>', true],
  ['</b>', true],
  ['a < b and b > c', false],
  ['<a <b>', true],
])('%j is HTML: %s', (template, expected) => {
  expect(hasTags(template)).toBe(expected);
});

test('security 32: a million tags that never end are plain text', () => {
  expect(hasTags('<a'.repeat(1_000_000))).toBe(false);
});
