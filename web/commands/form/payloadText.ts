import { hexOf } from '@telltale/domain/commands/bytes.ts';
import { type PayloadEncoding, readPayload } from '@telltale/domain/commands/payload.ts';

export const encodings = ['text', 'hex', 'base64', 'json'] as const satisfies readonly PayloadEncoding[];

export const encodingNames: Readonly<Record<PayloadEncoding, string>> = { text: 'Text', hex: 'Hex', base64: 'Base64', json: 'JSON' };

/** The contents of the editor; without an encoding the look of the text decides. */
export interface PayloadDraft {
  text: string;
  encoding: PayloadEncoding | null;
}

const looksUnlike: Readonly<Record<PayloadEncoding, string>> = {
  text: 'This text cannot be sent.',
  hex: 'Hex digits are expected, two for each byte, such as 01 0A FF.',
  base64: 'This is not valid Base64.',
  json: 'A JSON object is expected, such as { "relay": 1 }.',
};

/** The stored payload has a prefix where the encoding cannot be told from the text. */
export function splitPayload(payload: string): PayloadDraft {
  const [, encoding, text = ''] = /^(hex|base64|text):(.*)$/s.exec(payload.trimStart()) ?? [];
  return encoding === undefined ? { text: payload, encoding: null } : { text, encoding: encoding as PayloadEncoding };
}

export const encodingOf = ({ text, encoding }: PayloadDraft): PayloadEncoding => encoding ?? lookOf(text);

function lookOf(text: string): PayloadEncoding {
  if (text.trimStart().startsWith('{')) return 'json';
  const read = readPayload(text, { isLorawan: false });
  return 'payload' in read ? read.payload.encoding : 'text';
}

/** The payload to store. Plain text for a radio needs an explicit prefix. */
export function joinPayload(draft: PayloadDraft, isLorawan: boolean): string {
  const encoding = encodingOf(draft);
  const isPlain = encoding === 'json' || (lookOf(draft.text) === encoding && !(encoding === 'text' && isLorawan));
  return isPlain ? draft.text : `${encoding}:${draft.text}`;
}

/**
 * The bytes as hex, or the reason why there are none. JSON for a radio is encoded by its channel's script, so its bytes are unknown here.
 */
export function payloadBytes(draft: PayloadDraft, isLorawan: boolean): { hex: string } | { fault: string } {
  const encoding = encodingOf(draft);
  if (encoding === 'json' && !draft.text.trimStart().startsWith('{')) return { fault: looksUnlike.json };
  const read = readPayload(joinPayload(draft, isLorawan), { isLorawan });
  if ('payload' in read) return { hex: hexOf(read.payload.bytes) };
  return { fault: /bytes/.test(read.fault) ? read.fault : looksUnlike[encoding] };
}

/** `01 0A FF`, the first so many bytes. */
export function hexText(hex: string, most = 64): string {
  const pairs = hex.toUpperCase().match(/../g) ?? [];
  return pairs.slice(0, most).join(' ') + (pairs.length > most ? ' …' : '');
}

export const byteCount = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'byte' : 'bytes'}`;
