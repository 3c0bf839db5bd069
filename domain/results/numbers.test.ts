import { expect, test } from 'vitest';
import { decimalJson, isExactNumber } from './numbers.ts';

test.each([
  ['0', '0'],
  ['-5', '-5'],
  ['1.10', '1.10'],
  ['0.1', '0.1'],
  ['123456789012345', '123456789012345'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '"9007199254740993"'],
  ['9223372036854775807', '"9223372036854775807"'],
  ['1152921504606846976', '"1152921504606846976"'], // held exactly, but every reader would print …7000
  ['100000000000000000000', '100000000000000000000'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['0.12345678901234567890', '"0.12345678901234567890"'],
  ['3.14159265358979323846', '"3.14159265358979323846"'],
  ['1.50000000000000000000', '1.50000000000000000000'],
  ['-0.000000000000000000001', '-0.000000000000000000001'],
  [`1${'0'.repeat(400)}`, `"1${'0'.repeat(400)}"`],
  ['1e400', '"1e400"'],
  ['1e-400', '"1e-400"'],
  ['1e+20', '1e+20'],
  ['.5', '0.5'],
  ['+7', '7'],
  ['007', '7'],
  ['NaN', 'null'],
  ['Infinity', 'null'],
  ['-Infinity', 'null'],
  ['-inf', 'null'],
  ['', '""'],
  ['.', '"."'],
  ['twelve', '"twelve"'],
])('design 8: %s is written as %s', (text, json) => {
  expect(decimalJson(text)).toBe(json);
  JSON.parse(json);
});

test('design 8: a number called exact prints as the same value again', () => {
  for (let i = 0; i < 2000; i++) {
    const digits = String(Math.floor(Math.random() * 1e9)) + String(Math.floor(Math.random() * 1e9)).padStart(9, '0');
    if (isExactNumber(digits)) expect(BigInt(digits)).toBe(BigInt(String(Number(digits))));
    else expect(String(Number(digits))).not.toBe(digits.replace(/^0+(?=\d)/, ''));
  }
});

test.each([`${'1'.repeat(1_000_000)}x`, `1${'0'.repeat(1_000_000)}1`])('security 32: a text of a million digits is not exact', (text) => {
  expect(isExactNumber(text)).toBe(false);
});
