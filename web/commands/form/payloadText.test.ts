import { expect, test } from 'vitest';
import { byteCount, encodingOf, hexText, joinPayload, type PayloadDraft, payloadBytes, splitPayload } from './payloadText.ts';

const auto = (text: string): PayloadDraft => ({ text, encoding: null });

test('a payload is read as it looks until somebody chooses an encoding', () => {
  expect(encodingOf(auto('reboot'))).toBe('text');
  expect(encodingOf(auto('01 0A FF'))).toBe('hex');
  expect(encodingOf(auto('{"on": true'))).toBe('json');
  expect(encodingOf({ text: '01 0A FF', encoding: 'text' })).toBe('text');
});

test('a prefix is stored only where the look says something else', () => {
  expect(joinPayload(auto('reboot'), false)).toBe('reboot');
  expect(joinPayload(auto('reboot'), true)).toBe('text:reboot');
  expect(joinPayload({ text: '0102', encoding: 'text' }, false)).toBe('text:0102');
  expect(joinPayload({ text: '0102', encoding: 'hex' }, true)).toBe('0102');
  expect(joinPayload({ text: 'AQr/', encoding: 'base64' }, false)).toBe('base64:AQr/');
});

test.each(['reboot', '010aff', 'base64:AQr/', 'text:0102', '{"on":true}'])('%s is stored as it was read', (payload) => {
  expect(joinPayload(splitPayload(payload), false)).toBe(payload);
});

test('bytes follow the encoding', () => {
  expect(payloadBytes(auto('Grüße'), false)).toEqual({ hex: '4772c3bcc39f65' });
  expect(payloadBytes(auto('01 0a:FF'), true)).toEqual({ hex: '010aff' });
  expect(payloadBytes({ text: 'AQr/', encoding: 'base64' }, true)).toEqual({ hex: '010aff' });
  expect(payloadBytes(auto('{ "on": true }'), false)).toEqual({ hex: '7b226f6e223a747275657d' });
});

test.each([
  [{ text: '01 0', encoding: 'hex' }, 'Hex digits'],
  [{ text: 'A', encoding: 'base64' }, 'Base64'],
  [{ text: '{on: true}', encoding: null }, 'JSON'],
  [{ text: '[1]', encoding: 'json' }, 'JSON'],
] as const)('%j is at fault', (draft, words) => {
  expect(payloadBytes(draft, false)).toEqual({ fault: expect.stringContaining(words) });
});

test('a radio packet is at most 242 bytes long', () => {
  expect(payloadBytes(auto('00'.repeat(243)), true)).toEqual({ fault: expect.stringContaining('243 bytes') });
});

test('bytes are counted and shown in pairs', () => {
  expect(hexText('010aff')).toBe('01 0A FF');
  expect(hexText('010aff', 2)).toBe('01 0A …');
  expect(byteCount(1)).toBe('1 byte');
  expect(byteCount(1200)).toBe('1,200 bytes');
});
