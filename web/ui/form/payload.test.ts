import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { expect, test } from 'vitest';
import type { Field, FieldValue } from './field.ts';
import { nameAndOptions, payloadOf } from './payload.ts';

const sent = (given: Partial<Field>, value: FieldValue) => payloadOf([{ name: 'f', title: 'F', type: 'text', ...given }], { f: value }).f;

test('A5: an empty optional value is null, whether it was filled before or not', () => {
  expect(sent({}, '')).toBeNull();
  expect(sent({}, undefined)).toBeNull();
  expect(sent({ initialValue: 'was here' }, '')).toBeNull();
  expect(sent({ type: 'number', initialValue: 5432 }, '')).toBeNull();
  expect(sent({ type: 'file', initialValue: secretMask }, null)).toBeNull();
});

test('numbers are sent as numbers and checkboxes as true or false', () => {
  expect(sent({ type: 'number' }, '5432')).toBe(5432);
  expect(sent({ type: 'number' }, 0)).toBe(0);
  expect(sent({ type: 'checkbox' }, undefined)).toBe(false);
  expect(sent({ type: 'checkbox' }, true)).toBe(true);
});

test('blanks around a text go, a separator of blanks and a password stay', () => {
  expect(sent({}, ' db.example.com ')).toBe('db.example.com');
  expect(sent({ type: 'email' }, 'ada@example.com ')).toBe('ada@example.com');
  expect(sent({}, ' ')).toBe(' ');
  expect(sent({ type: 'password' }, ' secret ')).toBe(' secret ');
});

test('lists are sent as lists, also when empty', () => {
  expect(sent({ type: 'multi-select' }, [1, 2])).toEqual([1, 2]);
  expect(sent({ type: 'tags' }, undefined)).toEqual([]);
});

test('an untouched secret is sent as its dashes', () => {
  expect(sent({ type: 'password', initialValue: secretMask }, secretMask)).toBe(secretMask);
});

test('what cannot be edited is not sent', () => {
  expect(payloadOf([{ name: 'f', title: 'F', type: 'text', readOnly: true, initialValue: 'a' }], { f: 'a' })).toEqual({});
});

test('the name stands beside the options', () => {
  expect(nameAndOptions({ name: 'Plant', host: 'db', port: null })).toEqual({ name: 'Plant', options: { host: 'db', port: null } });
});
