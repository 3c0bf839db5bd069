import { describe, expect, test } from 'vitest';
import { momentTicks, numberTicks } from './tick-format.ts';

describe('visualizations 2.6: numbers on an axis', () => {
  test.each([
    [',.2f', 1234567.891, '1,234,567.89'],
    ['.1%', 0.1234, '12.3%'],
    ['$,.0f', 1234.5, '$1,235'],
    ['~s', 1500, '1.5k'],
    ['~s', 1_000_000, '1M'],
    ['.3s', 1234567, '1.23M'],
    ['.2s', 0.00042, '420µ'],
    ['~s', 0, '0'],
    ['d', 12.6, '13'],
    [',d', 1234567, '1,234,567'],
    ['+.1f', 3, '+3.0'],
    ['(.1f', -3, '(3.0)'],
    ['.1f', -3.14, '−3.1'],
    ['.0f', -0.2, '0'],
    ['05d', 42, '00042'],
    ['*^8d', 42, '***42***'],
    ['<6d', 42, '42    '],
    ['.2e', 123456, '1.23e+5'],
    ['.3r', 123456, '123000'],
    ['.2p', 0.1234, '12%'],
    ['#x', 255, '0xff'],
    ['X', 255, 'FF'],
    ['b', 5, '101'],
    ['.3~f', 1.5, '1.5'],
    ['n', 1234567, '1.23457e+6'],
    [',', 1234.5, '1,234.5'],
  ])('%j of %d is %j', (format, value, text) => {
    expect(numberTicks(format)?.(value)).toBe(text);
  });

  test.each(['', 'nonsense', '%Y', '.', '<script>'])('%j is no format of numbers', (format) => {
    expect(numberTicks(format)).toBeUndefined();
  });

  test('with the separators of the organisation', () => {
    expect(numberTicks(',.1f', { thousands: '.', decimal: ',' })?.(1234.56)).toBe('1.234,6');
  });

  test('values that are no numbers stay unchanged', () => {
    expect(numberTicks(',.1f')?.(Number.NaN)).toBe('NaN');
    expect(numberTicks('d')?.(1e300)).toBe('1e+300');
  });
});

describe('visualizations 2.6: moments on an axis', () => {
  const moment = Date.UTC(2024, 1, 9, 7, 5, 3, 45);
  test.each([
    ['%Y-%m-%d', '2024-02-09'],
    ['%b %d', 'Feb 09'],
    ['%H:%M', '07:05'],
    ['%-d %B %y', '9 February 24'],
    ['%I:%M:%S.%L %p', '07:05:03.045 AM'],
    ['%A, week %V, day %j', 'Friday, week 06, day 040'],
    ['100%% %H', '100% 07'],
    ['%k', '%k'],
  ])('%j is %j', (format, text) => {
    expect(momentTicks(format)?.(moment)).toBe(text);
  });

  test('a format of numbers is none of moments', () => {
    expect(momentTicks(',.2f')).toBeUndefined();
    expect(momentTicks('')).toBeUndefined();
  });
});
