import { expect, test } from 'vitest';
import { inlineEditOutcome } from './inlineEditOutcome.ts';

test('a new value is trimmed and saved', () => {
  expect(inlineEditOutcome(' Plant ', 'Old', true)).toBe('Plant');
});

test('an unchanged value does nothing', () => {
  expect(inlineEditOutcome('Plant ', 'Plant', true)).toBeNull();
});

test('a blank is ignored for names and saved for descriptions', () => {
  expect(inlineEditOutcome('  ', 'Plant', true)).toBeNull();
  expect(inlineEditOutcome('  ', 'Plant', false)).toBe('');
});
