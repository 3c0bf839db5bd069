import { expect, test } from 'vitest';
import { durationText, intervalText } from './intervals.ts';
import { isoDateTime, isoInstant, isoTime } from './times.ts';

test.each([
  ['2026-01-01 10:00:00.123456+00', '2026-01-01T10:00:00.123Z'],
  ['2026-01-01 10:00:00.999999+00', '2026-01-01T10:00:00.999Z'],
  ['2026-01-01 10:00:00.0001+00', '2026-01-01T10:00:00.000Z'],
  ['2026-01-01 10:00:00.000000+00', '2026-01-01T10:00:00Z'],
  ['2026-01-01 10:00:00.0000001+00', '2026-01-01T10:00:00Z'],
  ['2026-01-01 10:00:00.1', '2026-01-01T10:00:00.100'],
  ['2026-01-01 10:00:00', '2026-01-01T10:00:00'],
  ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
  ['2026-01-01 10:00:00 UTC', '2026-01-01 10:00:00 UTC'],
  ['2026-01-01 10:00:00+05:30', '2026-01-01T10:00:00+05:30'],
  ['2026-01-01 10:00:00-03', '2026-01-01T10:00:00-03:00'],
  ['1880-01-01 10:00:00+00:19:32', '1880-01-01T10:00:00+00:19:32'],
  ['infinity', 'infinity'],
  ['0044-03-15 10:00:00+00 BC', '0044-03-15 10:00:00+00 BC'],
])('server-behaviour 1.3: date-time %s is %s', (text, iso) => {
  expect(isoDateTime(text)).toBe(iso);
});

test('server-behaviour 1.3: a time of day keeps three decimals', () => {
  expect(isoTime('10:00:00')).toBe('10:00:00');
  expect(isoTime('10:00:00.5')).toBe('10:00:00.500');
  expect(isoTime('10:00:00+02')).toBe('10:00:00+02');
});

test('server-behaviour 1.3: a Date drops milliseconds that are zero', () => {
  expect(isoInstant(new Date('2026-01-01T00:00:00.000Z'))).toBe('2026-01-01T00:00:00Z');
  expect(isoInstant(new Date('2026-01-01T00:00:00.020Z'))).toBe('2026-01-01T00:00:00.020Z');
  expect(isoInstant(new Date(Number.NaN))).toBeNull();
});

test.each([
  ['1 day 00:00:05', '1 day, 0:00:05'],
  ['00:00:05', '0:00:05'],
  ['2 days', '2 days, 0:00:00'],
  ['1 year 2 mons 3 days 04:05:06.789', '428 days, 4:05:06.789000'],
  ['-1 days +02:03:00', '-1 day, 2:03:00'],
  ['-00:00:05', '-1 day, 23:59:55'],
  ['-00:00:00.5', '-1 day, 23:59:59.500000'],
  ['100:00:00', '4 days, 4:00:00'],
  ['1 mon -1 days', '29 days, 0:00:00'],
  ['infinity', 'infinity'],
  ['', ''],
])('server-behaviour 1.3: interval %s is %s', (text, shown) => {
  expect(intervalText(text)).toBe(shown);
});

test('server-behaviour 1.3: a duration counted in seconds', () => {
  expect(durationText(0, 86405)).toBe('1 day, 0:00:05');
  expect(durationText(0, 0)).toBe('0:00:00');
});
