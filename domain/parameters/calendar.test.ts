import { describe, expect, test } from 'vitest';
import { addDays, addMonths, daysInMonth, formatWall, parseWall, wallAt, wallMs, weekdayOf } from './calendar.ts';

const parse = (text: string) => {
  const wall = parseWall(text);
  return wall && formatWall(wall, 'second');
};

describe('server-behaviour 27.2: only canonical dates that exist are dates', () => {
  test.each([
    ['2024-02-29', '2024-02-29 00:00:00'],
    ['2024-12-31 23:59', '2024-12-31 23:59:00'],
    ['2024-12-31T23:59:58', '2024-12-31 23:59:58'],
    ['0001-01-01', '0001-01-01 00:00:00'],
    ['2000-02-29', '2000-02-29 00:00:00'],
  ])('%s', (text, expected) => expect(parse(text)).toBe(expected));

  test.each([
    ...['10', 'Mon', '12:30', '3;4', '10 and 5', "2020-01-01'--", '2020-01-01;', '2020-01-01\n--'],
    ...['', 'd_yesterday', "2020-01-01' OR 1=1", '2020-01-01 UNION'],
    ...['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-10', '2024-01-00', '2024-04-31', '0000-01-01'],
    ...['2024-01-01 24:00', '2024-01-01 10:60', '2024-01-01 10:00:60', '2024-01-01 10', '2024-01-01  10:00'],
    ...[
      '2024-1-1',
      '24-01-01',
      ' 2024-01-01',
      '2024-01-01 ',
      '2024-01-01\n',
      '2024-01-01T10:00Z',
      '2024-01-01 10:00:00.5',
      '２０２４-01-01',
    ],
  ])('not %j', (text) => expect(parse(text)).toBeNull());
});

test('Q9: dates are written by precision', () => {
  const wall = { year: 24, month: 3, day: 4, hour: 5, minute: 6, second: 7 };
  expect(formatWall(wall, 'day')).toBe('0024-03-04');
  expect(formatWall(wall, 'minute')).toBe('0024-03-04 05:06');
  expect(formatWall(wall, 'second')).toBe('0024-03-04 05:06:07');
});

test('the calendar knows leap years, month ends and week days', () => {
  expect([1900, 2000, 2023, 2024].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29]);
  const day = (text: string) => parseWall(text) ?? wallAt(0);
  expect(formatWall(addDays(day('2024-02-28'), 2), 'day')).toBe('2024-03-01');
  expect(formatWall(addMonths(day('2024-03-31'), -1), 'day')).toBe('2024-02-29');
  expect(formatWall(addMonths(day('2024-02-29'), -12), 'day')).toBe('2023-02-28');
  expect(formatWall(addMonths(day('2024-01-31'), -1), 'day')).toBe('2023-12-31');
  expect(formatWall(addMonths(day('2024-12-31'), 2), 'day')).toBe('2025-02-28');
  expect(weekdayOf(day('2024-05-01'))).toBe(3);
  expect(wallAt(wallMs(day('0099-06-07 08:09:10')))).toEqual(day('0099-06-07 08:09:10'));
});
