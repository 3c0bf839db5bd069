import { describe, expect, test } from 'vitest';
import type { QueryParameter } from '../parameters/contract.ts';
import type { ParameterMappings } from './parameter-mapping.ts';
import { isAskedBy, isAskedFor, publicParameters } from './public-parameters.ts';

const clock = { now: new Date('2026-03-10T12:00:00Z'), timeZone: 'UTC' };
const fix = (name: string, value: unknown): ParameterMappings => ({
  [name]: { name, type: 'static-value', mapTo: name, value, title: '' },
});
const asked = (parameter: QueryParameter, fixed: unknown, given: unknown) =>
  isAskedBy([fix(parameter.name, fixed)], [parameter], { [parameter.name]: given }, clock);

describe('security 23: a fixed value is as fixed', () => {
  const number: QueryParameter = { name: 'p', type: 'number', value: 1 };
  const choice: QueryParameter = { name: 'p', type: 'enum', enumOptions: 'a\nb', value: 'a' };
  const several: QueryParameter = { ...choice, multiValuesOptions: { separator: ',' } };
  const range: QueryParameter = { name: 'p', type: 'date-range' };
  const date: QueryParameter = { name: 'p', type: 'date' };

  test.each<[QueryParameter, unknown, unknown, boolean]>([
    [number, 5, 5, true],
    [number, 5, '5', true],
    [number, '5', 5.0, true],
    [number, 5, 6, false],
    [number, 5, undefined, false],
    [number, 5, { toString: 5 }, false],
    [number, null, 1, true],
    [number, null, 2, false],
    [choice, 'a', 'a', true],
    [choice, 'a', 'b', false],
    [choice, 'a', 'unknown', false],
    [several, ['a'], ['a'], true],
    [several, ['a'], ['a', 'b'], false],
    [several, ['a', 'b'], ['b', 'a'], false],
    [date, '2026-01-01', '2026-01-01', true],
    [date, '2026-01-01', '2026-01-02', false],
    [date, 'd_now', 'd_now', true],
    [date, 'd_now', '2026-03-10', true],
    [date, 'd_now', '2026-03-11', true],
    [date, 'd_now', '2026-03-12', false],
    [date, 'd_now', '1999-01-01', false],
    [range, 'd_last_7_days', 'd_last_7_days', true],
    [range, 'd_last_7_days', { start: '2026-03-03', end: '2026-03-10' }, true],
    [range, 'd_last_7_days', { start: '2026-03-04', end: '2026-03-11' }, true],
    [range, 'd_last_7_days', { start: '2020-03-03', end: '2026-03-10' }, false],
    [range, 'd_last_7_days', 'd_this_year', false],
    [range, 'd_last_7_days', null, false],
    [range, { start: '2026-01-01', end: '2026-01-31' }, '2026-01-01--2026-01-31', true],
    [range, { start: '2026-01-01', end: '2026-01-31' }, { start: '2025-01-01', end: '2026-01-31' }, false],
  ])('%o fixed at %j, asked with %j: %s', (parameter, fixed, given, expected) => {
    expect(asked(parameter, fixed, given)).toBe(expected);
  });

  test('one widget that would ask so is enough, none is not', () => {
    expect(isAskedBy([fix('p', 1), fix('p', 2)], [number], { p: 2 }, clock)).toBe(true);
    expect(isAskedBy([fix('p', 1), undefined], [number], { p: 9 }, clock)).toBe(true);
    expect(isAskedBy([], [number], { p: 1 }, clock)).toBe(false);
    expect(isAskedFor([fix('p', 1)], number)).toBe(false);
    expect(isAskedFor([fix('p', 1), undefined], number)).toBe(true);
  });

  test('all fixed values of one widget belong together', () => {
    const [a, b]: QueryParameter[] = [
      { ...number, name: 'a' },
      { ...number, name: 'b' },
    ];
    const widgets = [
      { ...fix('a', 1), ...fix('b', 1) },
      { ...fix('a', 2), ...fix('b', 2) },
    ];
    expect(isAskedBy(widgets, [a as QueryParameter, b as QueryParameter], { a: 1, b: 2 }, clock)).toBe(false);
    expect(isAskedBy(widgets, [a as QueryParameter, b as QueryParameter], { a: 2, b: 2 }, clock)).toBe(true);
  });

  test('a fixed parameter shows its value, others the fields of a form, and no unknown fields', () => {
    const open = { ...choice, name: 'q', secret: 'x' } as QueryParameter;
    const told = publicParameters([{ ...choice, secret: 'x' } as QueryParameter, open], fix('p', null));
    expect(told.parameters).toEqual([
      { name: 'p', type: 'enum' },
      { name: 'q', type: 'enum', value: 'a', enumOptions: 'a\nb' },
    ]);
    expect(told.parameterMappings).toMatchObject({ p: { value: 'a' }, q: { type: 'widget-level' } });
  });
});
