// Stored rows as CSV, in AssemblyScript: a loop over bytes that a machine has instructions for (sixteen at a time), which took
// JavaScript three times as long. `npm run wasm` compiles it to csv-rows.wasm; quick-csv.ts lays out its memory and calls it.
//
// It knows rows as we write them, with all columns in their order. A row with anything else in it (escapes, formulas, nested
// values, odd dates) is left to the caller, who knows everything.

/** Chunks are inflated where their rows are read. */
export { inflate } from '../../../wire/deflate/inflate-text';
/** Where memory begins that is not used here. */
export const firstFree: usize = __heap_base;

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
/** Begins a new cell for spreadsheets of many countries, so a formula may stand behind it. */
const SEMICOLON: u8 = 0x3b;
const COMMA: u8 = 0x2c;
const OPEN_BRACE: u8 = 0x7b;
const OPEN_BRACKET: u8 = 0x5b;
const CLOSE_BRACE: u8 = 0x7d;
const ZERO: u8 = 0x30;

// A column: its key with the sign before it, and for a date what is written and where its digits go.
const KEY: usize = 0;
const KEY_LENGTH: usize = 4;
const IS_DATE: usize = 8;
const TEMPLATE: usize = 12;
const TEMPLATE_LENGTH: usize = 16;
const HOLES: usize = 20;
const HOLE_COUNT: usize = 24;
const COLUMN_BYTES: usize = 28;

// A hole: where it is in the template and which part of the date it holds, in the order of formatTokens (date-format.ts).
const HOLE_BYTES: usize = 8;

/** What is written beyond the last byte that counts: sixteen bytes are stored where fewer are meant. */
const SLACK: usize = 64;

/** Where reading and writing have stopped. */
export let at: usize = 0;
export let written: usize = 0;

/** All rows from `src` up to the first one that is not understood, or for which there is no room. */
export function transcribe(
  columns: usize,
  count: u32,
  delimiter: u8,
  isRaw: bool,
  src: usize,
  end: usize,
  out: usize,
  outEnd: usize,
): void {
  let s = src;
  let o = out;
  while (s < end && o + (end - s) + SLACK <= outEnd) {
    const rowStart = s;
    const rowOut = o;
    let column = columns;
    let n: u32 = 0;
    for (; n < count; n++, column += COLUMN_BYTES) {
      const keyLength = <usize>load<u32>(column, KEY_LENGTH);
      if (s + keyLength >= end || !isSame(s, load<u32>(column, KEY), keyLength)) break;
      s += keyLength;
      if (n > 0) store<u8>(o++, delimiter);
      const first = load<u8>(s);
      if (first == QUOTE) {
        if (load<u32>(column, IS_DATE)) {
          if (o + load<u32>(column, TEMPLATE_LENGTH) + (end - s) + SLACK > outEnd) break;
          s = date(column, s + 1, end, o);
          if (!s) break;
          o += load<u32>(column, TEMPLATE_LENGTH);
        } else {
          if (!isRaw && mayBeFormula(load<u8>(s, 1))) break;
          s = text(s + 1, end, o, delimiter, isRaw ? QUOTE : SEMICOLON);
          if (!s) break;
          o = written;
        }
      } else if (first == 0x6e) {
        s += 4; // null
      } else if (first == OPEN_BRACE || first == OPEN_BRACKET) {
        break;
      } else {
        s = plain(s, end, o);
        if (!s) break;
        o = written;
      }
    }
    if (n < count || s >= end || load<u8>(s) != CLOSE_BRACE || (s + 1 < end && load<u8>(s, 1) != COMMA)) {
      s = rowStart;
      o = rowOut;
      break;
    }
    if (count == 1 && o == rowOut) {
      store<u16>(o, 0x2222); // an empty line would be no row
      o += 2;
    }
    store<u16>(o, 0x0a0d);
    o += 2;
    s += 2;
  }
  at = min(s, end);
  written = o;
}

/** Four bytes or more. */
@inline
function isSame(a: usize, b: usize, length: usize): bool {
  if (length < 8) return load<u32>(a) == load<u32>(b) && load<u32>(a + length - 4) == load<u32>(b + length - 4);
  for (let i: usize = 0; i + 8 < length; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  return load<u64>(a + length - 8) == load<u64>(b + length - 8);
}

/** What spreadsheets take for the beginning of a formula, or the first byte of it. */
@inline
function mayBeFormula(byte: u8): bool {
  return byte == 0x3d || byte == 0x2b || byte == 0x2d || byte == 0x40 || byte == 0xef;
}

/** Behind the closing quote of a text that needs nothing but copying; 0 when it needs more. */
@inline
function text(from: usize, end: usize, out: usize, delimiter: u8, breaks: u8): usize {
  let s = from;
  let o = out;
  while (s < end) {
    const bytes = v128.load(s);
    const odd = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH))),
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>delimiter)), i8x16.eq(bytes, i8x16.splat(<i8>breaks))),
    );
    v128.store(o, bytes);
    const mask = i8x16.bitmask(odd);
    if (mask) {
      const length = <usize>ctz(mask);
      s += length;
      written = o + length;
      return s < end && load<u8>(s) == QUOTE ? s + 1 : 0;
    }
    s += 16;
    o += 16;
  }
  return 0;
}

/** Behind a number, true or false. */
@inline
function plain(from: usize, end: usize, out: usize): usize {
  let s = from;
  let o = out;
  while (s < end) {
    const bytes = v128.load(s);
    const ends = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>COMMA)), i8x16.eq(bytes, i8x16.splat(<i8>CLOSE_BRACE))),
      i8x16.le_u(bytes, i8x16.splat(0x20)),
    );
    v128.store(o, bytes);
    const mask = i8x16.bitmask(ends);
    if (mask) {
      const length = <usize>ctz(mask);
      s += length;
      written = o + length;
      return s < end ? s : 0;
    }
    s += 16;
    o += 16;
  }
  return 0;
}

@inline
function isDigit(p: usize): bool {
  return <u8>(load<u8>(p) - ZERO) < 10;
}

/** Two digits as a number; 255 when they are none. */
@inline
function two(p: usize): u32 {
  return isDigit(p) && isDigit(p + 1) ? <u32>(load<u8>(p) - ZERO) * 10 + <u32>(load<u8>(p, 1) - ZERO) : 255;
}

function daysIn(year: u32, month: u32): u32 {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** Behind the closing quote of a date such as 2026-01-31[T10:00[:00[.123]][zone]], which is written in its format; 0 when it is none. */
function date(column: usize, p: usize, end: usize, out: usize): usize {
  const quotes = i8x16.splat(<i8>QUOTE);
  const mask = <u32>i8x16.bitmask(i8x16.eq(v128.load(p), quotes)) | (<u32>i8x16.bitmask(i8x16.eq(v128.load(p, 16), quotes)) << 16);
  if (!mask) return 0;
  const length = <usize>ctz(mask);
  if (length < 10 || p + length >= end || load<u8>(p, 4) != 0x2d || load<u8>(p, 7) != 0x2d) return 0;
  const century = two(p);
  const years = two(p + 2);
  const month = two(p + 5);
  const day = two(p + 8);
  if (century > 99 || years > 99 || month < 1 || month > 12 || day < 1 || day > daysIn(century * 100 + years, month)) return 0;
  let hasSeconds = false;
  let milliseconds: u32 = 0x303030;
  if (length > 10) {
    const between = load<u8>(p, 10);
    if (length < 16 || (between != 0x54 && between != 0x20) || load<u8>(p, 13) != 0x3a || two(p + 11) > 23 || two(p + 14) > 59) return 0;
    let next: usize = 16;
    if (length >= 19 && load<u8>(p, 16) == 0x3a) {
      if (two(p + 17) > 59) return 0;
      hasSeconds = true;
      next = 19;
      if (next < length && load<u8>(p, 19) == 0x2e) {
        next = 20;
        for (let shift: u32 = 0; next < length && isDigit(p + next); next++, shift += 8) {
          if (shift < 24) milliseconds = (milliseconds & ~(0xff << shift)) | (<u32>load<u8>(p + next) << shift);
        }
      }
    }
    if (next < length) {
      const zone = load<u8>(p + next);
      const left = length - next;
      if (zone == 0x5a ? left != 1 : (zone != 0x2b && zone != 0x2d) || left < 3 || left > 9) return 0;
    }
  }
  const template = <usize>load<u32>(column, TEMPLATE);
  const templateLength = <usize>load<u32>(column, TEMPLATE_LENGTH);
  for (let i: usize = 0; i < templateLength; i += 16) v128.store(out + i, v128.load(template + i));
  let hole = <usize>load<u32>(column, HOLES);
  for (let n = load<u32>(column, HOLE_COUNT); n > 0; n--, hole += HOLE_BYTES) {
    const o = out + load<u32>(hole);
    switch (load<u32>(hole, 4)) {
      case 0:
        store<u32>(o, load<u32>(p));
        break;
      case 1:
        store<u16>(o, load<u16>(p, 2));
        break;
      case 2:
        store<u16>(o, load<u16>(p, 5));
        break;
      case 3:
        store<u16>(o, load<u16>(p, 8));
        break;
      case 4:
        store<u16>(o, length > 10 ? load<u16>(p, 11) : 0x3030);
        break;
      case 5:
        store<u16>(o, length > 10 ? load<u16>(p, 14) : 0x3030);
        break;
      case 6:
        store<u16>(o, hasSeconds ? load<u16>(p, 17) : 0x3030);
        break;
      default:
        store<u16>(o, <u16>milliseconds);
        store<u8>(o + 2, <u8>(milliseconds >> 16));
    }
  }
  return p + length + 1;
}
