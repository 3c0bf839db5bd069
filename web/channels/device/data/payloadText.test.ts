import { expect, test } from 'vitest';
import { payloadText } from './payloadText.ts';

const raw = (bytes: Buffer | string, raw_truncated = false) => ({ raw: Buffer.from(bytes as string).toString('base64'), raw_truncated });

test.each([
  [raw('{"a":"ü"}'), '{"a":"ü"}'],
  [raw(''), ''],
  [raw(Buffer.from([0xff, 0x00])), 'ff 00'],
  [raw(Buffer.from('aü').subarray(0, 2), true), 'a'],
  [raw(Buffer.from('a😀').subarray(0, 4), true), 'a'],
])('%j is shown as %j', (message, text) => expect(payloadText(message)).toBe(text));
