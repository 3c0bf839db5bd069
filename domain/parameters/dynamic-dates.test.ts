import { describe, expect, test } from 'vitest';
import type { ParameterType } from './contract.ts';
import { dynamicValues, resolveDynamicDate, resolveDynamicRange } from './dynamic-dates.ts';

const clock = (now: string, timeZone = 'UTC', weekStart?: number) => ({ now: new Date(now), timeZone, weekStart });
const range = (value: string, at: ReturnType<typeof clock>, type: ParameterType = 'datetime-range-with-seconds') => {
  const found = resolveDynamicRange(value, type, at);
  return found && `${found.start} … ${found.end}`;
};

describe('Q3 and 10.3: every dynamic range, on Wednesday 2024-05-01 10:07:30 UTC', () => {
  const at = clock('2024-05-01T10:07:30Z');
  test.each([
    ['d_5Minutes', '2024-05-01 10:02:30 … 2024-05-01 10:07:30'],
    ['d_15Minutes', '2024-05-01 09:52:30 … 2024-05-01 10:07:30'],
    ['d_1Hours', '2024-05-01 09:07:30 … 2024-05-01 10:07:30'],
    ['d_3Hours', '2024-05-01 07:07:30 … 2024-05-01 10:07:30'],
    ['d_6Hours', '2024-05-01 04:07:30 … 2024-05-01 10:07:30'],
    ['d_12Hours', '2024-04-30 22:07:30 … 2024-05-01 10:07:30'],
    ['d_24Hours', '2024-04-30 10:07:30 … 2024-05-01 10:07:30'],
    ['d_today', '2024-05-01 00:00:00 … 2024-05-01 23:59:59'],
    ['d_yesterday', '2024-04-30 00:00:00 … 2024-04-30 23:59:59'],
    ['d_this_week', '2024-04-28 00:00:00 … 2024-05-04 23:59:59'],
    ['d_this_month', '2024-05-01 00:00:00 … 2024-05-31 23:59:59'],
    ['d_this_year', '2024-01-01 00:00:00 … 2024-12-31 23:59:59'],
    ['d_last_week', '2024-04-21 00:00:00 … 2024-04-27 23:59:59'],
    ['d_last_month', '2024-04-01 00:00:00 … 2024-04-30 23:59:59'],
    ['d_last_year', '2023-01-01 00:00:00 … 2023-12-31 23:59:59'],
    ['d_last_7_days', '2024-04-24 00:00:00 … 2024-05-01 10:07:30'],
    ['d_last_14_days', '2024-04-17 00:00:00 … 2024-05-01 10:07:30'],
    ['d_last_30_days', '2024-04-01 00:00:00 … 2024-05-01 10:07:30'],
    ['d_last_60_days', '2024-03-02 00:00:00 … 2024-05-01 10:07:30'],
    ['d_last_90_days', '2024-02-01 00:00:00 … 2024-05-01 10:07:30'],
    ['d_last_12_months', '2023-05-01 00:00:00 … 2024-05-01 10:07:30'],
  ])('%s', (value, expected) => expect(range(value, at)).toBe(expected));

  test('this table has them all; whole days offer nothing shorter', () => {
    expect(dynamicValues('datetime-range')).toHaveLength(21);
    expect(dynamicValues('date-range')).toHaveLength(16);
  });
});

describe('Q9: written by type', () => {
  const at = clock('2024-05-01T10:07:30Z');
  test.each([
    ['date-range', '2024-04-30 … 2024-05-01'],
    ['datetime-range', '2024-04-30 22:07 … 2024-05-01 10:07'],
    ['datetime-range-with-seconds', '2024-04-30 22:07:30 … 2024-05-01 10:07:30'],
  ] as const)('%s', (type, expected) => expect(range('d_12Hours', at, type)).toBe(expected));
  test.each([
    ['date', '2024-05-01', '2024-04-30'],
    ['datetime-local', '2024-05-01 10:07', '2024-04-30 10:07'],
    ['datetime-with-seconds', '2024-05-01 10:07:30', '2024-04-30 10:07:30'],
  ] as const)('%s', (type, now, yesterday) => {
    expect(resolveDynamicDate('d_now', type, at)).toBe(now);
    expect(resolveDynamicDate('d_yesterday', type, at)).toBe(yesterday);
  });
});

describe('the day is the day of the time zone', () => {
  test.each([
    ['UTC', '2024-05-01 23:30:00', '2024-05-01 00:00:00 … 2024-05-01 23:59:59'],
    ['Europe/Berlin', '2024-05-02 01:30:00', '2024-05-02 00:00:00 … 2024-05-02 23:59:59'],
    ['America/New_York', '2024-05-01 19:30:00', '2024-05-01 00:00:00 … 2024-05-01 23:59:59'],
    ['Asia/Kolkata', '2024-05-02 05:00:00', '2024-05-02 00:00:00 … 2024-05-02 23:59:59'],
    ['Pacific/Kiritimati', '2024-05-02 13:30:00', '2024-05-02 00:00:00 … 2024-05-02 23:59:59'],
  ])('%s', (timeZone, now, today) => {
    const at = clock('2024-05-01T23:30:00Z', timeZone);
    expect(resolveDynamicDate('d_now', 'datetime-with-seconds', at)).toBe(now);
    expect(range('d_today', at)).toBe(today);
  });

  test('a zone that does not exist is an error, not a wrong day', () => {
    expect(() => range('d_today', clock('2024-05-01T00:00:00Z', 'Mars/Base'))).toThrow(RangeError);
  });
});

describe('W24: correct when the clocks change', () => {
  test.each([
    // Berlin goes forward on 2024-03-31 at 02:00, back on 2024-10-27 at 03:00.
    ['Europe/Berlin', '2024-03-31T10:00:00Z', 'd_12Hours', '2024-03-30 23:00:00 … 2024-03-31 12:00:00'],
    ['Europe/Berlin', '2024-03-31T10:00:00Z', 'd_today', '2024-03-31 00:00:00 … 2024-03-31 23:59:59'],
    ['Europe/Berlin', '2024-10-27T10:00:00Z', 'd_12Hours', '2024-10-27 00:00:00 … 2024-10-27 11:00:00'],
    ['Europe/Berlin', '2024-10-27T22:59:59Z', 'd_24Hours', '2024-10-27 00:59:59 … 2024-10-27 23:59:59'],
    ['Europe/Berlin', '2024-11-01T10:00:00Z', 'd_last_7_days', '2024-10-25 00:00:00 … 2024-11-01 11:00:00'],
    ['Europe/Berlin', '2024-04-01T00:30:00Z', 'd_yesterday', '2024-03-31 00:00:00 … 2024-03-31 23:59:59'],
    // New York goes forward on 2024-03-10, back on 2024-11-03.
    ['America/New_York', '2024-03-10T12:00:00Z', 'd_12Hours', '2024-03-09 19:00:00 … 2024-03-10 08:00:00'],
    ['America/New_York', '2024-11-03T12:00:00Z', 'd_12Hours', '2024-11-02 20:00:00 … 2024-11-03 07:00:00'],
    ['America/New_York', '2024-11-04T04:59:00Z', 'd_today', '2024-11-03 00:00:00 … 2024-11-03 23:59:59'],
    // Kolkata never changes and is half an hour off.
    ['Asia/Kolkata', '2024-03-31T18:29:59Z', 'd_this_month', '2024-03-01 00:00:00 … 2024-03-31 23:59:59'],
    ['Asia/Kolkata', '2024-03-31T18:30:00Z', 'd_this_month', '2024-04-01 00:00:00 … 2024-04-30 23:59:59'],
  ])('%s %s %s', (timeZone, now, value, expected) => expect(range(value, clock(now, timeZone))).toBe(expected));

  test('an hour that the clocks skipped is read as the hour after', () => {
    const at = clock('2024-04-01T00:30:00Z', 'Europe/Berlin');
    expect(resolveDynamicDate('d_yesterday', 'datetime-local', at)).toBe('2024-03-31 03:30');
    // São Paulo had no midnight on 2018-11-04.
    expect(range('d_today', clock('2018-11-04T12:00:00Z', 'America/Sao_Paulo'))).toBe('2018-11-04 01:00:00 … 2018-11-04 23:59:59');
  });

  test('an hour that came twice is left as it is', () => {
    const at = clock('2024-10-28T01:30:00Z', 'Europe/Berlin');
    expect(resolveDynamicDate('d_yesterday', 'datetime-local', at)).toBe('2024-10-27 02:30');
  });
});

describe('month ends and leap years', () => {
  test.each([
    ['2024-03-31T12:00:00Z', 'd_last_month', '2024-02-01 00:00:00 … 2024-02-29 23:59:59'],
    ['2023-03-31T12:00:00Z', 'd_last_month', '2023-02-01 00:00:00 … 2023-02-28 23:59:59'],
    ['2024-01-31T12:00:00Z', 'd_last_month', '2023-12-01 00:00:00 … 2023-12-31 23:59:59'],
    ['2024-02-29T12:00:00Z', 'd_last_year', '2023-01-01 00:00:00 … 2023-12-31 23:59:59'],
    ['2024-02-29T12:00:00Z', 'd_last_12_months', '2023-02-28 00:00:00 … 2024-02-29 12:00:00'],
    ['2024-02-10T12:00:00Z', 'd_this_month', '2024-02-01 00:00:00 … 2024-02-29 23:59:59'],
    ['2025-01-01T00:00:00Z', 'd_last_week', '2024-12-22 00:00:00 … 2024-12-28 23:59:59'],
    ['2024-03-01T00:00:00Z', 'd_yesterday', '2024-02-29 00:00:00 … 2024-02-29 23:59:59'],
  ])('%s %s', (now, value, expected) => expect(range(value, clock(now))).toBe(expected));
});

describe('screens 8.4: weeks start on Sunday unless told', () => {
  test.each([
    ['2024-05-05T12:00:00Z', undefined, '2024-05-05 … 2024-05-11'],
    ['2024-05-05T12:00:00Z', 1, '2024-04-29 … 2024-05-05'],
    ['2024-05-04T12:00:00Z', undefined, '2024-04-28 … 2024-05-04'],
    ['2024-05-06T12:00:00Z', 1, '2024-05-06 … 2024-05-12'],
    ['2024-05-03T12:00:00Z', 6, '2024-04-27 … 2024-05-03'],
  ])('%s from day %s', (now, weekStart, expected) => {
    expect(range('d_this_week', clock(now, 'UTC', weekStart), 'date-range')).toBe(expected);
  });
});

test('names of one kind are not names of the other, and nobody else is dynamic', () => {
  const at = clock('2024-05-01T10:00:00Z');
  expect(resolveDynamicDate('d_today', 'date', at)).toBeNull();
  expect(resolveDynamicRange('d_now', 'date-range', at)).toBeNull();
  for (const value of ['d_', 'toString', '__proto__', 'd_last_8_days', 'D_NOW']) {
    expect(resolveDynamicDate(value, 'date', at)).toBeNull();
    expect(resolveDynamicRange(value, 'date-range', at)).toBeNull();
  }
  expect(dynamicValues('text')).toEqual([]);
  expect(dynamicValues('date').map(({ name }) => name)).toEqual(['Today/Now', 'Yesterday']);
});
