import { ChunkError } from './chunk.ts';

const [quote, backslash] = [0x22, 0x5c];

const broken = () => new ChunkError('A stored result chunk is not valid JSON.');

/** The closing quote of the text whose opening quote is at `at`. */
export function endOfText(src: Buffer, at: number): number {
  let end = at + 1;
  for (let byte = src[end]; byte !== quote; byte = src[++end]) {
    if (byte === backslash) end++;
    else if (byte === undefined) throw broken();
  }
  return end;
}

/** The index behind the last bracket of the object or array that opens at `at`. */
export function endOfNested(src: Buffer, at: number): number {
  let depth = 0;
  for (let end = at; end < src.length; end++) {
    const byte = src[end];
    if (byte === quote) end = endOfText(src, end);
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return end + 1;
  }
  throw broken();
}

/** The index behind the number that begins at `at`. */
export function endOfNumber(src: Buffer, at: number): number {
  let end = at + 1;
  for (let byte = src[end]; byte !== 0x2c && byte !== 0x7d; byte = src[++end]) if (byte === undefined) throw broken();
  return end;
}

/** The text from its opening quote at `at` to its closing quote at `end`. */
export function storedText(src: Buffer, at: number, end: number): string {
  const text: unknown = JSON.parse(src.toString('utf8', at, end + 1));
  if (typeof text !== 'string') throw broken();
  return text;
}

/** The first byte of a value tells its kind. */
export const valueKind = {
  isText: (byte: number) => byte === quote,
  isNumber: (byte: number) => (byte >= 0x30 && byte <= 0x39) || byte === 0x2d,
  isNested: (byte: number) => byte === 0x7b || byte === 0x5b,
  isNull: (byte: number) => byte === 0x6e,
  isTrue: (byte: number) => byte === 0x74,
  isFalse: (byte: number) => byte === 0x66,
};
