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
const FLOAT4: u32 = 11;
const NUMERIC: u32 = 12;

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
    case FLOAT4:
      return length == 4 && single(reinterpret<f32>(bswap<u32>(load<u32>(p))));
    case NUMERIC:
      return length >= 8 && numeric(p, length);
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

/** The shortest text that gives the same double; those with six decimals at most and fifteen digits, which tell any two apart, at once. */
function double(n: f64): bool {
  const size = Math.abs(n);
  if (size >= 1e9 && size < 1e15 && Math.floor(n) == n) {
    integer(<i64>n);
    return true;
  }
  const scaled = Math.floor(size * 1e6 + 0.5);
  if (size >= 1e9 || scaled / 1e6 != size) return longDouble(n, size);
  // Minus zero is left to others.
  if (size == 0 && reinterpret<u64>(n) != 0) return false;
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

/** Numbers that are written without a power of ten; not a number is none of them. */
@inline
function isUsual(size: f64): bool {
  return size >= 1e-6 && size < 1e21;
}

function longDouble(n: f64, size: f64): bool {
  if (!isUsual(size)) return false;
  shortestDouble(reinterpret<u64>(size));
  return decimal(n < 0);
}

function shortestDouble(bits: u64): void {
  const fraction = bits & 0x000fffffffffffff;
  // A boundary may be rounded to a number whose last bit is zero.
  shortest(fraction | 0x0010000000000000, <i32>(bits >> 52) - 1075, fraction == 0, (fraction & 1) == 0);
}

/** As PostgreSQL prints it: the shortest text that gives the same single however halves are rounded. */
function single(n: f32): bool {
  if (reinterpret<u32>(n) == 0) {
    store<u8>(o++, ZERO);
    return true;
  }
  const size = Mathf.abs(n);
  if (!isUsual(size)) return false;
  const bits = reinterpret<u32>(size);
  const fraction = bits & 0x007fffff;
  shortest(fraction | 0x00800000, <i32>(bits >> 23) - 150, fraction == 0, false);
  return decimal(n < 0);
}

/** 10^-13 … 10^22, each as 128 bits of which the first is set, the lower half first; what does not end is rounded up. */
const POWERS = memory.data<u64>([
  0x2865a5f206b06fba, 0xe12e13424bb40e13,
  0xf93f87b7442e45d4, 0x8cbccc096f5088cb,
  0xf78f69a51539d749, 0xafebff0bcb24aafe,
  0xb573440e5a884d1c, 0xdbe6fecebdedd5be,
  0x31680a88f8953031, 0x89705f4136b4a597,
  0xfdc20d2b36ba7c3e, 0xabcc77118461cefc,
  0x3d32907604691b4d, 0xd6bf94d5e57a42bc,
  0xa63f9a49c2c1b110, 0x8637bd05af6c69b5,
  0x0fcf80dc33721d54, 0xa7c5ac471b478423,
  0xd3c36113404ea4a9, 0xd1b71758e219652b,
  0x645a1cac083126ea, 0x83126e978d4fdf3b,
  0x3d70a3d70a3d70a4, 0xa3d70a3d70a3d70a,
  0xcccccccccccccccd, 0xcccccccccccccccc,
  0x0000000000000000, 0x8000000000000000,
  0x0000000000000000, 0xa000000000000000,
  0x0000000000000000, 0xc800000000000000,
  0x0000000000000000, 0xfa00000000000000,
  0x0000000000000000, 0x9c40000000000000,
  0x0000000000000000, 0xc350000000000000,
  0x0000000000000000, 0xf424000000000000,
  0x0000000000000000, 0x9896800000000000,
  0x0000000000000000, 0xbebc200000000000,
  0x0000000000000000, 0xee6b280000000000,
  0x0000000000000000, 0x9502f90000000000,
  0x0000000000000000, 0xba43b74000000000,
  0x0000000000000000, 0xe8d4a51000000000,
  0x0000000000000000, 0x9184e72a00000000,
  0x0000000000000000, 0xb5e620f480000000,
  0x0000000000000000, 0xe35fa931a0000000,
  0x0000000000000000, 0x8e1bc9bf04000000,
  0x0000000000000000, 0xb1a2bc2ec5000000,
  0x0000000000000000, 0xde0b6b3a76400000,
  0x0000000000000000, 0x8ac7230489e80000,
  0x0000000000000000, 0xad78ebc5ac620000,
  0x0000000000000000, 0xd8d726b7177a8000,
  0x0000000000000000, 0x878678326eac9000,
]);
const FIRST_POWER: i32 = -13;

// A decimal: its digits, and the power of ten that the last of them is worth.
let value10: u64 = 0;
let power10: i32 = 0;

/** The upper half of a product. */
@inline
function upper(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const b0 = b & 0xffffffff;
  const b1 = b >> 32;
  const middle = a1 * b0 + ((a0 * b0) >> 32);
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffff)) >> 32);
}

/** The upper 64 of the 192 bits of a product; the last of them tells also whether anything was cut off. */
@inline
function product(high: u64, low: u64, n: u64): u64 {
  const middle = n * high + upper(n, low);
  return (upper(n, high) + <u64>(middle < upper(n, low))) | <u64>(middle > 1);
}

/**
 * The shortest decimal between the boundaries of c · 2^q, and of those the nearest: R. Giulietti, "The Schubfach way to render doubles".
 * The lower boundary is closer where the power of two changes.
 */
function shortest(c: u64, q: i32, isCloser: bool, hasBoundaries: bool): void {
  const k = (q * 1_262_611 - (isCloser ? 524_031 : 0)) >> 22;
  const h = <u64>(q + ((-k * 1_741_647) >> 19) + 1);
  const power = POWERS + (<usize>(-k - FIRST_POWER) << 4);
  const low = load<u64>(power);
  const high = load<u64>(power, 8);
  const least = product(high, low, (4 * c - 2 + <u64>isCloser) << h) + <u64>!hasBoundaries;
  const exact = product(high, low, (4 * c) << h);
  const most = product(high, low, (4 * c + 2) << h) - <u64>!hasBoundaries;
  const s = exact >> 2;
  power10 = k;
  if (s >= 10) {
    const tens = s / 10;
    const isBelow = least <= 40 * tens;
    const isAbove = 40 * tens + 40 <= most;
    if (isBelow != isAbove) {
      value10 = tens + <u64>isAbove;
      power10 = k + 1;
      return;
    }
  }
  const isBelow = least <= 4 * s;
  const isAbove = 4 * s + 4 <= most;
  const half = 4 * s + 2;
  value10 = s + <u64>(isBelow != isAbove ? isAbove : exact > half || (exact == half && (s & 1) != 0));
}

function withoutZeros(): void {
  while (value10 % 10 == 0) {
    value10 /= 10;
    power10++;
  }
}

/** Its point among, behind or before the digits. */
function decimal(isNegative: bool): bool {
  withoutZeros();
  const head = <u32>(value10 / 1_000_000_000);
  const tail = <u32>(value10 - <u64>head * 1_000_000_000);
  const count = head ? widthOf(head) + 9 : widthOf(tail);
  const whole = <i32>count + power10;
  if (whole > 21 || whole < -5) return false;
  if (isNegative) store<u8>(o++, MINUS);
  if (whole <= 0) {
    store<u64>(o, 0x3030303030302e30); // 0.000000
    o += <usize>(2 - whole);
  }
  const start = o;
  if (head) {
    digits(head, count - 9);
    digits(tail, 9);
  } else digits(tail, count);
  if (whole > 0 && power10 < 0) {
    const point = start + <usize>whole;
    memory.copy(point + 1, point, <usize>-power10);
    store<u8>(point, POINT);
    o++;
  }
  for (; power10 > 0; power10--) store<u8>(o++, ZERO);
  return true;
}

const TENS = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]);
const LAST_TEN: i32 = 22;

const NUMBER: u32 = 0;
const LONG_TEXT: u32 = 1;
const UNKNOWN: u32 = 2;

/** Groups of four digits, the first worth 10,000 to the power of `weight`, as many decimals as were asked for. */
function numeric(p: usize, length: usize): bool {
  const groups = <i32>bswap<u16>(load<u16>(p));
  const weight = <i32><i16>bswap<u16>(load<u16>(p, 2));
  const sign = bswap<u16>(load<u16>(p, 4));
  let decimals = <i32>bswap<u16>(load<u16>(p, 6));
  if (length != 8 + (<usize>groups << 1) || weight > 5 || weight < -6 || decimals > 32 || (sign & 0xbfff) != 0) return false;
  const form = formOf(p, groups, weight);
  if (form == UNKNOWN) return false;
  if (form == LONG_TEXT) store<u8>(o++, QUOTE);
  if (sign) store<u8>(o++, MINUS);
  if (weight < 0) store<u8>(o++, ZERO);
  else {
    const first = group(p, 0, groups);
    digits(first, widthOf(first));
  }
  for (let i = 1; i <= weight; i++) digits(group(p, i, groups), 4);
  if (decimals > 0) {
    store<u8>(o++, POINT);
    for (let i = weight + 1; decimals > 0; i++, decimals -= 4) digits(group(p, i, groups), 4);
    // The last group has digits beyond those, which are zeros.
    o -= <usize>-decimals;
  }
  if (form == LONG_TEXT) store<u8>(o++, QUOTE);
  return true;
}

/** design 8: a number where a double holds it, that is where it prints as the same again. Up to 15 digits always do, from 18 on none. */
function formOf(p: usize, groups: i32, weight: i32): u32 {
  if (groups == 0) return NUMBER;
  const first = group(p, 0, groups);
  let last = group(p, groups - 1, groups);
  if (first == 0 || last == 0) return UNKNOWN;
  let zeros: u32 = 0;
  for (; last % 10 == 0; last /= 10) zeros++;
  const count = <u32>widthOf(first) + <u32>(groups - 1) * 4 - zeros;
  if (count < 16) return NUMBER;
  if (count > 17) return LONG_TEXT;
  let all: u64 = 0;
  for (let i = 0; i < groups - 1; i++) all = all * 10_000 + group(p, i, groups);
  for (let i = zeros; i < 4; i++) all *= 10;
  all += last;
  return isHeld(all, (weight - groups + 1) * 4 + <i32>zeros);
}

/** Whether the double that is nearest to n · 10^power prints as that again. It is one of three: what is computed, or one beside it. */
function isHeld(n: u64, power: i32): u32 {
  if (power > LAST_TEN || power < -LAST_TEN) return UNKNOWN;
  const near = power < 0 ? <f64>n / load<f64>(TENS + (<usize>-power << 3)) : <f64>n * load<f64>(TENS + (<usize>power << 3));
  if (!isUsual(near)) return UNKNOWN;
  const bits = reinterpret<u64>(near);
  for (let other: u64 = bits - 1; other <= bits + 1; other++) {
    shortestDouble(other);
    withoutZeros();
    if (value10 == n && power10 == power) return NUMBER;
  }
  return LONG_TEXT;
}

@inline
function group(p: usize, index: i32, groups: i32): u32 {
  return index < 0 || index >= groups ? 0 : <u32>bswap<u16>(load<u16>(p + 8 + (<usize>index << 1)));
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
