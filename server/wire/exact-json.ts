import { decimalJson } from '@telltale/domain/results/numbers.ts';
import { ByteSink } from './byte-sink.ts';

const [quote, backslash, minus] = [0x22, 0x5c, 0x2d];
const among = (letters: string) => Uint8Array.from({ length: 256 }, (_, byte) => Number(letters.includes(String.fromCharCode(byte))));
const isDigitOrPoint = among('0123456789.');
const isOfNumber = among('0123456789.eE+-');
/** The number of digits that always fit a double. */
const safeLength = 15;

/** Whether a longer run of number characters exists. Such a run covers a sixteenth byte, so only every sixteenth byte is looked at. */
function hasLongNumber(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start + safeLength; at < end; at += safeLength + 1) {
    if (isDigitOrPoint[bytes[at] as number] === 0) continue;
    let from = at;
    while (from > start && isDigitOrPoint[bytes[from - 1] as number] === 1) from--;
    let to = at + 1;
    while (to < end && isDigitOrPoint[bytes[to] as number] === 1) to++;
    if (to - from > safeLength) return true;
  }
  return false;
}

/** Design 8 inside valid JSON: a number that no double holds exactly becomes a text; everything else stays as it is written. */
export function writeExactJson(bytes: Buffer, start: number, end: number, out: ByteSink): void {
  let written = start;
  let i = hasLongNumber(bytes, start, end) ? start : end;
  while (i < end) {
    const byte = bytes[i] as number;
    if (byte === quote) i = textEnd(bytes, i + 1, end);
    else if (byte !== minus && isDigitOrPoint[byte] === 0) i++;
    else {
      const from = i;
      while (i < end && isOfNumber[bytes[i] as number] === 1) i++;
      if (i - from <= safeLength) continue;
      out.copy(bytes, written, from);
      out.text(decimalJson(bytes.toString('latin1', from, i)));
      written = i;
    }
  }
  out.copy(bytes, written, end);
}

function textEnd(bytes: Buffer, at: number, end: number): number {
  let i = at;
  for (let byte = bytes[i]; i < end && byte !== quote; byte = bytes[i]) i += byte === backslash ? 2 : 1;
  return i + 1;
}

const longNumber = /[\d.]{16}/;

export function exactJson(json: string): string {
  if (!longNumber.test(json)) return json;
  const bytes = Buffer.from(json);
  const out = new ByteSink(bytes.length + 64);
  writeExactJson(bytes, 0, bytes.length, out);
  return out.written().toString('utf8');
}
