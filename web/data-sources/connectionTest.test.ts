import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { expect, test } from 'vitest';
import { ApiError } from '../api/ApiError.ts';
import { type Field, initialValues, isDirty } from '../ui/form/field.ts';
import { outcomeOf, testFailure, testPlan, testText } from './connectionTest.ts';

const fields: Field[] = [
  { name: 'name', title: 'Name', type: 'text', required: true, initialValue: 'Plant' },
  { name: 'host', title: 'Host', type: 'text', initialValue: 'db' },
  { name: 'port', title: 'Port', type: 'number', initialValue: 5432 },
  { name: 'password', title: 'Password', type: 'password', initialValue: secretMask },
  { name: 'dbname', title: 'Database Name', type: 'text', required: true, initialValue: 'plant' },
];
const typed = (values: Record<string, string> = {}) => {
  const all = { ...initialValues(fields), ...values };
  return { values: all, isDirty: isDirty(initialValues(fields), all) };
};

test('a stored source is tested as it is stored, until its settings are changed', () => {
  expect(testPlan(fields, typed(), true)).toEqual({ tries: 'saved' });
  expect(testPlan(fields, typed({ name: 'Other' }), true)).toEqual({ tries: 'saved' });
  expect(testPlan(fields, typed({ port: '5432' }), true)).toEqual({ tries: 'saved' });
});

test('complaint 59: typed settings are tested without saving; a kept secret goes as its dashes', () => {
  const options = { host: 'other', port: 5432, password: secretMask, dbname: 'plant' };
  expect(testPlan(fields, typed({ host: ' other ' }), true)).toEqual({ tries: 'typed', options });
});

test('a new source is tested without a name, but not without what its kind requires', () => {
  expect(testPlan(fields, typed({ name: '' }), false)).toMatchObject({ tries: 'typed' });
  expect(testPlan(fields, typed({ name: '', dbname: '' }), false)).toMatchObject({ tries: 'nothing', firstFault: { name: 'dbname' } });
});

test('A8: a refusal keeps the message of the server, anything else gets ours', () => {
  expect(testFailure(new ApiError(400, 'Port must be a number.'))).toBe('Port must be a number.');
  expect(testFailure(new ApiError(500, 'Internal Server Error'))).toBe(testText.unknown);
  expect(testFailure(new ApiError(0, 'The server could not be reached.'))).toBe(testText.unknown);
  expect(testFailure(new ApiError(400, ''))).toBe(testText.unknown);
  expect(testFailure(new TypeError('x'))).toBe(testText.unknown);
});

test('security 6: a warning stands beside a success, never beside a failure', () => {
  const warning = 'The account can read files.';
  expect(outcomeOf({ ok: true, message: 'success' })).toEqual({ failure: undefined, warning: undefined });
  expect(outcomeOf({ ok: true, message: 'success', warning })).toEqual({ failure: undefined, warning });
  expect(outcomeOf({ ok: false, message: 'refused', warning })).toEqual({ failure: 'refused', warning: undefined });
  expect(outcomeOf({ ok: false, message: '' }).failure).toBe(testText.unknown);
});
