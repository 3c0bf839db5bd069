import { describe, expect, test } from 'vitest';
import { incompatibleMessage, incompatibleNames, missingMessage, missingParameters } from './check.ts';
import type { QueryParameter } from './contract.ts';

const of = (type: string, more: Partial<QueryParameter> = {}): QueryParameter => ({ name: 'p', type, ...more });
const fits = (definition: QueryParameter, value: unknown) => incompatibleNames([definition], { p: value }).length === 0;
const dateTypes = ['date', 'datetime-local', 'datetime-with-seconds'];
const rangeTypes = ['date-range', 'datetime-range', 'datetime-range-with-seconds'];

describe('server-behaviour 10.2: values that fit', () => {
  const cases: [QueryParameter, unknown][] = [
    [of('text'), "any'thing; --"],
    [of('text'), 5],
    [of('number'), 5],
    [of('number'), '-1.5'],
    [of('number', { min: 1, max: 10 }), 10],
    [of('enum', { enumOptions: 'a\n1' }), 'a'],
    [of('enum', { enumOptions: 'a\n1' }), 1],
    [of('enum', { enumOptions: 'a\nb', multiValuesOptions: {} }), ['a', 'b']],
    [of('date'), '2024-02-29'],
    [of('date'), 'd_now'],
    [of('date', { min: '2024-01-01', max: '2024-12-31' }), '2024-01-01'],
    [of('datetime-local'), '2024-02-29 10:00'],
    [of('date-range'), { start: '2024-01-01', end: '2024-01-31' }],
    [of('date-range'), 'd_last_7_days'],
  ];
  test.each(cases)('%j %j', (definition, value) => expect(fits(definition, value)).toBe(true));
});

describe('server-behaviour 10.2: values that do not', () => {
  const cases: [QueryParameter, unknown][] = [
    [of('text'), { a: 1 }],
    [of('text'), ['a']],
    [of('text'), 'a\0b'],
    [of('text'), 'a\ud800'],
    [of('number'), 'nan'],
    [of('number'), '1_000'],
    [of('number'), '5; drop table t'],
    [of('number'), [1]],
    [of('number', { min: 1 }), 0],
    [of('number', { max: '10' }), 10.5],
    [of('enum', { enumOptions: 'a\nb' }), 'c'],
    [of('enum', { enumOptions: 'a\nb' }), ['a']],
    [of('enum', { enumOptions: 'a\nb', multiValuesOptions: {} }), ['a', 'c']],
    [of('enum', { enumOptions: 'a\nb', multiValuesOptions: {} }), [['a']]],
    [of('query'), 'whatever'],
    [of('date'), 'd_today'],
    [of('date'), 20240101],
    [of('date', { min: '2024-01-01' }), '2023-12-31'],
    [of('date-range'), 'd_now'],
    [of('date-range'), { start: '2024-01-01' }],
    [of('date-range', { max: '2024-01-15' }), { start: '2024-01-01', end: '2024-01-31' }],
  ];
  test.each(cases)('%j %j', (definition, value) => expect(fits(definition, value)).toBe(false));

  const lenient = [
    '10',
    'Mon',
    '12:30',
    '3;4',
    '10 and 5',
    "2020-01-01'--",
    '2020-01-01;',
    '2020-01-01\n--',
    'd_x',
    "2020-01-01' OR 1=1",
    '2020-01-01 UNION',
  ];
  test.each(lenient)('W1, 27.2: %j is no date', (value) => {
    for (const type of dateTypes) expect(fits(of(type), value)).toBe(false);
    for (const type of rangeTypes) {
      expect(fits(of(type), { start: value, end: '2024-01-01' })).toBe(false);
      expect(fits(of(type), { start: '2024-01-01', end: value })).toBe(false);
      expect(fits(of(type), `${value}--2024-01-01`)).toBe(false);
    }
  });
});

describe('server-behaviour 10.2: names', () => {
  test('a name that is not defined does not fit, unless nothing is defined', () => {
    expect(incompatibleNames([of('text')], { p: 'a', q: 'b' })).toEqual(['q']);
    expect(incompatibleNames([], { q: 'b' })).toEqual([]);
  });
  test('names of the prototype are names like others', () => {
    expect(incompatibleNames([of('text')], JSON.parse('{"__proto__": "x", "constructor": "y"}'))).toEqual(['__proto__', 'constructor']);
  });
  test('server-behaviour 10.4: a dropdown takes only what its query offers, nothing when that is not known', () => {
    expect(incompatibleNames([of('query')], { p: 'z' }, { p: ['a'] })).toEqual(['p']);
    expect(incompatibleNames([of('query')], { p: 'a' }, { p: ['a'] })).toEqual([]);
    expect(incompatibleNames([of('query')], { p: 'a' }, {})).toEqual(['p']);
    expect(incompatibleNames([of('query')], { p: 'a' }, 'unchecked')).toEqual([]);
    expect(incompatibleNames([of('query')], { p: { a: 1 } }, 'unchecked')).toEqual(['p']);
  });
  test('a missing value is another matter', () => expect(incompatibleNames([of('number')], { p: null })).toEqual([]));
});

test('server-behaviour 8.1: the message names them', () => {
  expect(incompatibleMessage(['a', 'b'])).toBe('The following parameter values are incompatible with their definitions: a, b');
});

describe('Q5: missing values', () => {
  const a: QueryParameter = { name: 'a', title: 'First', type: 'text' };
  const b: QueryParameter = { name: 'b', title: 'Second', type: 'date' };
  test('one', () => expect(missingMessage([a])).toBe('missing value for First parameter.'));
  test('several', () => expect(missingMessage([a, b])).toBe('missing values for First, Second parameters.'));
  test('only those that the text uses, undeclared ones too', () => {
    expect(missingParameters('{{ a }} {{ c }}', [a, b], {}).map(({ name }) => name)).toEqual(['a', 'c']);
    expect(missingParameters('{{ a }} {{ b }}', [a, b], { a: 0, b: '' })).toEqual([b]);
    expect(missingParameters('{{ b }}', [{ ...b, useCurrentDateTime: true }], {})).toEqual([]);
  });
});
