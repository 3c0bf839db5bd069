import { describe, expect, test } from 'vitest';
import type { QueryParameter } from './contract.ts';
import { canonicalNumber } from './number-text.ts';
import { isMissing, normalizeValue } from './values.ts';

const of = (type: string, more: Partial<QueryParameter> = {}): QueryParameter => ({ name: 'p', type, ...more });
const choice = of('enum', { enumOptions: 'a\nb\n3' });
const choices = of('enum', { enumOptions: 'a\nb\n3', multiValuesOptions: {} });

describe('Q5: a value is normalised by its type', () => {
  const cases: [string, QueryParameter, unknown, unknown][] = [
    ['number', of('number'), 5, 5],
    ['number as text', of('number'), ' -1.5e3 ', -1500],
    ['not a number', of('number'), 'five', null],
    ['no number', of('number'), '', null],
    ['not finite', of('number'), 'Infinity', null],
    ['NaN', of('number'), Number.NaN, null],
    ['hex is not numeric', of('number'), '0x10', null],
    ['a list is no number', of('number'), [5], null],
    ['text', of('text'), ' a ', ' a '],
    ['empty text', of('text'), '', null],
    ['number as text parameter', of('text'), 5, '5'],
    ['unknown type', of('text-pattern'), 'x', 'x'],
    ['an object is no text', of('text'), {}, null],
    ['option', choice, 'b', 'b'],
    ['option given as a number', choice, 3, '3'],
    ['not an option: the first', choice, 'z', 'a'],
    ['no value: the first', choice, null, 'a'],
    ['no options', of('enum'), 'a', null],
    ['several, filtered', choices, ['b', 'z', 'a'], ['b', 'a']],
    ['one for several', choices, 'b', ['b']],
    ['none of several', choices, ['z'], null],
    ['dropdown without its options', of('query'), 'x', 'x'],
    ['dropdown, several', of('query', { multiValuesOptions: {} }), 'x', ['x']],
    ['dropdown, a list for one', of('query'), ['x', 'y'], 'x'],
    ['dropdown, nothing', of('query'), '', null],
    ['date', of('date'), '2024-02-29', '2024-02-29'],
    ['date drops the time', of('date'), '2024-02-29 10:30', '2024-02-29'],
    ['date and time', of('datetime-local'), '2024-02-29', '2024-02-29 00:00'],
    ['date and time with seconds', of('datetime-with-seconds'), '2024-02-29T10:30', '2024-02-29 10:30:00'],
    ['invalid date', of('date'), '2023-02-29', null],
    ['dynamic date', of('date'), 'd_yesterday', 'd_yesterday'],
    ['range name for a date', of('date'), 'd_this_week', null],
    ['legacy: no date means now', of('date', { useCurrentDateTime: true }), null, 'd_now'],
    ['range', of('date-range'), { start: '2024-01-01', end: '2024-01-31' }, { start: '2024-01-01', end: '2024-01-31' }],
    ['range as a pair', of('date-range'), ['2024-01-01', '2024-01-31'], { start: '2024-01-01', end: '2024-01-31' }],
    ['range as text', of('datetime-range'), '2024-01-01--2024-01-31 10:00', { start: '2024-01-01 00:00', end: '2024-01-31 10:00' }],
    ['half a range', of('date-range'), { start: '2024-01-01' }, null],
    ['half a valid range', of('date-range'), { start: '2024-01-01', end: 'x' }, null],
    ['dynamic range', of('date-range'), 'd_this_week', 'd_this_week'],
    ['dynamic ends', of('date-range'), { start: 'd_yesterday', end: 'd_now' }, null],
    ['no range', of('date-range'), null, null],
  ];
  test.each(cases)('%s', (_, definition, value, expected) => expect(normalizeValue(definition, value)).toEqual(expected));

  test('screens 8.4: a loaded dropdown keeps what it has, a single one jumps to the first', () => {
    expect(normalizeValue(of('query'), 'z', ['a', 'b'])).toBe('a');
    expect(normalizeValue(of('query', { multiValuesOptions: {} }), ['b', 'z'], ['a', 'b'])).toEqual(['b']);
  });
});

test('Q4: a parameter with no value counts as missing', () => {
  expect([null, undefined, '', []].every(isMissing)).toBe(true);
  expect([0, false, ' ', ['']].some(isMissing)).toBe(false);
});

describe('server-behaviour 10.2: numbers are written canonically', () => {
  test.each([
    [5, '5'],
    [-0, '0'],
    [1e21, '1e21'],
    [1.5e-7, '1.5e-7'],
    ['007', '7'],
    ['+5', '5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['1E+05', '1e5'],
    [' 5\n', '5'],
    ['-0', '0'],
  ])('%j → %s', (value, expected) => expect(canonicalNumber(value)).toBe(expected));
  test.each([
    ...['nan', 'inf', 'Infinity', '1_000', '0x10', '', ' ', '5 5', '1e999', '--5', '5--', '5;', '１'],
    Number.NaN,
    Infinity,
    null,
    true,
    [5],
  ])('not %j', (value) => expect(canonicalNumber(value)).toBeNull());
});

test('security 32: a million digits before a letter are no number', () => {
  expect(canonicalNumber(`${'1'.repeat(1_000_000)}x`)).toBeNull();
});
