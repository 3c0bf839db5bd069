import { describe, expect, test } from 'vitest';
import { DisplayChanges, displayState, type Threshold } from './attribute-display.ts';

const one = (value: number, side: Threshold['side'], state: Threshold['state']): Threshold => ({ value, side, state, show: 'band' });
const fridge = [one(5, 'above', 'warning'), one(8, 'above', 'danger'), one(0, 'below', 'info')];

test.each([
  [3, null],
  [5, 'warning'],
  [7.9, 'warning'],
  [8, 'danger'],
  [-1, 'info'],
])('a reading of %d is %s', (value, expected) => {
  expect(displayState(value, fridge)).toBe(expected);
});

test('the order of thresholds does not matter', () => {
  expect(displayState(9, fridge.toReversed())).toBe('danger');
});

describe('what may be kept', () => {
  test.each([
    [{ unit: '  °C ' }, { unit: '°C' }],
    [{ unit: '' }, { unit: null }],
    [{ decimals: null }, { decimals: null }],
    [{ thresholds: [{ value: 8 }] }, { thresholds: [one(8, 'above', 'warning')] }],
  ])('%j', (given, expected) => {
    expect(DisplayChanges.parse(given)).toEqual(expected);
  });
  test.each([
    { unit: 'x'.repeat(33) },
    { unit: 5 },
    { decimals: 1.5 },
    { decimals: 10 },
    { decimals: -1 },
    { thresholds: [{ value: 'hot' }] },
    { thresholds: [{ value: Number.NaN }] },
    { thresholds: [{ value: 1, state: 'purple' }] },
    { thresholds: Array.from({ length: 9 }, () => ({ value: 1 })) },
  ])('%j is refused', (given) => {
    expect(DisplayChanges.safeParse(given).success).toBe(false);
  });
});
