import { describe, expect, test } from 'vitest';
import { DeviceVariables, readVariables, variablesText } from './variables.ts';

describe('iot-behaviour 4.1: variables of a device', () => {
  test('are written one to a line, and read as they were written', () => {
    const variables = { offset: '-1.5', 'meter.key': 'a=b', note: '' };
    expect(variablesText(variables)).toBe('offset = -1.5\nmeter.key = a=b\nnote = ');
    expect(readVariables(`\n  ${variablesText(variables)}\n\n`)).toEqual({ variables });
    expect(readVariables(' ')).toEqual({ variables: {} });
  });

  test.each([
    ['offset', '“offset” is not of the form name = value.'],
    ['a b = 1', 'The name “a b” is not allowed: use letters, digits, “_”, “-” and “.”, at most 100 characters.'],
    ['__proto__ = 1', 'The name “__proto__” is not allowed: use letters, digits, “_”, “-” and “.”, at most 100 characters.'],
    ['a = 1\na = 2', '“a” is there twice.'],
    [`a = ${'x'.repeat(1001)}`, 'The value of “a” is too long (at most 1000 characters).'],
    [Array.from({ length: 51 }, (_, n) => `v${n} = 1`).join('\n'), 'A device has at most 50 variables.'],
  ])('%j is refused', (text, fault) => {
    expect(readVariables(text)).toEqual({ fault });
  });

  test('the API has the same limits', () => {
    expect(DeviceVariables.safeParse({ 'a b': '1' }).success).toBe(false);
    expect(DeviceVariables.safeParse({ a: 'x'.repeat(1001) }).success).toBe(false);
    expect(DeviceVariables.safeParse({ a: 1 }).success).toBe(false);
    expect(DeviceVariables.parse({ a: '1' })).toEqual({ a: '1' });
  });
});
