import { expect, test } from 'vitest';
import { storableJson } from './storable-json.ts';

test.each([
  [{ a: 1, b: ['x', null] }, '{"a":1,"b":["x",null]}'],
  ['\ud800', '"\\ufffd"'],
  [{ '\udc00': 'a\0b' }, '{"\\ufffd":"a\\ufffdb"}'],
  ['\\ud800 \\u0000', '"\\\\ud800 \\\\u0000"'],
  ['🌦', '"🌦"'],
  ['[[[{{{"', '"[[[{{{\\""'],
])('%j', (value, text) => expect(storableJson(value)).toBe(text));

test('values nested too deeply are not kept', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  expect(storableJson(nested(100))).not.toBeNull();
  for (const levels of [101, 5000, 100_000]) expect(storableJson(nested(levels))).toBeNull();
});
