import type { ByteSink } from '../byte-sink.ts';

const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;
const billion = 1e9;

/** `width` digits with leading zeros; the value is below 2^31. */
export function writeDigits(value: number, width: number, out: ByteSink): void {
  const to = out.bytes;
  let rest = value | 0;
  for (let p = out.length + width - 1; p >= out.length; p--) {
    const tenth = (rest / 10) | 0;
    to[p] = zero + rest - tenth * 10;
    rest = tenth;
  }
  out.length += width;
}

/** The number of digits of a whole number below 10^9. */
export function widthOf(value: number): number {
  if (value < 10) return 1;
  if (value < 100) return 2;
  if (value < 1000) return 3;
  if (value < 10_000) return 4;
  if (value < 100_000) return 5;
  if (value < 1_000_000) return 6;
  if (value < 10_000_000) return 7;
  return value < 100_000_000 ? 8 : 9;
}

/** A whole number below 10^18 that a double holds. */
export function writeInteger(value: number, out: ByteSink): void {
  let rest = value;
  if (value < 0) {
    out.bytes[out.length++] = minus;
    rest = -value;
  }
  if (rest < billion) writeDigits(rest, widthOf(rest), out);
  else {
    const upper = Math.floor(rest / billion);
    writeDigits(upper, widthOf(upper), out);
    writeDigits(rest - upper * billion, 9, out);
  }
}

const million = 1e6;
/** Up to here a number with six decimals has at most fifteen digits, which distinguish any two doubles. */
const exactBelow = 1e9;

/** The shortest text that gives the same double, as String() prints it; measurements seldom have more than six decimals. */
export function writeDouble(value: number, out: ByteSink): void {
  const size = Math.abs(value);
  const scaled = Math.round(size * million);
  if (size < exactBelow && scaled / million === size && !Object.is(value, -0)) writeMillionths(scaled, value < 0, out);
  else if (size < 1e15 && size >= exactBelow && Number.isInteger(value)) writeInteger(value, out);
  else out.text(Object.is(value, -0) ? '-0' : String(value));
}

function writeMillionths(scaled: number, isNegative: boolean, out: ByteSink): void {
  if (isNegative) out.bytes[out.length++] = minus;
  const whole = Math.floor(scaled / million);
  writeDigits(whole, widthOf(whole), out);
  let fraction = scaled - whole * million;
  if (fraction === 0) return;
  let width = 6;
  for (; fraction % 10 === 0; width--) fraction /= 10;
  out.bytes[out.length++] = point;
  writeDigits(fraction, width, out);
}
