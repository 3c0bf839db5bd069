import { expect, test } from 'vitest';
import { dateOf, numberKind } from './number-format.ts';

test.each([
  ['General', 'number'],
  ['0.00', 'number'],
  ['#,##0.00 "days"', 'number'],
  ['[Red]0;[Blue]-0', 'number'],
  ['0.00E+00', 'number'],
  ['\\d0', 'number'],
  ['yyyy-mm-dd', 'date'],
  ['d/m/yy', 'date'],
  ['mmm-yy', 'date'],
  ['mmmm', 'date'],
  ['[$-409]d-mmm-yyyy;@', 'date'],
  ['dd/mm/yyyy hh:mm', 'datetime'],
  ['yyyy\\-mm\\-dd\\ hh:mm:ss.000', 'datetime'],
  ['m/d/yy h:mm AM/PM', 'datetime'],
  ['hh:mm', 'time'],
  ['h:mm AM/PM', 'time'],
  ['mm:ss', 'time'],
  ['[h]:mm:ss', 'duration'],
  ['[mm]:ss', 'duration'],
  ['[m]', 'duration'],
  ['[Red][hh]:mm', 'duration'],
  ['[s].000', 'duration'],
] as const)('the format %s shows a %s', (code, kind) => {
  expect(numberKind(200, code)).toBe(kind);
});

test('formats without a code are known by their number', () => {
  expect([0, 1, 14, 20, 22, 45, 46, 49].map((id) => numberKind(id, undefined))).toEqual([
    'number',
    'number',
    'date',
    'time',
    'datetime',
    'time',
    'duration',
    'number',
  ]);
});

test('numbers outside of the calendar stay numbers', () => {
  expect(dateOf(-1, 'date', false)).toBe(-1);
  expect(dateOf(1e9, 'date', false)).toBe(1e9);
  expect(dateOf(46024.999999994, 'datetime', false)).toBe('2026-01-02T23:59:59.999');
  expect(dateOf(46024.25, 'date', false)).toBe('2026-01-02T06:00:00');
  expect(dateOf(1.5, 'time', false)).toBe('1900-01-01T12:00:00');
});

test.each([
  [1.5, '36:00:00'],
  [0.25, '06:00:00'],
  [100 + 1 / 86_400, '2400:00:01'],
  [0.1234 / 86_400, '00:00:00.123'],
  [-1, -1],
])('a length of time of %s days is %s: its hours count on beyond a day', (serial, text) => {
  expect(dateOf(serial, 'duration', false)).toBe(text);
});
