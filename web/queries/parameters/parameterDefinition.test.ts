import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { expect, test } from 'vitest';
import { definitionOf } from './parameterDefinition.ts';

const saved = (draft: Partial<QueryParameter>) => definitionOf({ name: 'p', value: null, ...draft }, 'P');

test.each([
  ['number', { min: 1, max: '9' }, { min: 1, max: '9' }],
  ['date', { min: '2026-01-01', max: '2026-12-31' }, { min: '2026-01-01', max: '2026-12-31' }],
  ['datetime-range', { min: '2026-01-01T06:00', max: null }, { min: '2026-01-01 06:00' }],
])('limits of a parameter of the type %s are kept', (type, limits, kept) => {
  const { min, max } = saved({ type, ...limits });
  expect({ ...(min !== undefined && { min }), ...(max !== undefined && { max }) }).toEqual(kept);
});

test('limits of another type are left out', () => {
  expect(saved({ type: 'number', min: '2026-01-01' })).not.toHaveProperty('min');
  expect(saved({ type: 'date', max: 5, min: 'd_now' })).not.toHaveProperty('max');
  expect(saved({ type: 'text', min: 1, max: 2 })).not.toHaveProperty('min');
});

test('screens complaint 18: the default is saved apart from the value in use, which begins with it', () => {
  expect(saved({ type: 'number', default: 5 })).toMatchObject({ default: 5, value: 5 });
  expect(saved({ type: 'number', default: 5, value: 7 })).toMatchObject({ default: 5, value: 7 });
  expect(saved({ type: 'date', default: 'd_now' })).toMatchObject({ default: 'd_now', value: 'd_now' });
});

test('without a default there is none, and one that does not fit the type goes', () => {
  expect(saved({ type: 'enum', enumOptions: 'a\nb' })).toMatchObject({ value: 'a' });
  for (const draft of [
    { type: 'enum', enumOptions: 'a\nb' },
    { type: 'number', default: 'x' },
    { type: 'number', default: null },
  ])
    expect(saved(draft)).not.toHaveProperty('default');
});

test('members that the dialog does not know are kept', () => {
  expect(saved({ type: 'text', ours: 1, locals: [] })).toMatchObject({ ours: 1, locals: [] });
});
