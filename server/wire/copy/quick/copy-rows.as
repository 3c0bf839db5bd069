// PostgreSQL's rows in COPY's binary format as stored rows, in AssemblyScript. `npm run wasm` compiles it to copy-rows.wasm;
// quick-copy.ts lays out its memory and calls it. What it writes is what copy-binary.ts writes by hand; a row with something in it
// that it does not know (huge numbers, far times) is left to the caller.

// A column: its key with the sign before it, and which type it is.
const KEY: usize = 0;
const KEY_LENGTH: usize = 4;
const KIND: usize = 8;
const COLUMN_BYTES: usize = 12;

// In the order of quick-copy.ts.
const BOOLEAN: u32 = 0;
const INT2: u32 = 1;
const INT4: u32 = 2;
const OID: u32 = 3;
const INT8: u32 = 4;
const FLOAT8: u32 = 5;
const TEXT: u32 = 6;
const DATE: u32 = 7;
const TIMESTAMP: u32 = 8;
const TIMESTAMP_WITH_ZONE: u32 = 9;
const UUID: u32 = 10;

const COPY_DATA: u8 = 0x64;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const ZERO: u8 = 0x30;
const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;

/** The longest that a value other than a text becomes, with the key's last word. */
const LONGEST: usize = 64;
/** A byte of a text becomes six at most. */
const ESCAPED: usize = 6;

/** Where reading and writing have stopped, how many rows that are, and how long the longest is. */
export let at: usize = 0;
export let written: usize = 0;
export let rows: u32 = 0;
export let longest: usize = 0;

// Where the next byte goes.
let o: usize = 0;

/**
 * One message after another, each one row, up to the first that is not whole or not understood, that there is no room for, or until
 * `mostRows` have been written or the row that reaches `stop`. `isFollowed` says that rows stand before these.
 */
export function transcribe(
  columns: usize,
  count: u32,
  keyBytes: usize,
  isFollowed: bool,
  mostRows: u32,
  src: usize,
  end: usize,
  out: usize,
  stop: usize,
  outEnd: usize,
): void {
  let s = src;
  o = out;
  rows = 0;
  longest = 0;
  while (s + 7 <= end && rows < mostRows && o < stop) {
    const length = <usize>bswap<u32>(load<u32>(s, 1));
    const next = s + 1 + length;
    if (load<u8>(s) != COPY_DATA || length > end - s || next > end || <u32>bswap<u16>(load<u16>(s, 5)) != count) break;
    if (o + keyBytes + <usize>count * LONGEST + length * ESCAPED > outEnd) break;
    const start = o;
    if (isFollowed || rows > 0) store<u8>(o++, 0x2c);
    if (!row(columns, count, s + 7, next)) {
      o = start;
      break;
    }
    longest = max(longest, o - start);
    rows++;
    s = next;
  }
  at = s;
  written = o;
}

function row(columns: usize, count: u32, from: usize, end: usize): bool {
  let p = from;
  let column = columns;
  for (let n: u32 = 0; n < count; n++, column += COLUMN_BYTES) {
    if (p + 4 > end) return false;
    const length = <i32>bswap<u32>(load<u32>(p));
    p += 4;
    const key = <usize>load<u32>(column, KEY);
    const keyLength = <usize>load<u32>(column, KEY_LENGTH);
    for (let i: usize = 0; i < keyLength; i += 16) v128.store(o + i, v128.load(key + i));
    o += keyLength;
    if (length < 0) {
      store<u32>(o, 0x6c6c756e); // null
      o += 4;
      continue;
    }
    if (p + length > end || !value(load<u32>(column, KIND), p, length)) return false;
    p += length;
  }
  store<u8>(o++, 0x7d);
  return p == end;
}

@inline
function value(kind: u32, p: usize, length: u32): bool {
  switch (kind) {
    case BOOLEAN:
      if (length != 1) return false;
      if (load<u8>(p) == 1) {
        store<u32>(o, 0x65757274); // true
        o += 4;
      } else {
        store<u32>(o, 0x736c6166); // fals
        store<u8>(o + 4, 0x65);
        o += 5;
      }
      return true;
    case INT2:
      if (length != 2) return false;
      integer(<i16>bswap<u16>(load<u16>(p)));
      return true;
    case INT4:
      if (length != 4) return false;
      integer(<i32>bswap<u32>(load<u32>(p)));
      return true;
    case OID:
      if (length != 4) return false;
      integer(bswap<u32>(load<u32>(p)));
      return true;
    case INT8: {
      if (length != 8) return false;
      const whole = <i64>bswap<u64>(load<u64>(p));
      // Fifteen digits always fit a double.
      if (whole >= 1 << 49 || whole <= -(1 << 49)) return false;
      integer(whole);
      return true;
    }
    case FLOAT8:
      return length == 8 && double(reinterpret<f64>(bswap<u64>(load<u64>(p))));
    case TEXT:
      text(p, p + length);
      return true;
    case DATE: {
      if (length != 4) return false;
      const days = <i32>bswap<u32>(load<u32>(p));
      if (days < -365_000 || days > 2_900_000) return false;
      store<u8>(o++, QUOTE);
      day(days);
      store<u8>(o++, QUOTE);
      return true;
    }
    case TIMESTAMP:
    case TIMESTAMP_WITH_ZONE:
      return length == 8 && time(<i64>bswap<u64>(load<u64>(p)), kind == TIMESTAMP_WITH_ZONE);
    case UUID:
      if (length != 16) return false;
      uuid(p);
      return true;
    default:
      return false;
  }
}

// 00 … 99, two digits each.
const PAIRS = memory.data<u8>([
  48, 48, 48, 49, 48, 50, 48, 51, 48, 52, 48, 53, 48, 54, 48, 55, 48, 56, 48, 57, 49, 48, 49, 49, 49, 50, 49, 51, 49, 52, 49, 53, 49, 54, 49, 55,
  49, 56, 49, 57, 50, 48, 50, 49, 50, 50, 50, 51, 50, 52, 50, 53, 50, 54, 50, 55, 50, 56, 50, 57, 51, 48, 51, 49, 51, 50, 51, 51, 51, 52, 51, 53,
  51, 54, 51, 55, 51, 56, 51, 57, 52, 48, 52, 49, 52, 50, 52, 51, 52, 52, 52, 53, 52, 54, 52, 55, 52, 56, 52, 57, 53, 48, 53, 49, 53, 50, 53, 51,
  53, 52, 53, 53, 53, 54, 53, 55, 53, 56, 53, 57, 54, 48, 54, 49, 54, 50, 54, 51, 54, 52, 54, 53, 54, 54, 54, 55, 54, 56, 54, 57, 55, 48, 55, 49,
  55, 50, 55, 51, 55, 52, 55, 53, 55, 54, 55, 55, 55, 56, 55, 57, 56, 48, 56, 49, 56, 50, 56, 51, 56, 52, 56, 53, 56, 54, 56, 55, 56, 56, 56, 57,
  57, 48, 57, 49, 57, 50, 57, 51, 57, 52, 57, 53, 57, 54, 57, 55, 57, 56, 57, 57,
]);

@inline
function pair(to: usize, n: u32): void {
  store<u16>(to, load<u16>(PAIRS + (<usize>n << 1)));
}

function widthOf(n: u32): usize {
  if (n < 10) return 1;
  if (n < 100) return 2;
  if (n < 1000) return 3;
  if (n < 10_000) return 4;
  if (n < 100_000) return 5;
  if (n < 1_000_000) return 6;
  if (n < 10_000_000) return 7;
  if (n < 100_000_000) return 8;
  return n < 1_000_000_000 ? 9 : 10;
}

/** With leading zeros. */
function digits(n: u32, width: usize): void {
  let rest = n;
  let p = o + width;
  while (p >= o + 2) {
    p -= 2;
    const hundredth = rest / 100;
    pair(p, rest - hundredth * 100);
    rest = hundredth;
  }
  if (p > o) store<u8>(p - 1, ZERO + <u8>(rest % 10));
  o += width;
}

function integer(n: i64): void {
  let rest = <u64>n;
  if (n < 0) {
    store<u8>(o++, MINUS);
    rest = <u64>-n;
  }
  if (rest < 1_000_000_000) digits(<u32>rest, widthOf(<u32>rest));
  else {
    const upper = rest / 1_000_000_000;
    digits(<u32>upper, widthOf(<u32>upper));
    digits(<u32>(rest - upper * 1_000_000_000), 9);
  }
}

/** The shortest text that gives the same double, of those with six decimals at most and fifteen digits, which tell any two apart. */
function double(n: f64): bool {
  const size = Math.abs(n);
  if (size >= 1e9) {
    if (!(size < 1e15) || Math.floor(n) != n) return false;
    integer(<i64>n);
    return true;
  }
  const scaled = Math.floor(size * 1e6 + 0.5);
  // Not a number is not equal to itself, and minus zero is left to others.
  if (scaled / 1e6 != size || (size == 0 && reinterpret<u64>(n) != 0)) return false;
  if (n < 0) store<u8>(o++, MINUS);
  const all = <u64>scaled;
  const whole = <u32>(all / 1_000_000);
  digits(whole, widthOf(whole));
  let fraction = <u32>(all - <u64>whole * 1_000_000);
  if (fraction == 0) return true;
  let width: usize = 6;
  for (; fraction % 10 == 0; width--) fraction /= 10;
  store<u8>(o++, POINT);
  digits(fraction, width);
  return true;
}

function text(from: usize, end: usize): void {
  let s = from;
  store<u8>(o++, QUOTE);
  while (s < end) {
    const bytes = v128.load(s);
    const odd = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH))),
      i8x16.lt_u(bytes, i8x16.splat(0x20)),
    );
    v128.store(o, bytes);
    const mask = <u32>i8x16.bitmask(odd) | 0x10000;
    const length = min(<usize>ctz(mask), end - s);
    o += length;
    s += length;
    if (length < 16 && s < end) escape(load<u8>(s++));
  }
  store<u8>(o++, QUOTE);
}

function hex(digit: u8): u8 {
  return digit < 10 ? ZERO + digit : 0x57 + digit;
}

function escape(byte: u8): void {
  store<u8>(o++, BACKSLASH);
  let short: u8 = 0;
  if (byte == QUOTE || byte == BACKSLASH) short = byte;
  else if (byte == 8) short = 0x62;
  else if (byte == 9) short = 0x74;
  else if (byte == 10) short = 0x6e;
  else if (byte == 12) short = 0x66;
  else if (byte == 13) short = 0x72;
  if (short) {
    store<u8>(o++, short);
    return;
  }
  store<u8>(o, 0x75);
  store<u16>(o + 1, 0x3030);
  store<u8>(o + 3, hex(byte >> 4));
  store<u8>(o + 4, hex(byte & 15));
  o += 5;
}

// Readings come in order: most rows have the day of the row before.
let lastDay: i32 = i32.MIN_VALUE;
const LAST_DAY = memory.data(16);

/** So many days after 2000-01-01, in the years 1000 to 9999. */
function day(days: i32): void {
  if (days != lastDay) {
    const start = o;
    print(days + 10_957);
    v128.store(LAST_DAY, v128.load(start));
    o = start;
    lastDay = days;
  }
  v128.store(o, v128.load(LAST_DAY));
  o += 10;
}

/** The proleptic Gregorian day so many days after 1970-01-01, not before the year 0. */
function print(days: i32): void {
  const shifted = <u32>(days + 719_468);
  const era = shifted / 146_097;
  const inEra = shifted - era * 146_097;
  const yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365;
  const inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const fromMarch = (5 * inYear + 2) / 153;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  digits(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4);
  store<u8>(o++, MINUS);
  digits(month, 2);
  store<u8>(o++, MINUS);
  digits(inYear - (153 * fromMarch + 2) / 5 + 1, 2);
}

const DAY_MICROS: i64 = 86_400_000_000;
/** Before 1715 or after 2285 others do it. */
const FAR: i64 = 1 << 53;

function time(micros: i64, hasZone: bool): bool {
  if (micros >= FAR || micros <= -FAR) return false;
  let days = micros / DAY_MICROS;
  if (days * DAY_MICROS > micros) days--;
  const inDay = <u64>(micros - days * DAY_MICROS);
  const seconds = <u32>(inDay / 1_000_000);
  const fraction = <u32>(inDay - <u64>seconds * 1_000_000);
  store<u8>(o++, QUOTE);
  day(<i32>days);
  const minutes = seconds / 60;
  store<u8>(o, 0x54);
  pair(o + 1, minutes / 60);
  store<u8>(o + 3, 0x3a);
  pair(o + 4, minutes % 60);
  store<u8>(o + 6, 0x3a);
  pair(o + 7, seconds % 60);
  o += 9;
  if (fraction > 0) {
    store<u8>(o++, POINT);
    digits(fraction / 1000, 3);
  }
  if (hasZone) store<u8>(o++, 0x5a);
  store<u8>(o++, QUOTE);
  return true;
}

function uuid(p: usize): void {
  store<u8>(o++, QUOTE);
  for (let i: usize = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) store<u8>(o++, MINUS);
    const byte = load<u8>(p + i);
    store<u8>(o, hex(byte >> 4));
    store<u8>(o + 1, hex(byte & 15));
    o += 2;
  }
  store<u8>(o++, QUOTE);
}
