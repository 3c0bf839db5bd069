// Text as raw deflate, in AssemblyScript: rows of a result become as small as by zlib's quickest level, in half to two thirds of its
// time and without another thread. `npm run wasm` compiles it to deflate-text.wasm; deflate-text.ts lays out its memory and calls it.
//
// Rows repeat the rows before. So wherever the last repetition ended, the same distance is tried first, then one place where the same
// few bytes were seen; nothing is searched. Tokens are collected and counted, and written with codes made for them (RFC 1951).

const WINDOW: usize = 32_768;
const SHORTEST: usize = 4;
const LONGEST: usize = 258;
const HASH_BITS: u64 = 12;
/** So many tokens have codes of their own. */
const BLOCK_TOKENS: usize = 65_536;

const LITERALS: u32 = 286;
const DISTANCES: u32 = 30;
const ORDERS: u32 = 19;
const END: u32 = 256;
const LONGEST_CODE: u32 = 15;
const LONGEST_ORDER_CODE: u32 = 7;

// How often each symbol occurs: literals and lengths, distances, lengths of codes.
const COUNTS = memory.data(4 * 286, 16);
const DISTANCE_COUNTS = memory.data(4 * 30, 16);
const ORDER_COUNTS = memory.data(4 * 19, 16);
// Their codes, and from the 16th bit on how many bits each has.
const CODES = memory.data(4 * 286, 16);
const DISTANCE_CODES = memory.data(4 * 30, 16);
const ORDER_CODES = memory.data(4 * 19, 16);
/** Lengths of codes as they are written, literals and distances one after the other, and what was made of them: a symbol and its bits. */
const LENGTHS = memory.data(320, 16);
const RUNS = memory.data(2 * 320, 16);
/** Symbols in the order of their counts, and the tree that is made of these. */
const SORTED = memory.data(4 * 288, 16);
const TREE = memory.data(4 * 288, 16);
/** How many codes of each length, and the next one of it. A tree is at most so deep. */
const DEEPEST: u32 = 63;
const PER_LENGTH = memory.data(4 * 64, 16);
const NEXT_CODE = memory.data(4 * 16, 16);

const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
/** Of a length less three: its symbol less 257. */
const LENGTH_SYMBOLS = memory.data(256, 16);
/** Of such a symbol: its first length, and how many bits tell which one it is. */
const LENGTH_BASES = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_BITS = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]);

for (let symbol: u32 = 0; symbol < 29; symbol++) {
  const first = <u32>load<u16>(LENGTH_BASES + (symbol << 1));
  const count: u32 = 1 << load<u8>(LENGTH_BITS + symbol);
  for (let length = first; length < first + count && length <= <u32>LONGEST; length++) store<u8>(LENGTH_SYMBOLS + length - 3, <u8>symbol);
}

/** Where memory begins that is not used here. */
export const firstFree: usize = __heap_base;

// What is being written: bits that are not yet a byte, how many, and where the next byte goes.
let bits: u64 = 0;
let held: u64 = 0;
let o: usize = 0;

/**
 * All bytes from `src` to `end`, ended by a full flush; answers where the output ends. `scratch` has room for where bytes were seen and
 * for the tokens of a block, a word each. `least` is how many bytes, four to eight, must be as they were somewhere: in numbers that do
 * not repeat, four digits are the same as others by chance, which costs more to tell than to write them. What cannot be made smaller
 * grows by five bytes for each 65,535 and for each block.
 */
export function deflate(src: usize, end: usize, out: usize, scratch: usize, least: u64): usize {
  const cut = 64 - 8 * least;
  const places = scratch;
  const tokens = scratch + (4 << <usize>HASH_BITS);
  memory.fill(places, 0, 4 << <usize>HASH_BITS);
  bits = 0;
  held = 0;
  o = out;
  let p = src;
  // Places count from 1, so that 0 is nowhere.
  const base = src - 1;
  let distance: usize = 0;
  const tokensEnd = tokens + BLOCK_TOKENS * 4;
  while (p < end) {
    const blockStart = p;
    let t = tokens;
    memory.fill(COUNTS, 0, 4 * LITERALS);
    memory.fill(DISTANCE_COUNTS, 0, 4 * DISTANCES);
    while (p + 8 <= end && t < tokensEnd) {
      const next = load<u64>(p);
      const slot = places + <usize>(((next << cut) * 0x9e3779b97f4a7c15) >>> (64 - HASH_BITS) << 2);
      const seen = base + <usize>load<u32>(slot);
      store<u32>(slot, <u32>(p - base));
      if (distance == 0 || load<u32>(p - distance) != <u32>next) {
        if (seen == base || p - seen > WINDOW || (load<u64>(seen) ^ next) << cut != 0) {
          const literal = <u32>(next & 0xff);
          store<u32>(t, literal);
          t += 4;
          count(COUNTS, literal);
          p++;
          continue;
        }
        distance = p - seen;
      }
      const most = min(p + LONGEST, end);
      let q = p + SHORTEST;
      while (q < most) {
        const difference = load<u64>(q) ^ load<u64>(q - distance);
        if (difference) {
          q += <usize>(ctz(difference) >> 3);
          break;
        }
        q += 8;
      }
      if (q > most) q = most;
      const length = <u32>(q - p);
      store<u32>(t, 0x80000000 | (length << 16) | <u32>(distance - 1));
      t += 4;
      count(COUNTS, 257 + <u32>load<u8>(LENGTH_SYMBOLS + length - 3));
      count(DISTANCE_COUNTS, distanceSymbol(<u32>(distance - 1)));
      p = q;
    }
    while (p + 8 > end && p < end && t < tokensEnd) {
      const literal = <u32>load<u8>(p++);
      store<u32>(t, literal);
      t += 4;
      count(COUNTS, literal);
    }
    block(blockStart, p, tokens, t);
  }
  // A stored block of nothing, on a byte of its own: what follows may come from anywhere.
  put(0, 3);
  align();
  store<u32>(o, 0xffff0000);
  return o + 4;
}

@inline
function count(counts: usize, symbol: u32): void {
  const at = counts + (<usize>symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Of a distance less one. */
@inline
function distanceSymbol(distance: u32): u32 {
  if (distance < 4) return distance;
  const top = 31 - clz(distance);
  return (top << 1) + ((distance >> (top - 1)) & 1);
}

@inline
function put(value: u64, width: u64): void {
  bits |= value << held;
  held += width;
  store<u64>(o, bits);
  o += <usize>(held >> 3);
  bits >>= held & 0x38;
  held &= 7;
}

/** To the next whole byte. */
function align(): void {
  if (held > 0) put(0, 8 - held);
}

function block(from: usize, to: usize, tokens: usize, tokensEnd: usize): void {
  count(COUNTS, END);
  makeCodes(COUNTS, LITERALS, LONGEST_CODE, CODES);
  makeCodes(DISTANCE_COUNTS, DISTANCES, LONGEST_CODE, DISTANCE_CODES);
  if (codedBytes() > to - from) {
    storeAsIs(from, to);
    return;
  }
  put(0b100, 3); // not the last one; codes of its own
  writeCodes();
  // The bits in locals: globals are memory.
  let b = bits;
  let h = held;
  let next = o;
  for (let t = tokens; t < tokensEnd; t += 4) {
    const token = load<u32>(t);
    if (token < 256) {
      const code = load<u32>(CODES + (<usize>token << 2));
      b |= <u64>(code & 0xffff) << h;
      h += <u64>(code >> 16);
    } else {
      const length = (token >> 16) & 0x1ff;
      const distance = token & 0xffff;
      const lengthSymbol = <u32>load<u8>(LENGTH_SYMBOLS + length - 3);
      const code = load<u32>(CODES + ((<usize>lengthSymbol + 257) << 2));
      b |= <u64>(code & 0xffff) << h;
      h += <u64>(code >> 16);
      b |= <u64>(length - <u32>load<u16>(LENGTH_BASES + (lengthSymbol << 1))) << h;
      h += <u64>load<u8>(LENGTH_BITS + lengthSymbol);
      const symbol = distanceSymbol(distance);
      const distanceCode = load<u32>(DISTANCE_CODES + (<usize>symbol << 2));
      b |= <u64>(distanceCode & 0xffff) << h;
      h += <u64>(distanceCode >> 16);
      if (symbol >= 4) {
        const extra = (symbol >> 1) - 1;
        b |= <u64>(distance & ((1 << extra) - 1)) << h;
        h += <u64>extra;
      }
    }
    store<u64>(next, b);
    next += <usize>(h >> 3);
    b >>= h & 0x38;
    h &= 7;
  }
  bits = b;
  held = h;
  o = next;
  const code = load<u32>(CODES + (END << 2));
  put(code & 0xffff, code >> 16);
}

/** What the tokens need, and about what telling their codes does. */
function codedBytes(): usize {
  let size: u64 = 640;
  for (let n: u32 = 0; n < LITERALS; n++) {
    const extra: u32 = n > END ? load<u8>(LENGTH_BITS + n - 257) : 0;
    size += <u64>load<u32>(COUNTS + (n << 2)) * <u64>((load<u32>(CODES + (n << 2)) >> 16) + extra);
  }
  for (let n: u32 = 0; n < DISTANCES; n++) {
    const extra: u32 = n < 4 ? 0 : (n >> 1) - 1;
    size += <u64>load<u32>(DISTANCE_COUNTS + (n << 2)) * <u64>((load<u32>(DISTANCE_CODES + (n << 2)) >> 16) + extra);
  }
  return <usize>(size >> 3);
}

function storeAsIs(from: usize, to: usize): void {
  for (let p = from; p < to; ) {
    const length = min(to - p, <usize>65_535);
    put(0, 3);
    align();
    store<u16>(o, <u16>length);
    store<u16>(o + 2, <u16>~length);
    memory.copy(o + 4, p, length);
    o += 4 + length;
    p += length;
  }
}

/** How long each symbol's code is (as Moffat and Katajainen make them in place), no longer than `most`, and the codes themselves. */
function makeCodes(counts: usize, symbols: u32, most: u32, codes: usize): void {
  let used: u32 = 0;
  for (let n: u32 = 0; n < symbols; n++) {
    store<u32>(codes + (n << 2), 0);
    const weight = load<u32>(counts + (n << 2));
    if (!weight) continue;
    // Few symbols, and those of texts are nearly in order: sorted as they come.
    let at = used++;
    for (; at > 0 && load<u32>(TREE + ((at - 1) << 2)) > weight; at--) {
      store<u32>(TREE + (at << 2), load<u32>(TREE + ((at - 1) << 2)));
      store<u32>(SORTED + (at << 2), load<u32>(SORTED + ((at - 1) << 2)));
    }
    store<u32>(TREE + (at << 2), weight);
    store<u32>(SORTED + (at << 2), n);
  }
  memory.fill(PER_LENGTH, 0, 4 * (DEEPEST + 1));
  if (used == 0) return;
  if (used == 1) {
    store<u32>(codes + (load<u32>(SORTED) << 2), 1 << 16);
    return;
  }
  depths(used);
  for (let i: u32 = 0; i < used; i++) count(PER_LENGTH, min(load<u32>(TREE + (i << 2)), DEEPEST));
  limit(most);
  // The rarest symbols have the longest codes.
  let i: u32 = 0;
  for (let length = most; length > 0; length--) {
    for (let n = load<u32>(PER_LENGTH + (length << 2)); n > 0; n--, i++) store<u32>(codes + (load<u32>(SORTED + (i << 2)) << 2), length << 16);
  }
  let code: u32 = 0;
  for (let length: u32 = 1; length <= most; length++) {
    code = (code + (length > 1 ? load<u32>(PER_LENGTH + ((length - 1) << 2)) : 0)) << 1;
    store<u32>(NEXT_CODE + (length << 2), code);
  }
  for (let n: u32 = 0; n < symbols; n++) {
    const length = load<u32>(codes + (n << 2)) >> 16;
    if (!length) continue;
    const next = NEXT_CODE + (length << 2);
    const value = load<u32>(next);
    store<u32>(next, value + 1);
    store<u32>(codes + (n << 2), (length << 16) | reversed(value, length));
  }
}

@inline
function at(i: u32): u32 {
  return load<u32>(TREE + (i << 2));
}

@inline
function set(i: u32, value: u32): void {
  store<u32>(TREE + (i << 2), value);
}

/** The counts in TREE, smallest first, become the depths of their leaves, deepest first. */
function depths(used: u32): void {
  let leaf: u32 = 2;
  let root: u32 = 0;
  set(0, at(0) + at(1));
  for (let next: u32 = 1; next < used - 1; next++) {
    let sum: u32 = 0;
    for (let half = 0; half < 2; half++) {
      if (leaf >= used || (root < next && at(root) < at(leaf))) {
        sum += at(root);
        set(root++, next);
      } else sum += at(leaf++);
    }
    set(next, sum);
  }
  set(used - 2, 0);
  for (let i = <i32>used - 3; i >= 0; i--) set(i, at(at(i)) + 1);
  let free: u32 = 1;
  let inner = <i32>used - 2;
  let to = <i32>used - 1;
  for (let depth: u32 = 0; free > 0; depth++) {
    let taken: u32 = 0;
    for (; inner >= 0 && at(inner) == depth; inner--) taken++;
    for (; free > taken; free--) set(to--, depth);
    free = taken << 1;
  }
}

@inline
function more(length: u32, codes: i32): void {
  const place = PER_LENGTH + (length << 2);
  store<u32>(place, load<u32>(place) + codes);
}

/** Codes that are too long are made shorter, and as many others longer as that takes. */
function limit(most: u32): void {
  for (let length = most + 1; length <= DEEPEST; length++) more(most, <i32>load<u32>(PER_LENGTH + (length << 2)));
  let used: u32 = 0;
  for (let length: u32 = 1; length <= most; length++) used += load<u32>(PER_LENGTH + (length << 2)) << (most - length);
  for (; used > 1 << most; used--) {
    more(most, -1);
    let length = most - 1;
    while (!load<u32>(PER_LENGTH + (length << 2))) length--;
    more(length, -1);
    more(length + 1, 2);
  }
}

function reversed(code: u32, length: u32): u32 {
  let result: u32 = 0;
  for (let n: u32 = 0; n < length; n++) result |= ((code >> n) & 1) << (length - 1 - n);
  return result;
}

/** Which codes there are: their lengths, those with their own codes. */
function writeCodes(): void {
  let literals = LITERALS;
  while (literals > 257 && !(load<u32>(CODES + ((literals - 1) << 2)) >> 16)) literals--;
  let distances = DISTANCES;
  while (distances > 1 && !(load<u32>(DISTANCE_CODES + ((distances - 1) << 2)) >> 16)) distances--;
  for (let n: u32 = 0; n < literals; n++) store<u8>(LENGTHS + n, <u8>(load<u32>(CODES + (n << 2)) >> 16));
  for (let n: u32 = 0; n < distances; n++) store<u8>(LENGTHS + literals + n, <u8>(load<u32>(DISTANCE_CODES + (n << 2)) >> 16));
  const all = literals + distances;
  memory.fill(ORDER_COUNTS, 0, 4 * ORDERS);
  let runs: u32 = 0;
  for (let n: u32 = 0; n < all; ) {
    const length = load<u8>(LENGTHS + n);
    let times: u32 = 1;
    while (n + times < all && load<u8>(LENGTHS + n + times) == length) times++;
    n += times;
    if (length) {
      run(runs++, length, 0);
      times--;
    }
    while (times >= 3) {
      const most: u32 = length ? 6 : 138;
      const some = min(times, most);
      if (length) run(runs++, 16, some - 3);
      else if (some > 10) run(runs++, 18, some - 11);
      else run(runs++, 17, some - 3);
      times -= some;
    }
    for (; times > 0; times--) run(runs++, length, 0);
  }
  makeCodes(ORDER_COUNTS, ORDERS, LONGEST_ORDER_CODE, ORDER_CODES);
  let orders = ORDERS;
  while (orders > 4 && !(load<u32>(ORDER_CODES + (<u32>load<u8>(ORDER + orders - 1) << 2)) >> 16)) orders--;
  put(literals - 257, 5);
  put(distances - 1, 5);
  put(orders - 4, 4);
  for (let n: u32 = 0; n < orders; n++) put(load<u32>(ORDER_CODES + (<u32>load<u8>(ORDER + n) << 2)) >> 16, 3);
  for (let n: u32 = 0; n < runs; n++) {
    const symbol = <u32>load<u8>(RUNS + (n << 1));
    const code = load<u32>(ORDER_CODES + (symbol << 2));
    put(code & 0xffff, code >> 16);
    if (symbol >= 16) put(load<u8>(RUNS + (n << 1) + 1), symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
  }
}

function run(n: u32, symbol: u32, extra: u32): void {
  store<u8>(RUNS + (n << 1), <u8>symbol);
  store<u8>(RUNS + (n << 1) + 1, <u8>extra);
  count(ORDER_COUNTS, symbol);
}
