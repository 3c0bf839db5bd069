import { decimalJson } from '@telltale/domain/results/numbers.ts';
import type { ByteSink, Bytes } from '../byte-sink.ts';
import { constantBytes, writeConstant } from '../constant-bytes.ts';
import { writeExactJson } from '../exact-json.ts';
import { writeNumeric } from './binary-numeric.ts';
import { writeBinaryDate, writeTimestamp, writeTimestampWithZone } from './binary-times.ts';
import { hexDigits, isPlain, writeJsonEscape, writeNull } from './fields.ts';
import { writeDouble, writeInteger } from './print-number.ts';

/**
 * Writes the `length` bytes at `at` as JSON. There is room for as many bytes and 64 more; a writer that needs more reserves it. The output
 * equals that of the text format's writer for the same value.
 */
export type BinaryWriter = (src: Bytes, at: number, length: number, out: ByteSink) => void;

const quote = 0x22;
const [jsonTrue, jsonFalse] = [constantBytes('true'), constantBytes('false')];

const writeBoolean: BinaryWriter = ({ bytes }, at, _, out) => writeConstant(bytes[at] === 1 ? jsonTrue : jsonFalse, out);
const writeInt2: BinaryWriter = ({ view }, at, _, out) => writeInteger(view.getInt16(at), out);
const writeInt4: BinaryWriter = ({ view }, at, _, out) => writeInteger(view.getInt32(at), out);
const writeOid: BinaryWriter = ({ view }, at, _, out) => writeInteger(view.getUint32(at), out);

/** Fifteen digits always fit a double; the upper half of such a number fits 19 bits. */
const smallUpper = 1 << 17;

const writeInt8: BinaryWriter = ({ view }, at, _, out) => {
  const upper = view.getInt32(at);
  if (upper < smallUpper && upper > -smallUpper) writeInteger(upper * 2 ** 32 + view.getUint32(at + 4), out);
  else out.text(decimalJson(String(view.getBigInt64(at))));
};

const writeFloat8: BinaryWriter = ({ view }, at, _, out) => {
  const value = view.getFloat64(at);
  if (Number.isFinite(value)) writeDouble(value, out);
  else writeNull(out);
};

/** Below it a single holds fewer than six digits. */
const smallestNormal = 2 ** -126;

/** The shortest decimal that rounds to this single and no other: nine digits always suffice. */
function shortestOf(single: number): number {
  for (let digits = Math.abs(single) < smallestNormal ? 1 : 6; digits < 9; digits++) {
    const shorter = evenOf(single, digits);
    if (Math.fround(shorter + (shorter - single) * 1e-6) === single) return shorter;
  }
  return evenOf(single, 9);
}

/** toPrecision() rounds halves up, PostgreSQL to the even digit. */
function evenOf(single: number, digits: number): number {
  const [exact = '', exponent = '0'] = single.toExponential(60).split('e');
  const significant = exact.replace(/[-.]/g, '');
  const isHalf = /^50*$/.test(significant.slice(digits));
  if (!isHalf || /[13579]/.test(significant[digits - 1] ?? '')) return Number(single.toPrecision(digits));
  return Number(`${single < 0 ? '-' : ''}${significant.slice(0, digits)}e${Number(exponent) - digits + 1}`);
}

const writeFloat4: BinaryWriter = ({ view }, at, _, out) => {
  const value = view.getFloat32(at);
  if (!Number.isFinite(value)) writeNull(out);
  else writeDouble(value === 0 ? value : shortestOf(value), out);
};

const writeTextBytes: BinaryWriter = ({ bytes }, at, length, out) => {
  const to = out.bytes;
  const end = at + length;
  let p = out.length;
  let i = at;
  to[p++] = quote;
  for (; i < end && isPlain[bytes[i] as number] === 1; i++) to[p++] = bytes[i] as number;
  if (i < end) return writeEscapedText(bytes, at, end, out);
  to[p++] = quote;
  out.length = p;
};

/** A byte becomes six at most, so room is reserved piece by piece. */
function writeEscapedText(bytes: Buffer, at: number, end: number, out: ByteSink): void {
  out.byte(quote);
  for (let i = at; i < end; i++) {
    if ((i - at) % 1024 === 0) out.reserve(1024 * 6 + 64);
    const byte = bytes[i] as number;
    if (isPlain[byte] === 1) out.bytes[out.length++] = byte;
    else writeJsonEscape(byte, out);
  }
  out.byte(quote);
}

const writeHex = (bytes: Buffer, start: number, end: number, out: ByteSink): void => {
  for (let i = start; i < end; i++) {
    out.bytes[out.length++] = hexDigits[(bytes[i] as number) >> 4] as number;
    out.bytes[out.length++] = hexDigits[(bytes[i] as number) & 15] as number;
  }
};

const writeBytes: BinaryWriter = ({ bytes }, at, length, out) => {
  out.reserve(2 * length + 64);
  out.byte(quote);
  writeHex(bytes, at, at + length, out);
  out.byte(quote);
};

const uuidGroups = [4, 6, 8, 10, 16];
const writeUuid: BinaryWriter = ({ bytes }, at, _, out) => {
  out.byte(quote);
  let from = at;
  for (const to of uuidGroups) {
    if (from > at) out.byte(0x2d);
    writeHex(bytes, from, at + to, out);
    from = at + to;
  }
  out.byte(quote);
};

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** The bytes are valid JSON already; outer blanks are removed, so that a value ends with its last character. */
const writeJsonBytes: BinaryWriter = ({ bytes }, at, length, out) => {
  let [start, end] = [at, at + length];
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  writeExactJson(bytes, start, end, out);
};

/** The value follows a byte with the version of the format. */
const writeJsonb: BinaryWriter = (src, at, length, out) => writeJsonBytes(src, at + 1, length - 1, out);

/** Writers by type oid. Arrays, intervals, ranges, addresses and types of extensions are read as text. */
export const binaryWriters: ReadonlyMap<number, BinaryWriter> = new Map([
  [16, writeBoolean],
  [17, writeBytes],
  [19, writeTextBytes],
  [20, writeInt8],
  [21, writeInt2],
  [23, writeInt4],
  [25, writeTextBytes],
  [26, writeOid],
  [114, writeJsonBytes],
  [700, writeFloat4],
  [701, writeFloat8],
  [1042, writeTextBytes],
  [1043, writeTextBytes],
  [1082, writeBinaryDate],
  [1114, writeTimestamp],
  [1184, writeTimestampWithZone],
  [1700, writeNumeric],
  [2950, writeUuid],
  [3802, writeJsonb],
]);
