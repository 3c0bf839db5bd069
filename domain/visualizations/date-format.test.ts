import { describe, expect, test } from 'vitest';
import { formatDate, withSeconds } from './date-format.ts';
import { instantOf, isDay, isTimestamp, parseInstant } from './instant.ts';

const moment = '2024-02-09T07:05:03.045Z';

describe('visualizations 2.5: tokens', () => {
  test.each([
    ['DD/MM/YY HH:mm', '09/02/24 07:05'],
    ['YYYY-MM-DD HH:mm:ss.SSS', '2024-02-09 07:05:03.045'],
    ['S SS SSS SSSSSS', '0 04 045 045000'],
    ['Q M MM MMM MMMM Mo', '1 2 02 Feb February 2nd'],
    ['D DD Do DDD DDDD', '9 09 9th 40 040'],
    ['d dd ddd dddd E e', '5 Fr Fri Friday 5 5'],
    ['w ww W WW', '6 06 6 06'],
    ['gg gggg GG GGGG', '24 2024 24 2024'],
    ['H HH h hh k kk a A', '7 07 7 07 7 07 am AM'],
    ['Z ZZ X x', '+00:00 +0000 1707462303 1707462303045'],
    ['L', '02/09/2024'],
    ['LL', 'February 9, 2024'],
    ['LLL', 'February 9, 2024 7:05 AM'],
    ['LLLL', 'Friday, February 9, 2024 7:05 AM'],
    ['LT LTS', '7:05 AM 7:05:03 AM'],
    ['[Week of] MMM D, YYYY', 'Week of Feb 9, 2024'],
    ['YYYY年M月D日', '2024年2月9日'],
  ])('%s', (format, text) => {
    expect(formatDate(moment, format)).toBe(text);
  });

  test('midnight and noon', () => {
    expect(formatDate('2024-01-01T00:00:00Z', 'h A k')).toBe('12 AM 24');
    expect(formatDate('2024-01-01T12:00:00Z', 'h A k')).toBe('12 PM 12');
  });

  test.each([
    ['2021-01-01', '53 2020', '1 2021'],
    ['2024-12-30', '1 2025', '1 2025'],
    ['2024-12-28', '52 2024', '52 2024'],
    ['2023-01-01', '52 2022', '1 2023'],
    ['2020-12-31', '53 2020', '1 2021'],
  ])('the week of %s is %s (ISO) and %s (from Sunday)', (date, iso, sunday) => {
    expect(formatDate(date, 'W GGGG')).toBe(iso);
    expect(formatDate(date, 'w gggg')).toBe(sunday);
  });

  test('days of the year on both sides of a leap day', () => {
    expect(formatDate('2024-12-31', 'DDD')).toBe('366');
    expect(formatDate('2023-12-31', 'DDD')).toBe('365');
    expect(formatDate('2023-03-01', 'DDD')).toBe('60');
    expect(formatDate('2024-03-01', 'DDD')).toBe('61');
  });
});

describe('visualizations 2.5: values that are moments', () => {
  test.each([
    ['2024-02-09', '2024-02-09T00:00:00.000Z'],
    ['2024-02-09T07:05', '2024-02-09T07:05:00.000Z'],
    ['2024-02-09 07:05:03', '2024-02-09T07:05:03.000Z'],
    ['2024-02-09T07:05:03.0459999Z', '2024-02-09T07:05:03.045Z'],
    ['2024-02-09T07:05:03+05:30', '2024-02-09T01:35:03.000Z'],
    ['2024-02-09T07:05:03-0330', '2024-02-09T10:35:03.000Z'],
    ['20220101', '2022-01-01T00:00:00.000Z'],
    ['2022-W01', '2022-01-03T00:00:00.000Z'],
    ['2022-W01-7', '2022-01-09T00:00:00.000Z'],
    ['2022-032', '2022-02-01T00:00:00.000Z'],
    ['2022-03', '2022-03-01T00:00:00.000Z'],
    ['20220101T101112Z', '2022-01-01T10:11:12.000Z'],
    ['Mon, 25 Dec 1995 13:30:00 +0430', '1995-12-25T09:00:00.000Z'],
    ['25 Dec 1995 13:30 GMT', '1995-12-25T13:30:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
    [1707462303045, '2024-02-09T07:05:03.045Z'],
  ])('%s', (value, iso) => {
    expect(new Date(instantOf(value) ?? 0).toISOString()).toBe(iso);
  });

  test.each([
    '12/25/1995',
    'today',
    '',
    '2024-02-30',
    '2024-13-01',
    '2024-02-09T25:00:00',
    '2024-02-09T',
    '2024-02-09Tabc',
    '2024-02-09T07:05:03.Z',
    '2021-01-27T00:00:01.7+03:00 stderr F {',
    '2023-366',
    Number.NaN,
    9e15,
    true,
    {},
  ])('%s is none and prints as it is', (value) => {
    expect(instantOf(value)).toBeUndefined();
    expect(formatDate(value, 'YYYY')).toBe(String(value));
  });

  test('visualizations 2.1: strict about what makes a column one of dates', () => {
    expect(isTimestamp('2021-01-27T00:00:01.7+03:00')).toBe(true);
    expect(isTimestamp('2021-01-27T00:00:01.7+03:00 stderr F {')).toBe(false);
    expect(isTimestamp('2021-01-27')).toBe(false);
    expect(isDay('2021-01-27')).toBe(true);
    expect(isDay('2021-02-29')).toBe(false);
  });

  test('an empty format is plain text', () => {
    expect(formatDate(moment, '')).toBe(moment);
    expect(formatDate(null, 'YYYY')).toBe('');
  });
});

test('every day is the day that the calendar has', () => {
  for (let at = Date.UTC(1890, 0, 1); at < Date.UTC(2110, 0, 1); at += 86_400_000) {
    const text = new Date(at).toISOString();
    expect(parseInstant(text.slice(0, 10))).toBe(at);
  }
  for (const year of [0, 1, 4, 99, 100, 400, 1600, 9999]) {
    const at = new Date(0).setUTCFullYear(year, 1, 28);
    expect(parseInstant(new Date(at).toISOString())).toBe(at);
  }
  for (const none of ['2023-02-29', '1900-02-29', '2024-02-30', '2024-04-31', '2024-13-01', '2024-00-10', '2024-01-00']) {
    expect(parseInstant(none)).toBeUndefined();
  }
});

test.each([
  ['DD/MM/YYYY HH:mm', 'DD/MM/YYYY HH:mm:ss'],
  ['DD/MM/YYYY h:mm A', 'DD/MM/YYYY h:mm:ss A'],
  ['HH:mm:ss', 'HH:mm:ss'],
  ['YYYY-MM-DD', 'YYYY-MM-DD'],
  ['[mm] HH:mm', '[mm] HH:mm:ss'],
])('%s with seconds is %s', (format, expected) => {
  expect(withSeconds(format)).toBe(expected);
});
