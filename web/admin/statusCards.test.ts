import { expect, test } from 'vitest';
import { humanised, timeOfSeconds } from './statusCards.ts';

test('A2: labels are the words of their keys', () => {
  expect(humanised('unused_query_results_count')).toBe('Unused Query Results Count');
});

test('A3: times in seconds are multiplied by 1000; a missing one is no time', () => {
  expect(timeOfSeconds('1700000000.5')).toBe('2023-11-14T22:13:20.500Z');
  expect([timeOfSeconds(undefined), timeOfSeconds('soon')]).toEqual([null, null]);
});
