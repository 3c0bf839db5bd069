import { expect, test } from 'vitest';
import { thresholdKind, typedThreshold } from './thresholds.ts';

test('A9: the column decides what the threshold is typed with', () => {
  expect(thresholdKind('float', 1.5)).toBe('plain');
  expect(thresholdKind('date', '2026-01-02')).toBe('date');
  expect(thresholdKind('datetime', null)).toBe('datetime');
  expect(thresholdKind('boolean', true)).toBe('boolean');
  expect(thresholdKind('string', '10:30:00')).toBe('time');
  expect(thresholdKind('string', 'open')).toBe('plain');
});

test('complaint 49: a typed figure is stored as a number, any other text as it is', () => {
  expect(typedThreshold('30')).toBe(30);
  expect(typedThreshold('-1.50')).toBe(-1.5);
  expect(typedThreshold('9007199254740993')).toBe('9007199254740993');
  expect(typedThreshold('007')).toBe('007');
  expect(typedThreshold('high')).toBe('high');
  expect(typedThreshold('')).toBe('');
  expect(typedThreshold(false)).toBe(false);
});
