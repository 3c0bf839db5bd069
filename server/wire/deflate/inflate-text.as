// Stored chunks (raw deflate, RFC 1951) inflated, in AssemblyScript, for other modules to use in their own memory: zlib takes as long for
// it, but its answer is new memory each time, filled by another thread, from where it has to be fetched. Anything may be in the input;
// whether what comes out is what went in, the caller knows by its checksum.

/** Codes of up to so many bits are found in one step; longer ones, which are rare by nature, bit by bit. */
const QUICK_BITS: u32 = 10;
const QUICK_MASK: u64 = (1 << 10) - 1;

// An entry: how many bits its code has, then what it is, then how many bits follow it, and from the 16th bit on its value. Two literals
// whose codes are short are one entry; of those, how many they are stands where otherwise the bits do.
const BITS_MASK: u32 = 0x1f;
const LITERAL: u32 = 0x20;
const END: u32 = 0x40;
const LONG: u32 = 0x80;
const EXTRA_SHIFT: u32 = 8;
const VALUE_SHIFT: u32 = 16;

const CODE_ENTRIES = memory.data(4 << 10, 16);
const DISTANCE_ENTRIES = memory.data(4 << 10, 16);
/** Of each alphabet, for codes that are long: how many of each length, and the symbols in the order of their codes. */
const CODE_COUNTS = memory.data(2 * 16, 16);
const DISTANCE_COUNTS = memory.data(2 * 16, 16);
const CODE_SYMBOLS = memory.data(2 * 288, 16);
const DISTANCE_SYMBOLS = memory.data(2 * 32, 16);
const LENGTHS = memory.data(320 + 16, 16);
const OFFSETS = memory.data(2 * 16, 16);

const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
const LENGTH_BASES = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRAS = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]);

// What is read: bits that were fetched and not used, how many, and where the next byte is.
let bits: u64 = 0;
let held: u64 = 0;
let s: usize = 0;

/** What is read and written beyond what counts: sixteen bytes are moved where fewer are meant. */
const SLACK: usize = 32;

/**
 * All blocks from `src` to `end` to `out`; answers where the output ends, or 0 when it is no such thing or longer than up to `outEnd`.
 * Behind `end` and `outEnd` there are SLACK bytes that may be read and written.
 */
export function inflate(src: usize, end: usize, out: usize, outEnd: usize): usize {
  let o = out;
  bits = 0;
  held = 0;
  s = src;
  // What was fetched and not used is still to come.
  while (s - <usize>(held >> 3) < end) {
    const isLast = take(1);
    const kind = take(2);
    if (kind == 0) {
      const skipped = held & 7;
      bits >>= skipped;
      held -= skipped;
      s -= <usize>(held >> 3);
      bits = 0;
      held = 0;
      const length = <usize>load<u16>(s);
      if (s + 4 + length > end || length != (<usize>load<u16>(s, 2) ^ 0xffff) || o + length > outEnd) return 0;
      memory.copy(o, s + 4, length);
      s += 4 + length;
      o += length;
    } else {
      if (kind == 3 || !(kind == 1 ? fixedCodes() : readCodes())) return 0;
      o = block(end, out, o, outEnd);
      if (!o) return 0;
    }
    if (isLast) break;
  }
  return s - <usize>(held >> 3) <= end ? o : 0;
}

@inline
function fetch(): void {
  bits |= load<u64>(s) << held;
  s += <usize>((63 - held) >> 3);
  held |= 56;
}

function take(count: u64): u32 {
  fetch();
  const value = <u32>(bits & ((<u64>1 << count) - 1));
  bits >>= count;
  held -= count;
  return value;
}

function block(end: usize, out: usize, from: usize, outEnd: usize): usize {
  let o = from;
  let b = bits;
  let h = held;
  let p = s;
  for (;;) {
    b |= load<u64>(p) << h;
    p += <usize>((63 - h) >> 3);
    h |= 56;
    let entry = load<u32>(CODE_ENTRIES + (<usize>(b & QUICK_MASK) << 2));
    if (entry & LITERAL) {
      store<u16>(o, <u16>(entry >> VALUE_SHIFT));
      o += <usize>((entry >> EXTRA_SHIFT) & 0xf);
      b >>= <u64>(entry & BITS_MASK);
      h -= <u64>(entry & BITS_MASK);
      // Ten bits at most: there are enough for two more.
      entry = load<u32>(CODE_ENTRIES + (<usize>(b & QUICK_MASK) << 2));
      if (entry & LITERAL) {
        store<u16>(o, <u16>(entry >> VALUE_SHIFT));
        o += <usize>((entry >> EXTRA_SHIFT) & 0xf);
        b >>= <u64>(entry & BITS_MASK);
        h -= <u64>(entry & BITS_MASK);
        entry = load<u32>(CODE_ENTRIES + (<usize>(b & QUICK_MASK) << 2));
        if (entry & LITERAL) {
          store<u16>(o, <u16>(entry >> VALUE_SHIFT));
          o += <usize>((entry >> EXTRA_SHIFT) & 0xf);
          b >>= <u64>(entry & BITS_MASK);
          h -= <u64>(entry & BITS_MASK);
          if (o > outEnd || p > end + 16) return 0;
          continue;
        }
      }
      b |= load<u64>(p) << h;
      p += <usize>((63 - h) >> 3);
      h |= 56;
    }
    if (entry & LONG) {
      entry = longCode(b, CODE_COUNTS, CODE_SYMBOLS);
      if (!entry) return 0;
      const symbol = entry >> VALUE_SHIFT;
      entry = (entry & BITS_MASK) | codeEntry(symbol);
      if (entry & LITERAL) {
        store<u8>(o++, <u8>symbol);
        b >>= <u64>(entry & BITS_MASK);
        h -= <u64>(entry & BITS_MASK);
        if (o > outEnd || p > end + 16) return 0;
        continue;
      }
    }
    b >>= <u64>(entry & BITS_MASK);
    h -= <u64>(entry & BITS_MASK);
    if (entry & END) break;
    const lengthBits = <u64>((entry >> EXTRA_SHIFT) & 0xf);
    const length = <usize>(entry >> VALUE_SHIFT) + <usize>(b & ((<u64>1 << lengthBits) - 1));
    b >>= lengthBits;
    h -= lengthBits;
    let far = load<u32>(DISTANCE_ENTRIES + (<usize>(b & QUICK_MASK) << 2));
    if (far & LONG) {
      far = longCode(b, DISTANCE_COUNTS, DISTANCE_SYMBOLS);
      if (!far) return 0;
      far = (far & BITS_MASK) | distanceEntry(far >> VALUE_SHIFT);
    }
    b >>= <u64>(far & BITS_MASK);
    h -= <u64>(far & BITS_MASK);
    const distanceBits = <u64>((far >> EXTRA_SHIFT) & 0xf);
    const distance = <usize>(far >> VALUE_SHIFT) + <usize>(b & ((<u64>1 << distanceBits) - 1));
    b >>= distanceBits;
    h -= distanceBits;
    if (length == 0 || distance == 0 || distance > o - out || o + length > outEnd || p > end + 16) return 0;
    let from = o - distance;
    const stop = o + length;
    if (distance >= 16) {
      for (; o < stop; o += 16, from += 16) v128.store(o, v128.load(from));
    } else {
      for (; o < stop; o++, from++) store<u8>(o, load<u8>(from));
    }
    o = stop;
  }
  bits = b;
  held = h;
  s = p;
  return o <= outEnd ? o : 0;
}

/** What a symbol is, without the length of its code; 0 for one that there is not. */
function codeEntry(symbol: u32): u32 {
  if (symbol < 256) return LITERAL | (1 << EXTRA_SHIFT) | (symbol << VALUE_SHIFT);
  if (symbol == 256) return END;
  const n = symbol - 257;
  if (n > 28) return 0;
  return (<u32>load<u8>(LENGTH_EXTRAS + n) << EXTRA_SHIFT) | (<u32>load<u16>(LENGTH_BASES + (n << 1)) << VALUE_SHIFT);
}

function distanceEntry(symbol: u32): u32 {
  if (symbol > 29) return 0;
  if (symbol < 4) return (symbol + 1) << VALUE_SHIFT;
  const extra = (symbol >> 1) - 1;
  return (extra << EXTRA_SHIFT) | ((((2 + (symbol & 1)) << extra) + 1) << VALUE_SHIFT);
}

/** The length of the code that the bits begin with, and its symbol from the 16th bit on; 0 when there is none. */
function longCode(from: u64, counts: usize, symbols: usize): u32 {
  let rest = from;
  let code: i32 = 0;
  let first: i32 = 0;
  let index: i32 = 0;
  for (let length: u32 = 1; length <= 15; length++, rest >>= 1) {
    code |= <i32>(rest & 1);
    const count = <i32>load<u16>(counts + (length << 1));
    if (code - first < count) return length | (<u32>load<u16>(symbols + ((index + code - first) << 1)) << VALUE_SHIFT);
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return 0;
}

/** Tables for codes of these lengths. Too many codes are refused; too few may be (one distance only is usual). */
function makeTables(lengths: usize, symbols: u32, isDistance: bool): bool {
  const counts = isDistance ? DISTANCE_COUNTS : CODE_COUNTS;
  const sorted = isDistance ? DISTANCE_SYMBOLS : CODE_SYMBOLS;
  const entries = isDistance ? DISTANCE_ENTRIES : CODE_ENTRIES;
  memory.fill(counts, 0, 2 * 16);
  for (let n: u32 = 0; n < symbols; n++) {
    const at = counts + (<u32>load<u8>(lengths + n) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  store<u16>(counts, 0);
  let left: i32 = 1;
  store<u16>(OFFSETS, 0, 2);
  for (let length: u32 = 1; length <= 15; length++) {
    const count = load<u16>(counts + (length << 1));
    left = (left << 1) - <i32>count;
    if (left < 0) return false;
    if (length < 15) store<u16>(OFFSETS + ((length + 1) << 1), load<u16>(OFFSETS + (length << 1)) + count);
  }
  for (let n: u32 = 0; n < symbols; n++) {
    const length = load<u8>(lengths + n);
    if (!length) continue;
    const at = OFFSETS + (<u32>length << 1);
    const place = load<u16>(at);
    store<u16>(at, place + 1);
    store<u16>(sorted + (<u32>place << 1), <u16>n);
  }
  for (let n: u32 = 0; n <= <u32>QUICK_MASK; n++) store<u32>(entries + (n << 2), LONG);
  let code: u32 = 0;
  let index: u32 = 0;
  for (let length: u32 = 1; length <= QUICK_BITS; length++) {
    for (let count = load<u16>(counts + (length << 1)); count > 0; count--, index++, code++) {
      const symbol = <u32>load<u16>(sorted + (index << 1));
      const entry = length | (isDistance ? distanceEntry(symbol) : codeEntry(symbol));
      let reversed: u32 = 0;
      for (let n: u32 = 0; n < length; n++) reversed |= ((code >> n) & 1) << (length - 1 - n);
      for (let at = reversed; at <= <u32>QUICK_MASK; at += 1 << length) store<u32>(entries + (at << 2), entry);
    }
    code <<= 1;
  }
  if (!isDistance) joinLiterals();
  return true;
}

/** From the last entry to the first: what follows a literal is told by an entry before its own, or by its own. */
function joinLiterals(): void {
  for (let n = <i32>QUICK_MASK; n >= 0; n--) {
    const first = load<u32>(CODE_ENTRIES + (n << 2));
    if (!(first & LITERAL)) continue;
    const bits = first & BITS_MASK;
    const second = load<u32>(CODE_ENTRIES + ((n >> bits) << 2));
    if (!(second & LITERAL) || bits + (second & BITS_MASK) > QUICK_BITS) continue;
    const values = (first >> VALUE_SHIFT) | ((second >> VALUE_SHIFT) << 8);
    store<u32>(CODE_ENTRIES + (n << 2), (bits + (second & BITS_MASK)) | LITERAL | (2 << EXTRA_SHIFT) | (values << VALUE_SHIFT));
  }
}

function fixedCodes(): bool {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 30);
  return makeTables(LENGTHS, 288, false) && makeTables(LENGTHS + 288, 30, true);
}

function readCodes(): bool {
  const codes = take(5) + 257;
  const distances = take(5) + 1;
  const orders = take(4) + 4;
  if (codes > 286 || distances > 30) return false;
  memory.fill(LENGTHS, 0, 19);
  for (let n: u32 = 0; n < orders; n++) store<u8>(LENGTHS + <u32>load<u8>(ORDER + n), <u8>take(3));
  if (!makeTables(LENGTHS, 19, false)) return false;
  const all = codes + distances;
  for (let n: u32 = 0; n < all; ) {
    fetch();
    const code = longCode(bits, CODE_COUNTS, CODE_SYMBOLS);
    if (!code) return false;
    take(code & BITS_MASK);
    const symbol = code >> VALUE_SHIFT;
    if (symbol < 16) {
      store<u8>(LENGTHS + n++, <u8>symbol);
      continue;
    }
    if (symbol == 16 && n == 0) return false;
    const length: u8 = symbol == 16 ? load<u8>(LENGTHS + n - 1) : 0;
    const times = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7);
    if (n + times > all) return false;
    memory.fill(LENGTHS + n, length, times);
    n += times;
  }
  return makeTables(LENGTHS, codes, false) && makeTables(LENGTHS + codes, distances, true);
}
