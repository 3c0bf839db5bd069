import { expect, test } from 'vitest';
import { type Field, initialValues, isDirty, isEmptyValue } from './field.ts';

const field = (given: Partial<Field>): Field => ({ name: 'host', title: 'Host', type: 'text', ...given });

test('a form starts with the values of its fields, without those that are only shown', () => {
  expect(initialValues([field({ initialValue: 'a' }), field({ name: 'note', type: 'content' })])).toEqual({ host: 'a' });
});

test('blanks and empty lists are empty, 0 and false are not', () => {
  expect([undefined, null, '', '  ', []].every(isEmptyValue)).toBe(true);
  expect([0, false, 'a', [1]].some(isEmptyValue)).toBe(false);
});

test('a form is dirty while a value differs, not after it was typed and removed again', () => {
  expect(isDirty({ host: undefined }, { host: 'a' })).toBe(true);
  expect(isDirty({ host: undefined }, { host: '' })).toBe(false);
  expect(isDirty({ groups: [1, 2] }, { groups: [1] })).toBe(true);
  expect(isDirty({ groups: [1, 2] }, { groups: [1, 2] })).toBe(false);
  expect(isDirty({ ssl: false }, { ssl: true })).toBe(true);
});
