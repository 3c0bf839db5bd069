import { expect, test } from 'vitest';
import { faultsOf } from '../ui/form/faults.ts';
import { passwordFields } from './passwordFields.ts';

const faults = (old_password: string, password: string, repeated: string) =>
  Object.fromEntries(faultsOf(passwordFields, { old_password, password, repeated }));

test('A5: all three fields are required', () => {
  const required = 'This field is required.';
  expect(faults('', '', '')).toEqual({ old_password: required, password: required, repeated: required });
});

test('A5: a new password shorter than 6 is too short, the current one may be', () => {
  expect(faults('x', '12345', '12345')).toEqual({ password: 'This field is too short.', repeated: 'This field is too short.' });
  expect(faults('x', '123456', '123456')).toEqual({});
});

test('A5: the repeat must be the same', () => {
  expect(faults('x', '123456', '123457')).toEqual({ repeated: "Passwords don't match" });
});
