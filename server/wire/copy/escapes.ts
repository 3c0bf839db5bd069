const backslash = 0x5c;
const letters: Record<number, number> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9, 118: 11 };

/** A tab or a line feed; inside a field they are always escaped. */
export const isFieldEnd = (byte: number | undefined): boolean => byte === 0x09 || byte === 0x0a;

export function fieldEnd(src: Uint8Array, at: number): number {
  let end = at;
  while (!isFieldEnd(src[end])) end++;
  return end;
}

const isOctal = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x37;
const isHex = (byte: number | undefined) => byte !== undefined && /[0-9a-f]/i.test(String.fromCharCode(byte));

/** Reads an escape of COPY's text format with its backslash at `at`: the byte it stands for and the next index. */
export function readEscape(src: Uint8Array, at: number): { byte: number; next: number } {
  const byte = src[at + 1] ?? backslash;
  if (isFieldEnd(byte)) return { byte: backslash, next: at + 1 };
  const letter = letters[byte];
  if (letter !== undefined) return { byte: letter, next: at + 2 };
  if (isOctal(byte)) return digits(src, at + 1, 3, 8, isOctal);
  if (byte === 0x78 && isHex(src[at + 2])) return digits(src, at + 2, 2, 16, isHex);
  return { byte, next: at + 2 };
}

function digits(src: Uint8Array, start: number, most: number, radix: number, is: (byte: number | undefined) => boolean) {
  let next = start;
  let value = 0;
  for (; next < start + most && is(src[next]); next++) {
    value = value * radix + Number.parseInt(String.fromCharCode(src[next] as number), radix);
  }
  return { byte: value & 0xff, next };
}

/** A field's text without its escapes. */
export function fieldText(src: Buffer, start: number, end: number): string {
  const first = src.subarray(start, end).indexOf(backslash);
  if (first < 0) return src.toString('utf8', start, end);
  const bytes = Buffer.from(src.subarray(start, end));
  let length = first;
  for (let i = start + first; i < end; length++) {
    if (src[i] !== backslash) bytes[length] = src[i++] as number;
    else {
      const { byte, next } = readEscape(src, i);
      bytes[length] = byte;
      i = next;
    }
  }
  return bytes.toString('utf8', 0, length);
}
