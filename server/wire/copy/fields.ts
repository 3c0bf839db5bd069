import { decimalJson } from '@telltale/domain/results/numbers.ts';
import type { ByteSink, Bytes } from '../byte-sink.ts';
import { constantBytes, writeConstant } from '../constant-bytes.ts';
import { exactJson, writeExactJson } from '../exact-json.ts';
import { fieldEnd, fieldText, isFieldEnd, readEscape } from './escapes.ts';

/**
 * Writes the COPY field that begins at `at`, never NULL, as JSON and returns where it ends. There is room for as many bytes as are left to
 * read and a few more; a writer that needs more reserves it.
 */
export type FieldWriter = (src: Bytes, at: number, out: ByteSink) => number;

const quote = 0x22;
const backslash = 0x5c;
const [jsonTrue, jsonFalse, jsonNull] = [constantBytes('true'), constantBytes('false'), constantBytes('null')];
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Bytes that a JSON string contains unescaped. */
export const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte >= 0x20 && byte !== quote && byte !== backslash));

export const writeNull = (out: ByteSink): void => writeConstant(jsonNull, out);

export const writeBoolean: FieldWriter = (src, at, out) => {
  writeConstant(src.bytes[at] === 0x74 ? jsonTrue : jsonFalse, out);
  return at + 1;
};

/** Writes by way of a JavaScript string: for rare types. */
export const writerOf =
  (json: (text: string) => string): FieldWriter =>
  (src, at, out) => {
    const end = fieldEnd(src.bytes, at);
    out.text(json(fieldText(src.bytes, at, end)));
    return end;
  };

const writeLongDecimal = writerOf(decimalJson);

function copyField(src: Bytes, at: number, out: ByteSink): number {
  const from = src.bytes;
  const to = out.bytes;
  let p = out.length;
  let end = at;
  for (let byte = from[end] as number; byte > 0x20; byte = from[++end] as number) to[p++] = byte;
  return end;
}

/** Fifteen digits always fit a double; longer numbers, NaN and Infinity are checked. */
export const writeDecimal: FieldWriter = (src, at, out) => {
  const end = copyField(src, at, out);
  if (end - at > 15 || !isDigit(src.bytes[end - 1])) return writeLongDecimal(src, at, out);
  out.length += end - at;
  return end;
};

/** PostgreSQL prints the shortest text that gives the same double; NaN and Infinity end in a letter. */
export const writeFloat: FieldWriter = (src, at, out) => {
  const end = copyField(src, at, out);
  if (isDigit(src.bytes[end - 1])) out.length += end - at;
  else writeNull(out);
  return end;
};

export const writeText: FieldWriter = (src, at, out) => {
  const from = src.bytes;
  const to = out.bytes;
  let p = out.length;
  let end = at;
  to[p++] = quote;
  for (let byte = from[end] as number; isPlain[byte] === 1; byte = from[++end] as number) to[p++] = byte;
  if (!isFieldEnd(from[end])) return writeEscaped(from, at, out);
  to[p++] = quote;
  out.length = p;
  return end;
};

export const hexDigits = Buffer.from('0123456789abcdef');
const shortEscapes: Record<number, number> = { 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72, [quote]: quote, [backslash]: backslash };

/** Escapes a byte that a JSON string cannot contain; there is room. */
export function writeJsonEscape(byte: number, out: ByteSink): void {
  out.bytes[out.length++] = backslash;
  const short = shortEscapes[byte];
  if (short !== undefined) out.bytes[out.length++] = short;
  else for (const c of [0x75, 0x30, 0x30, hexDigits[byte >> 4], hexDigits[byte & 15]]) out.bytes[out.length++] = c as number;
}

/** Converts COPY's escapes to JSON's. A byte becomes six at most, so room is reserved piece by piece. */
function writeEscaped(src: Buffer, at: number, out: ByteSink): number {
  out.byte(quote);
  let room = 0;
  let i = at;
  for (; !isFieldEnd(src[i]); room--) {
    if (room === 0) {
      room = 1024;
      out.reserve(room * 6);
    }
    let byte = src[i++] as number;
    if (byte === backslash) ({ byte, next: i } = readEscape(src, i - 1));
    if (isPlain[byte] === 1) out.bytes[out.length++] = byte;
    else writeJsonEscape(byte, out);
  }
  out.byte(quote);
  return i;
}

/**
 * The text is valid JSON already, unless COPY had to escape something; outer blanks are removed, so that a value ends with its last
 * character.
 */
export const writeJson: FieldWriter = (src, at, out) => {
  const end = fieldEnd(src.bytes, at);
  const isEscaped = src.bytes[at] === 0x20 || src.bytes[end - 1] === 0x20 || src.bytes.subarray(at, end).includes(backslash);
  if (isEscaped) out.text(exactJson(fieldText(src.bytes, at, end).trim()));
  else writeExactJson(src.bytes, at, end, out);
  return end;
};
