import { expect, test } from 'vitest';
import { hiddenAfterClick } from './legend.ts';

const keys = ['a', 'b', 'c'];

test.each([
  ['a click shows one alone', [], 'b', false, ['a', 'c']],
  ['a second click shows all again', ['a', 'c'], 'b', false, []],
  ['a click on another moves on to it', ['a', 'c'], 'c', false, ['a', 'b']],
  ['a toggle hides one', [], 'b', true, ['b']],
  ['a toggle shows one of the hidden', ['a', 'b'], 'b', true, ['a']],
] as const)('visualizations 5.8: %s', (_, hidden, key, isToggle, expected) => {
  expect([...hiddenAfterClick(keys, new Set(hidden), key, isToggle)]).toEqual(expected);
});

test('the only series stays', () => {
  expect(hiddenAfterClick(['a'], new Set(), 'a', false).size).toBe(0);
});
