import { decimalJson, isExactNumber } from '@telltale/domain/results/numbers.ts';
import { isoDateTime, isoInstant } from '@telltale/domain/results/times.ts';
import { exactJson } from './exact-json.ts';

/** A driver's value, never null, as JSON text (server-behaviour 1.3). */
export type Encode = (value: unknown) => string;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Plain text needs only quotes, and checking for that is cheaper than escaping. */
export const jsonString = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`);

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

/** Replaces nested values that JSON.stringify would refuse or print in its own way. */
function plain(this: unknown, key: string, value: unknown): unknown {
  const own = (this as Record<string, unknown>)[key];
  if (own instanceof Date) return isoInstant(own);
  if (own instanceof Uint8Array) return hex(own);
  if (typeof value === 'bigint') return isExactNumber(String(value)) ? Number(value) : String(value);
  return value;
}

/** Encodes by the JavaScript type of the value: for sources without column types. */
export const anyJson: Encode = (value) => {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'bigint') return decimalJson(String(value));
  if (value instanceof Date) return JSON.stringify(isoInstant(value));
  if (value instanceof Uint8Array) return `"${hex(value)}"`;
  return JSON.stringify(value, plain) ?? 'null';
};

const ofText =
  (encode: (text: string) => string): Encode =>
  (value) =>
    typeof value === 'string' ? encode(value) : anyJson(value);

/** Decimals and big integers, which drivers hand over as text. */
export const numberJson: Encode = ofText(decimalJson);
/** MySQL's tinyint(1) and SQLite have no booleans. */
export const booleanJson: Encode = (value) =>
  value === 1 || value === 1n ? 'true' : value === 0 || value === 0n ? 'false' : anyJson(value);
export const dateTimeJson: Encode = ofText((text) => jsonString(isoDateTime(text)));
/** Unchecked JSON: an invalid text becomes a JSON string. */
export function checkedJson(text: string): string {
  try {
    JSON.parse(text);
    return exactJson(text.trim());
  } catch {
    return jsonString(text);
  }
}
