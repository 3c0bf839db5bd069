import { expect, test } from 'vitest';
import { attributeName } from './names.ts';
import { utf8Length } from './utf8.ts';

test.each([
  ['temperature', 'temperature'],
  ['Air.PM2:5%-x', 'Air.PM2:5%-x'],
  ['a b//c', 'a_b_c'],
  ['  spaced  ', 'spaced'],
  ['Größe', 'Größe'],
  ['Gro\u0308\u00dfe', 'Gr\u00f6\u00dfe'],
  ['温度', '温度'],
  ['<script>', 'script'],
  ["'; drop table x --", 'drop_table_x_--'],
  ['a\u0000b', 'a_b'],
  ['lora.rssi', 'p.lora.rssi'],
  ['sys.online', 'p.sys.online'],
  ['system', 'system'],
  ['_private_', '_private_'],
  ['', ''],
  ['🙂', '_'],
])('iot-behaviour 1.5: the name %j is kept as %j', (given, kept) => expect(attributeName(given)).toBe(kept));

test('iot-behaviour 1.5: a name has at most 128 bytes, and whole characters', () => {
  expect(attributeName('ä'.repeat(100))).toBe('ä'.repeat(64));
  expect(attributeName('x'.repeat(200))).toBe('x'.repeat(128));
  expect(utf8Length(attributeName(`sys.${'x'.repeat(124)}`))).toBe(128);
});

test.each(['', 'abc', 'äöü', '温度', '🙂🙂', 'a🙂b', '\ud800', '\udc00\ud800'])('bytes of %j', (text) => {
  expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
});
