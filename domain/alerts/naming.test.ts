import { expect, test } from 'vitest';
import { criteriaWarning, defaultName } from './naming.ts';

const mismatch = "Value column type doesn't match threshold type.";
const unsupported = "Value column isn't supported by condition type.";

test('A3: an alert is called after its query, column, operator and value', () => {
  expect(defaultName(null, { op: '>', value: 1 })).toBe('New Alert');
  expect(defaultName({ name: 'Rooms' }, { column: 'temperature', op: '>', value: 30 })).toBe('Rooms: temperature > 30');
  expect(defaultName({ name: 'x'.repeat(300) }, { column: 'a', op: '>', value: 1 })).toHaveLength(255);
});

test('A5: a threshold that is no number does not suit an ordering condition', () => {
  expect(criteriaWarning(5, '>', 1)).toBeNull();
  expect(criteriaWarning(5, '>', 'high')).toBe(mismatch);
  expect(criteriaWarning(5, '>', '')).toBe(mismatch);
  expect(criteriaWarning('open', '>', 'high')).toBe(mismatch);
  expect(criteriaWarning(undefined, '>', 'high')).toBe(mismatch);
  expect(criteriaWarning(5, '==', 'high')).toBeNull();
  expect(criteriaWarning(5, '!=', 'high')).toBeNull();
});

test('A5: a value that is no number does not suit an ordering condition', () => {
  expect(criteriaWarning('open', '>', 1)).toBe(unsupported);
  expect(criteriaWarning(true, '>', 1)).toBe(unsupported);
  expect(criteriaWarning('5.5', '>', '1')).toBeNull();
  expect(criteriaWarning('open', '==', 1)).toBeNull();
  expect(criteriaWarning(null, '>', 1)).toBeNull();
});

test('dates and times suit every condition once the threshold is one', () => {
  expect(criteriaWarning('2026-01-02', '>', '2026-01-01')).toBeNull();
  expect(criteriaWarning('2026-01-02T10:00:00Z', '>', '2026-01-01 10:00:00')).toBeNull();
  expect(criteriaWarning('10:00:00', '>', '09:00:00')).toBeNull();
  expect(criteriaWarning('2026-01-02', '>', 1)).toBe(mismatch);
});
