import { expect, test } from 'vitest';
import { hiddenAfterClick } from './legend.ts';

const keys = ['a', 'b', 'c'];

test.each([
  ['a click hides one', [], 'b', false, ['b']],
  ['a click shows one of the hidden', ['a', 'b'], 'b', false, ['a']],
  ['isolating shows one alone', [], 'b', true, ['a', 'c']],
  ['isolating it again shows all', ['a', 'c'], 'b', true, []],
  ['isolating another moves on to it', ['a', 'c'], 'c', true, ['a', 'b']],
  ['isolating a hidden one shows it', ['b'], 'b', true, ['a', 'c']],
] as const)('visualizations 5.8: %s', (_, hidden, key, isIsolated, expected) => {
  expect([...hiddenAfterClick(keys, new Set(hidden), key, isIsolated)]).toEqual(expected);
});

test('the only series stays when it is isolated', () => {
  expect(hiddenAfterClick(['a'], new Set(), 'a', true).size).toBe(0);
});
