import { expect, test } from 'vitest';
import { isSafe } from './safety.ts';

test('server-behaviour 10.4: a query without text parameters is safe', () => {
  expect(isSafe('select 1', [])).toBe(true);
  expect(isSafe('select {{ a }}', [{ name: 'a', type: 'number' }])).toBe(true);
});

test('server-behaviour 10.4: a text parameter makes it unsafe, used or not; so does an unknown or missing type', () => {
  for (const type of ['text', 'text-pattern', undefined, null]) expect(isSafe('select 1', [{ name: 'a', type }])).toBe(false);
});

test('W3: a placeholder that nobody declared makes it unsafe', () => {
  expect(isSafe('select {{ a }}', [])).toBe(false);
  expect(isSafe('select {{ a.start }}', [{ name: 'a', type: 'date-range' }])).toBe(true);
});
