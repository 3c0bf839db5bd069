import { isoDateTime } from '@telltale/domain/results/times.ts';
import { jsonString } from '../values.ts';
import { isFieldEnd } from './escapes.ts';
import { type FieldWriter, writerOf } from './fields.ts';

const quote = 0x22;
const writeOddDateTime = writerOf((text) => jsonString(isoDateTime(text)));

/** `2026-01-01 10:00:00[.123456][+00]`, the common case of isoDateTime(), cut and joined as bytes. */
export const writeDateTime: FieldWriter = (src, at, out) => {
  const from = src.bytes;
  const to = out.bytes;
  if (at + 20 > from.length || from[at + 4] !== 0x2d || from[at + 10] !== 0x20 || from[at + 16] !== 0x3a) {
    return writeOddDateTime(src, at, out);
  }
  let p = out.length;
  to[p] = quote;
  out.view.setFloat64(p + 1, src.view.getFloat64(at, true), true);
  out.view.setFloat64(p + 9, src.view.getFloat64(at + 8, true), true);
  out.view.setInt32(p + 17, src.view.getInt32(at + 16, true), true);
  to[p + 11] = 0x54;
  p += 20;
  let end = at + 19;
  if (from[end] === 0x2e) {
    const point = p;
    let digits = 0;
    let micros = 0;
    to[p++] = 0x2e;
    for (let byte = from[++end] as number; byte >= 0x30 && byte <= 0x39; byte = from[++end] as number, digits++) {
      if (digits < 3) to[p++] = byte;
      if (digits < 6) micros |= byte - 0x30;
    }
    for (; digits < 3; digits++) to[p++] = 0x30;
    if (micros === 0) p = point;
  }
  if (from[end] === 0x2b && from[end + 1] === 0x30 && from[end + 2] === 0x30) {
    end += 3;
    to[p++] = 0x5a;
  }
  if (!isFieldEnd(from[end])) return writeOddDateTime(src, at, out);
  to[p++] = quote;
  out.length = p;
  return end;
};
