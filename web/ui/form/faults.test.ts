import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { expect, test } from 'vitest';
import { faultOf, faultsOf } from './faults.ts';
import type { Field, FieldValue } from './field.ts';

const fault = (given: Partial<Field>, value: FieldValue) => faultOf({ name: 'f', title: 'F', type: 'text', ...given }, value, { f: value });

test('A5: a required field left empty says so, whatever its type', () => {
  expect(fault({ required: true }, '')).toBe('This field is required.');
  expect(fault({ required: true }, '   ')).toBe('This field is required.');
  expect(fault({ required: true, type: 'number' }, undefined)).toBe('This field is required.');
  expect(fault({ required: true, type: 'multi-select' }, [])).toBe('This field is required.');
  expect(fault({ required: true, type: 'file' }, null)).toBe('This field is required.');
});

test('an unticked checkbox and the number 0 are values', () => {
  expect(fault({ required: true, type: 'checkbox' }, false)).toBeNull();
  expect(fault({ required: true, type: 'number' }, 0)).toBeNull();
});

test('A5: minLength counts for typed text', () => {
  expect(fault({ type: 'password', minLength: 6 }, 'abc12')).toBe('This field is too short.');
  expect(fault({ type: 'password', minLength: 6 }, 'abc123')).toBeNull();
  expect(fault({ minLength: 6 }, '')).toBeNull();
});

test('A5: an e-mail must look like one, as browsers see it', () => {
  const email = (value: string) => fault({ type: 'email' }, value);
  expect(email('nobody')).toBe('This field must be a valid email.');
  expect(email('a@b c')).toBe('This field must be a valid email.');
  expect(email('@example.com')).toBe('This field must be a valid email.');
  expect(email('ada@example.com')).toBeNull();
  expect(email(' ada@example.com ')).toBeNull();
  expect(email('admin@localhost')).toBeNull();
});

test('a number field refuses other text', () => {
  expect(fault({ type: 'number' }, '54x')).toBe('This field must be a number.');
  expect(fault({ type: 'number' }, '5432')).toBeNull();
});

test('a number stays within its range, and is whole where it must be', () => {
  const port = (value: string) => fault({ type: 'number', range: { min: 1, max: 65_535 }, isWhole: true }, value);
  expect(port('99999999')).toBe('This field must be between 1 and 65535.');
  expect(port('-5')).toBe('This field must be between 1 and 65535.');
  expect(port('5432.5')).toBe('This field must be a whole number.');
  expect(port('65535')).toBeNull();
  expect(port('')).toBeNull();
});

test('the dashes of a saved secret pass every rule', () => {
  expect(fault({ type: 'password', required: true, minLength: 20 }, secretMask)).toBeNull();
});

test('a rule of its own is asked last and sees the other values', () => {
  const repeat: Field = {
    name: 'repeat',
    title: 'Repeat',
    type: 'password',
    required: true,
    minLength: 6,
    fault: (value, values) => (value === values.password ? null : "Passwords don't match"),
  };
  expect(faultOf(repeat, '', { password: '123456' })).toBe('This field is required.');
  expect(faultOf(repeat, '1234', { password: '123456' })).toBe('This field is too short.');
  expect(faultOf(repeat, '654321', { password: '123456' })).toBe("Passwords don't match");
  expect(faultOf(repeat, '123456', { password: '123456' })).toBeNull();
});

test('what cannot be edited cannot be at fault', () => {
  expect(fault({ required: true, readOnly: true }, '')).toBeNull();
  expect(fault({ required: true, type: 'content' }, undefined)).toBeNull();
});

test('the faults of a form come in the order of its fields', () => {
  const fields: Field[] = ['b', 'a', 'c'].map((name) => ({ name, title: name, type: 'text', required: name !== 'c' }));
  expect([...faultsOf(fields, {}).keys()]).toEqual(['b', 'a']);
});
