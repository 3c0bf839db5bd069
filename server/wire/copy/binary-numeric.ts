import { decimalJson } from '@telltale/domain/results/numbers.ts';
import type { ByteSink, Bytes } from '../byte-sink.ts';
import { writeNull } from './fields.ts';
import { widthOf, writeDigits } from './print-number.ts';

const [quote, minus, point, zero] = [0x22, 0x2d, 0x2e, 0x30];
const negative = 0x4000;
/** NaN and the infinities. */
const special = 0xc000;
const headBytes = 8;
/** Groups of four decimal digits, the first one worth 10000^weight. */
const groupWidth = 4;

/** A double holds every decimal of the first number of digits, and none beyond the second (design 8). */
const [alwaysExact, neverExact] = [15, 17];

/** A `numeric` as PostgreSQL prints it: a number where a double holds it, else text; NaN and the infinities are null. */
export function writeNumeric({ view }: Bytes, at: number, length: number, out: ByteSink): void {
  const sign = view.getUint16(at + 4);
  if ((sign & special) === special) {
    writeNull(out);
    return;
  }
  const digits = significantDigits(view, at + headBytes, at + length);
  const start = out.length;
  out.reserve(Math.max(0, view.getInt16(at + 2) + 1) * groupWidth + view.getUint16(at + 6) + 64);
  if (digits > neverExact) out.byte(quote);
  if (sign === negative) out.byte(minus);
  writeWhole(view, at, out);
  writeFraction(view, at, out);
  if (digits > neverExact) out.byte(quote);
  else if (digits > alwaysExact) {
    const text = out.bytes.toString('latin1', start, out.length);
    out.length = start;
    out.text(decimalJson(text));
  }
}

/** The number of digits from the first to the last that is not zero. */
function significantDigits(view: DataView, start: number, end: number): number {
  let [first, last] = [start, end - 2];
  while (first <= last && view.getUint16(first) === 0) first += 2;
  while (last > first && view.getUint16(last) === 0) last -= 2;
  if (first > last) return 0;
  let trailing = 0;
  for (let group = view.getUint16(last); group % 10 === 0; group /= 10) trailing++;
  return widthOf(view.getUint16(first)) + ((last - first) / 2) * groupWidth - trailing;
}

const groupAt = (view: DataView, at: number, index: number): number =>
  index < 0 || index >= view.getUint16(at) ? 0 : view.getUint16(at + headBytes + index * 2);

function writeWhole(view: DataView, at: number, out: ByteSink): void {
  const weight = view.getInt16(at + 2);
  let index = 0;
  while (index < weight && groupAt(view, at, index) === 0) index++;
  if (weight < 0) out.bytes[out.length++] = zero;
  else writeDigits(groupAt(view, at, index), widthOf(groupAt(view, at, index)), out);
  for (index++; index <= weight; index++) writeDigits(groupAt(view, at, index), groupWidth, out);
}

function writeFraction(view: DataView, at: number, out: ByteSink): void {
  let left = view.getUint16(at + 6);
  if (left > 0) out.bytes[out.length++] = point;
  for (let index = view.getInt16(at + 2) + 1; left > 0; index++, left -= groupWidth) {
    writeDigits(groupAt(view, at, index), groupWidth, out);
  }
  // The last group may have digits beyond the scale, which are zeros.
  out.length += left;
}
