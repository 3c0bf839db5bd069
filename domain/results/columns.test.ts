import { expect, test } from 'vitest';
import { commonType, resultColumns, typeInference, typeOf, uniqueNames } from './columns.ts';
import { ExactDecimal } from './exact-decimal.ts';

test.each([
  [
    ['a', 'a', 'a'],
    ['a', 'a1', 'a2'],
  ],
  [
    ['a', 'a1', 'a'],
    ['a', 'a1', 'a2'],
  ],
  [
    ['a', 'a', 'a1'],
    ['a', 'a1', 'a11'],
  ],
  [
    ['?column?', '?column?'],
    ['?column?', '?column?1'],
  ],
  [[], []],
])('server-behaviour 11.1: columns %j become %j', (names, unique) => {
  expect(uniqueNames(names)).toEqual(unique);
});

test('server-behaviour 11.1: the friendly name is the unique name', () => {
  expect(
    resultColumns([
      { name: 'a', type: 'integer' },
      { name: 'a', type: null },
    ]),
  ).toEqual([
    { name: 'a', friendly_name: 'a', type: 'integer' },
    { name: 'a1', friendly_name: 'a1', type: null },
  ]);
});

test.each([
  [1, 'integer'],
  [1.5, 'float'],
  [2n, 'integer'],
  [true, 'boolean'],
  ['2026-01-01', 'date'],
  ['2026-01-01T10:00:00Z', 'datetime'],
  ['2026-01-01T10:00:00.123456+02:00', 'datetime'],
  ['2026-01-01 10:00', 'string'],
  ['2026-01-01T10:00:01.7+03:00 stderr F {', 'string'],
  ['2026-13-01', 'string'],
  ['2026-01-01T25:00', 'string'],
  ['', 'string'],
  [new ExactDecimal('0.10000000000000000001'), 'float'],
  [null, null],
  [{ a: 1 }, null],
])('Q3: %s is of type %s', (value, type) => {
  expect(typeOf(value)).toBe(type);
});

test.each([
  ['integer', 'float', 'float'],
  ['date', 'datetime', 'datetime'],
  ['integer', 'boolean', 'string'],
  ['float', 'string', 'string'],
  [null, 'date', 'date'],
  ['date', null, 'date'],
] as const)('Q3: %s and %s in one column are %s', (a, b, common) => {
  expect(commonType(a, b)).toBe(common);
});

test('Q3: types are learned from the rows, known ones are kept', () => {
  const types = typeInference([
    { name: 'known', type: 'string' },
    { name: 'n', type: null },
    { name: 'empty', type: null },
  ]);
  types.see([1, 1, null]);
  types.see([2, 1.5]);
  expect(types.columns().map((column) => column.type)).toEqual(['string', 'float', null]);
});
