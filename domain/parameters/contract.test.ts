import { describe, expect, test } from 'vitest';
import { enumOptionsOf, humanize, QueryOptions, QueryParameter, savedValueOf, titleOf, typeOf } from './contract.ts';

describe('Q3: parameters as they are stored', () => {
  test('every known key is accepted and unknown ones are kept', () => {
    const stored = {
      title: 'Region',
      name: 'region',
      type: 'enum',
      value: ['a'],
      global: false,
      locals: [],
      enumOptions: 'a\nb',
      multiValuesOptions: { separator: ',', prefix: "'", suffix: "'" },
      queryId: null,
      parentQueryId: 5,
      min: 1,
      max: '2024-01-01',
      default: ['b'],
      regex: '^a',
      someday: { ours: true },
    };
    expect(QueryParameter.parse(stored)).toEqual(stored);
  });

  test('server-behaviour 10.5: only the name is needed', () => {
    expect(typeOf(QueryParameter.parse({ name: 'a' }))).toBe('text');
    expect(QueryParameter.safeParse({ title: 'a' }).success).toBe(false);
    expect(QueryParameter.safeParse({ name: '' }).success).toBe(false);
  });

  test('Q3: an unknown type is treated as text', () => {
    expect(['text-pattern', 'whatever', '', null, undefined].map((type) => typeOf({ type }))).toEqual(Array(5).fill('text'));
    expect(typeOf({ type: 'datetime-range-with-seconds' })).toBe('datetime-range-with-seconds');
  });

  test('options of a query keep what they do not know', () => {
    expect(QueryOptions.parse({ schemaOptions: { a: 1 }, apply_auto_limit: true })).toEqual({
      parameters: [],
      apply_auto_limit: true,
      schemaOptions: { a: 1 },
    });
  });
});

test('Q3: options of a dropdown come by line or as a list', () => {
  expect(enumOptionsOf({ enumOptions: 'a\r\nb c\n\n d ' })).toEqual(['a', 'b c', ' d ']);
  expect(enumOptionsOf({ enumOptions: ['a', 1] })).toEqual(['a', '1']);
  expect(enumOptionsOf({ enumOptions: null })).toEqual([]);
});

test('screens 8.2: a title, or the keyword made readable', () => {
  expect(humanize('start_date')).toBe('Start date');
  expect(titleOf({ name: 'start_date', title: ' From ' })).toBe('From');
  expect(titleOf({ name: 'start_date', title: '' })).toBe('Start date');
});

test('complaint 18: the explicit default wins over what was applied last', () => {
  expect(savedValueOf({ name: 'a', value: 1, default: 2 })).toBe(2);
  expect(savedValueOf({ name: 'a', value: 1 })).toBe(1);
  expect(savedValueOf({ name: 'a' })).toBeNull();
});
