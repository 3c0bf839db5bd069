import { describe, expect, test } from 'vitest';
import type { QueryParameter } from './contract.ts';
import { fromUrl, toUrl } from './url.ts';
import type { ParameterValue } from './values.ts';

const of = (type: string, more: Partial<QueryParameter> = {}): QueryParameter => ({ name: 'p', type, ...more });
const read = (definition: QueryParameter, address: Record<string, string>, widgetId?: number) =>
  fromUrl(definition, (key) => address[key], widgetId);

describe('screens 1.7: values in the address', () => {
  const cases: [QueryParameter, ParameterValue, Record<string, string | null>][] = [
    [of('text'), 'a b', { p_p: 'a b' }],
    [of('text'), null, { p_p: null }],
    [of('number'), 5, { p_p: '5' }],
    [of('enum', { enumOptions: 'a\nb,c', multiValuesOptions: {} }), ['a', 'b,c'], { p_p: '["a","b,c"]' }],
    [of('date'), 'd_now', { p_p: 'd_now' }],
    [of('date-range'), 'd_this_week', { p_p: 'd_this_week', 'p_p.start': null, 'p_p.end': null }],
    [of('date-range'), { start: '2024-01-01', end: '2024-01-31' }, { p_p: '2024-01-01--2024-01-31', 'p_p.start': null, 'p_p.end': null }],
    [
      of('datetime-range'),
      { start: '2024-01-01 00:00', end: '2024-01-31 10:00' },
      { p_p: '2024-01-01 00:00--2024-01-31 10:00', 'p_p.start': null, 'p_p.end': null },
    ],
  ];
  test.each(cases)('%j %j is written', (definition, value, expected) => expect(toUrl(definition, value)).toEqual(expected));
  test.each(cases.filter(([, value]) => value !== null))('%j %j is read back', (definition, value, address) => {
    expect(read(definition, { p_p: address.p_p ?? '' })).toEqual(value);
  });
});

test('screens 1.7: the parameter of a widget has its own key', () => {
  expect(toUrl(of('text'), 'x', 12)).toEqual({ p_w12_p: 'x' });
  expect(read(of('text'), { p_w12_p: 'x', p_p: 'y' }, 12)).toBe('x');
});

test('screens 1.7: the legacy form of ranges is read, the new one wins', () => {
  const legacy = { 'p_p.start': '2024-01-01', 'p_p.end': '2024-01-02' };
  expect(read(of('date-range'), legacy)).toEqual({ start: '2024-01-01', end: '2024-01-02' });
  expect(read(of('date-range'), { ...legacy, p_p: 'd_today' })).toBe('d_today');
  expect(read(of('date-range'), { 'p_p.start': '2024-01-01' })).toBeUndefined();
});

test('an address that does not speak of a parameter says nothing; nonsense is normalised', () => {
  expect(read(of('text'), {})).toBeUndefined();
  expect(read(of('number'), { p_p: 'x' })).toBeNull();
  expect(read(of('query', { multiValuesOptions: {} }), { p_p: '[not json' })).toEqual(['[not json']);
  expect(read(of('query', { multiValuesOptions: {} }), { p_p: 'one' })).toEqual(['one']);
});
