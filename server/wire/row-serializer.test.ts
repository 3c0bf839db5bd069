import { expect, test } from 'vitest';
import { exactJson } from './exact-json.ts';
import { rowSerializer } from './row-serializer.ts';
import { anyJson, booleanJson, checkedJson, dateTimeJson, jsonString, numberJson } from './values.ts';

test('server-behaviour 1.3: a row becomes an object in column order, nothing is null', () => {
  const serialize = rowSerializer(['a', 'b "quoted"', '2', '1'], [undefined, numberJson]);
  expect(serialize(['x', '9223372036854775807', null, undefined])).toBe(
    '{"a":"x","b \\"quoted\\"":"9223372036854775807","2":null,"1":null}',
  );
  expect(rowSerializer([])([])).toBe('{}');
});

test.each(['plain', '', 'żółć', '"', '\\', '\n\t\u0001', '\u2028', '\ud83c\udf21', '\ud800'])(
  'text %j is escaped as JSON.stringify does',
  (text) => {
    expect(jsonString(text)).toBe(JSON.stringify(text));
  },
);

test.each([
  [anyJson, 1.5, '1.5'],
  [anyJson, Number.NaN, 'null'],
  [anyJson, Number.NEGATIVE_INFINITY, 'null'],
  [anyJson, 12n, '12'],
  [anyJson, 9007199254740993n, '"9007199254740993"'],
  [anyJson, new Date('2026-01-01T10:00:00.123Z'), '"2026-01-01T10:00:00.123Z"'],
  [anyJson, new Date(Number.NaN), 'null'],
  [anyJson, Buffer.from([0xab, 0x01]), '"ab01"'],
  [anyJson, [1, Number.NaN, 2n ** 60n, new Date(0), Buffer.from([255])], '[1,null,"1152921504606846976","1970-01-01T00:00:00Z","ff"]'],
  [anyJson, { a: { b: Number.POSITIVE_INFINITY, c: undefined } }, '{"a":{"b":null}}'],
  [anyJson, undefined, 'null'],
  [numberJson, '1.50', '1.50'],
  [numberJson, 2, '2'],
  [booleanJson, 1, 'true'],
  [booleanJson, false, 'false'],
  [dateTimeJson, '2026-01-01 10:00:00.5', '"2026-01-01T10:00:00.500"'],
  [dateTimeJson, new Date(0), '"1970-01-01T00:00:00Z"'],
] as const)('1.3: %o encodes %o as %s', (encode, value, json) => {
  expect(encode(value)).toBe(json);
});

test.each([
  ['{"big":12345678901234567890}', '{"big":"12345678901234567890"}'],
  ['[1.10000000000000000001, -9007199254740993, 1.1]', '["1.10000000000000000001", "-9007199254740993", 1.1]'],
  ['[9007199254740991, 0.30000000000000004, 1.50000000000000000000]', '[9007199254740991, 0.30000000000000004, 1.50000000000000000000]'],
  ['{"12345678901234567890": "is \\"12345678901234567890\\" \\\\", "n": 12345678901234567890}', undefined],
  ['  12345678901234567890 ', '"12345678901234567890"'],
  ['12345678901234567890 is no JSON', '"12345678901234567890 is no JSON"'],
  ['{"b": 1, "a": 2, "2": 3, "1": 12345678901234567e-3}', '{"b": 1, "a": 2, "2": 3, "1": "12345678901234567e-3"}'],
] as const)('design 8: inside JSON, too, what no double holds is a text: %s', (text, expected) => {
  expect(checkedJson(text)).toBe(expected ?? text.replace(/(?<=: )\d+/, '"$&"'));
});

test('design 8: a number that no double holds is found wherever it stands, and nothing else is touched', () => {
  for (let before = 0; before < 40; before++) {
    const pad = ' '.repeat(before);
    for (const [digits, json] of [
      ['123456789012345', '123456789012345'],
      ['1234567890123456', '1234567890123456'],
      ['1.2345678901234567', '1.2345678901234567'],
      ['9007199254740993', '"9007199254740993"'],
      ['-12345678901234567890123456789012345', '"-12345678901234567890123456789012345"'],
    ]) {
      expect(exactJson(`[${pad}${digits}]`)).toBe(`[${pad}${json}]`);
      expect(exactJson(`{"ż🌡 \\"${pad}9007199254740993": ${digits}}`)).toBe(`{"ż🌡 \\"${pad}9007199254740993": ${json}}`);
    }
  }
});
