import { storableJson } from '../uplinks/storable-json.ts';
import { fromBase64, fromHex, utf8 } from './bytes.ts';

/** iot-behaviour 2.7 and 3.3: the meaning of a payload's text. */
export type CommandPayload =
  | { encoding: 'json'; value: Record<string, unknown>; bytes: Uint8Array }
  | { encoding: 'hex' | 'base64' | 'text'; bytes: Uint8Array };

export type PayloadEncoding = CommandPayload['encoding'];

/** LoRaWAN: the longest payload of any data rate, and the longest of the slowest ones in Europe. */
const longestLorawanPayload = 242;
export const cautiousLorawanPayload = 51;
/** The same limit as for uplinks (iot-behaviour 1.6), less room for the frame around it. */
const longestPayload = 60_000;

const unreadable = 'Payload must be hex, base64:..., text:... or a JSON object';
const hexDigits = /^[0-9a-f]+$/i;
const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function readPayload(text: string, { isLorawan }: { isLorawan: boolean }): { payload: CommandPayload } | { fault: string } {
  if (text.trim() === '') return { fault: 'Payload is required.' };
  const payload = readText(text, isLorawan);
  if (!payload) return { fault: unreadable };
  // The bytes of an object for a radio are not known before it is encoded.
  const isUnknown = isLorawan && payload.encoding === 'json';
  const fault = isUnknown ? undefined : lengthFault(payload.bytes.length, { isLorawan });
  return fault === undefined ? { payload } : { fault };
}

export function lengthFault(length: number, { isLorawan }: { isLorawan: boolean }): string | undefined {
  const most = isLorawan ? longestLorawanPayload : longestPayload;
  return length > most ? `The payload has ${length} bytes; at most ${most} can be sent.` : undefined;
}

function readText(text: string, isLorawan: boolean): CommandPayload | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return readObject(trimmed);
  const [, prefix, rest = ''] = /^(hex|base64|text):(.*)$/s.exec(text.trimStart()) ?? [];
  if (prefix === 'text') return rest === '' ? undefined : { encoding: 'text', bytes: utf8(rest) };
  if (prefix === 'base64') return readBase64(rest);
  const hex = readHex(prefix === 'hex' ? rest : trimmed);
  if (hex || prefix === 'hex') return hex;
  // Devices of our own broker accept any text; a radio packet is bytes, and plain text there is mostly a typing mistake.
  return isLorawan ? undefined : { encoding: 'text', bytes: utf8(text) };
}

function readObject(text: string): CommandPayload | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    // An object with U+0000 or half a surrogate pair could be saved as text, but not be stored with a delivery.
    if (storableJson(value) !== JSON.stringify(value)) return undefined;
    return { encoding: 'json', value, bytes: utf8(JSON.stringify(value)) };
  } catch {
    return undefined;
  }
}

function readHex(text: string): CommandPayload | undefined {
  const digits = text.replace(/[\s:-]/g, '');
  if (!hexDigits.test(digits) || digits.length % 2 === 1) return undefined;
  return { encoding: 'hex', bytes: fromHex(digits) };
}

function readBase64(text: string): CommandPayload | undefined {
  const digits = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const padded = digits.includes('=') ? digits : digits + '='.repeat((4 - (digits.length % 4)) % 4);
  if (padded === '' || !base64Text.test(padded)) return undefined;
  return { encoding: 'base64', bytes: fromBase64(padded.replace(/=+$/, '')) };
}
