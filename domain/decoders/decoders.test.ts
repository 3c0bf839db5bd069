import { describe, expect, test } from 'vitest';
import { readBytes, toHex } from './bytes.ts';
import { readCodecFile } from './codec-file.ts';
import { readDecoded } from './decoded.ts';
import { isSameData } from './same-data.ts';

describe('design 8.1: bytes are hex or base64', () => {
  test.each([
    ['01ff', '01ff'],
    ['01 FF', '01ff'],
    ['01:ff-0A', '01ff0a'],
    ['0x01ff', '01ff'],
    ['BEEF', 'beef'],
    ['base64:BEEF', '044105'],
    ['hex:beef', 'beef'],
    ['vu8=', 'beef'],
    ['vu8', 'beef'],
    ['-_-_', 'fbffbf'],
    ['', ''],
  ])('%j is %s', (text, hex) => {
    expect(toHex(readBytes(text) ?? [])).toBe(hex);
  });

  test.each(['abc', '0x1', 'hex:xyz', 'base64:ab!', 'hello world!', 'vu8==='])('%j is neither', (text) => {
    expect(readBytes(text)).toBeNull();
  });
});

test('an example is the same whatever the order of its members and the last digits of its fractions', () => {
  expect(isSameData({ a: 0.1 + 0.2, b: [1, { c: null }] }, { b: [1, { c: null }], a: 0.3 })).toBe(true);
  for (const [one, other] of [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: '1' }],
    [[1], { 0: 1 }],
    [{ a: null }, { a: {} }],
    [{ a: 1 }, { a: 1.001 }],
  ])
    expect(isSameData(one, other)).toBe(false);
});

describe('iot-behaviour 4.2: decoded data becomes points', () => {
  const now = Date.UTC(2026, 0, 1) * 1000;
  const read = (data: unknown) => readDecoded(data, now, 0);
  const short = (data: unknown) => read(data).points.map(({ name, value, text, at }) => [name, value ?? text, at]);

  test('flattened, named and timed like every payload', () => {
    expect(short({ air: { t: 1.5, ok: true }, 'a b': 'x', nothing: null })).toEqual([
      ['air.t', 1.5, null],
      ['air.ok', 1, null],
      ['a_b', 'x', null],
    ]);
    expect(short([{ ts: 1767225500, t: 1 }, { ts: 1767225501, values: { t: 2 } }, { t: 3 }])).toEqual([
      ['t', 1, 1767225500e6],
      ['t', 2, 1767225501e6],
      ['t', 3, null],
    ]);
    expect(read({ latitude: 47.1, longitude: 8.5 }).position).toEqual({ latitude: 47.1, longitude: 8.5 });
  });

  test('an id is a reading, and values without a time are one, too', () => {
    expect(short({ id: 7, values: { t: 1 } })).toEqual([
      ['id', 7, null],
      ['values.t', 1, null],
    ]);
  });

  test.each([
    [5, /^decoder_no_data/],
    [null, /^decoder_no_data/],
    [[1], /^decoder_no_data/],
    [{ ts: 'soon', a: 1 }, /^bad_time/],
    [Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`a${n}`, n])), /^too_many_points/],
    [Array.from({ length: 501 }, () => ({ a: 1 })), /^too_many_points/],
  ])('%# is an error without points', (data, error) => {
    expect(read(data)).toMatchObject({ points: [], errors: [expect.stringMatching(error)] });
  });
});

describe('codec files', () => {
  test('of the device repository and of ChirpStack are taken as they are', () => {
    const codec = 'function decodeUplink(input) {\r\n  return { data: {} };\r\n}\nfunction encodeDownlink(input) {}\n';
    expect(readCodecFile(`\uFEFF${codec}`)).toEqual({ script: codec.replaceAll('\r', ''), entries: ['decodeUplink', 'encodeDownlink'] });
    expect(readCodecFile('function Decode(fPort, bytes, variables) {}')).toMatchObject({ entries: ['Decode'] });
  });

  test('module syntax is taken away', () => {
    expect(
      readCodecFile('export function decodeUplink(i) {}\nexport const encodeDownlink = (i) => ({});\nexport { decodeUplink };'),
    ).toEqual({
      script: 'function decodeUplink(i) {}\nconst encodeDownlink = (i) => ({});\n',
      entries: ['decodeUplink', 'encodeDownlink'],
    });
    expect(readCodecFile('const decodeUplink = (i) => 1;\nexport default { decodeUplink };')).toMatchObject({
      script: 'const decodeUplink = (i) => 1;\nmodule.exports = { decodeUplink };',
    });
  });

  test.each([
    ['x'.repeat(65_537), 'The file has more than 64 KiB.'],
    ['PK\0\0', 'The file is not text.'],
    ["import x from 'y';\nfunction decodeUplink() {}", 'The file imports other modules. A codec is one file.'],
    ['uplinkDecoder:\n  fileName: x.js', /^The file has no function/],
  ])('%# is refused with a reason', (text, fault) => {
    expect(readCodecFile(text)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
