import { describe, expect, test } from 'vitest';
import { formatNumber } from './number-format.ts';

describe('visualizations 2.4: the number formats, byte for byte', () => {
  test.each<[string, unknown, string]>([
    ['0,0', 1234567.891, '1,234,568'],
    ['0,0.00', 1234.5, '1,234.50'],
    ['0,0[.]00', 1234, '1,234'],
    ['0,0[.]00', 1234.5, '1,234.50'],
    ['0,0[.]00000', 1234.5, '1,234.50000'],
    ['0,0[.]00000', 0.1234567, '0.12346'],
    ['0[.]00[0]', 2, '2'],
    ['0[.]00[0]', 1.5, '1.50'],
    ['0[.]00[0]', 1.2345, '1.235'],
    ['0,0.0[00]', 1.25, '1.25'],
    ['0.[00]', 3, '3'],
    ['0[.]00%', 12.345, '12.35%'],
    ['0a', 1234567, '1m'],
    ['0.0a', 1234, '1.2k'],
    ['0.0 a', 1234, '1.2 k'],
    ['0ak', 1234567, '1235k'],
    ['0.00am', 123456, '0.12m'],
    ['0o', 1, '1st'],
    ['0o', 12, '12th'],
    ['$0,0.00', -1234.5, '-$1,234.50'],
    ['($0,0.00)', -1234.5, '($1,234.50)'],
    ['0,0 $', 1234, '1,234 $'],
    ['0b', 1024, '1KB'],
    ['0.0b', 3072, '3.1KB'],
    ['0 ib', 2048, '2 KiB'],
    ['0.0ib', 3072, '3.0KiB'],
    ['00:00:00', 3661, '1:01:01'],
    ['0.00e+0', 123456, '1.23e+5'],
    ['+0,0', 12, '+12'],
    ['(0,0)', -12, '(12)'],
    ['00000', 123, '00123'],
    ['0,0', -1234.5, '-1,234'],
    ['0.00', 1.005, '1.01'],
    ['0,0 units', 5, '5'],
  ])('%s of %s is %s', (format, value, text) => {
    expect(formatNumber(value, format)).toBe(text);
  });
});

describe('the rest of the language', () => {
  test.each<[string, unknown, string]>([
    ['0,0.0000', 10000.23, '10,000.2300'],
    ['000000,0', 1000.1234, '001,000'],
    ['.00', -0.23, '-.23'],
    ['(.00)', -0.23, '(.23)'],
    ['0.0[0000]', 0.23, '0.23'],
    ['0 a', 1460, '1 k'],
    ['0a', -104000, '-104k'],
    ['0a', 999_999, '1m'],
    ['0a', 12, '12'],
    ['0.0a', 1.5e12, '1.5t'],
    ['(0 %)', -43, '(43 %)'],
    ['$ 0,0', 5, '$ 5'],
    ['0,0+', 5, '5+'],
    ['0,0-', -5, '5-'],
    ['0.00e+0', 0.000123, '1.23e-4'],
    ['0.0e+0', 9.99, '1.0e+1'],
    ['0e+0', 0, '0e+0'],
    ['0b', 0, '0B'],
    ['0.0b', -3072, '-3.1KB'],
    ['0 BPS', 0.0123, '123 BPS'],
    ['0o', 111, '111th'],
    ['0o', 23, '23rd'],
    ['0:00', -61, '-0:01:01'],
    ['0,0', -0.4, '0'],
    ['0.00', -0.001, '0.00'],
    ['0 watts', 1234, '1234'],
    ['0.00 °C', 1.234, '1.23'],
  ])('%s of %s is %s', (format, value, text) => {
    expect(formatNumber(value, format)).toBe(text);
  });
});

describe('what upstream gets wrong', () => {
  test('41: text that is no number prints as it is', () => {
    expect(formatNumber('broken', '0,0.00')).toBe('broken');
    expect(formatNumber('', '0,0')).toBe('');
    expect(formatNumber(true, '0,0')).toBe('true');
    expect(formatNumber('.', '0,0')).toBe('.');
  });

  test('numbers beyond doubles keep every digit', () => {
    expect(formatNumber('12345678901234567890.125', '0,0.00')).toBe('12,345,678,901,234,567,890.13');
    expect(formatNumber('999999999999999999.9', '0,0')).toBe('1,000,000,000,000,000,000');
    expect(formatNumber(1e21, '0,0')).toBe('1,000,000,000,000,000,000,000');
    expect(formatNumber(1e-7, '0.00000000')).toBe('0.00000010');
    expect(formatNumber(123n, '0,0.0')).toBe('123.0');
  });

  test('infinity, NaN and absurd exponents print as they are', () => {
    expect(formatNumber(Number.POSITIVE_INFINITY, '0,0')).toBe('Infinity');
    expect(formatNumber(Number.NaN, '0,0')).toBe('NaN');
    expect(formatNumber('1e99999', '0,0')).toBe('1e99999');
  });
});

test('an empty format is plain text, nothing is empty', () => {
  expect(formatNumber(1234.5, '')).toBe('1234.5');
  expect(formatNumber(null, '0,0')).toBe('');
  expect(formatNumber(undefined, '0,0')).toBe('');
});

test('visualizations 2.4: printed separators are the organisation’s', () => {
  expect(formatNumber(1234567.5, '0,0.00', { thousands: '.', decimal: ',' })).toBe('1.234.567,50');
  expect(formatNumber(1234567.5, '0,0.00', { thousands: '', decimal: ',' })).toBe('1234567,50');
  expect(formatNumber(1234567.5, '0,0.00')).toBe('1,234,567.50');
});
