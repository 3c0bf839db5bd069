import type { Sliced } from './sliced.ts';

const stepsAtOnce = 8192;
const digitCount = 65_536;

/** Converts numbers to two unsigned words each, low and high, whose order is that of the numbers, or its reverse. */
export function* wordsOf(ranks: Float64Array<ArrayBuffer>, isDescending: boolean): Sliced<Uint32Array> {
  const words = new Uint32Array(ranks.buffer);
  const flip = isDescending ? 0xffffffff : 0;
  for (let at = 0; at < words.length; at += 2) {
    if (at % stepsAtOnce === 0) yield at / words.length;
    const [low, high] = [words[at] ?? 0, words[at + 1] ?? 0];
    const isNegative = high >>> 31 === 1;
    words[at] = (isNegative ? ~low : low) ^ flip;
    words[at + 1] = (isNegative ? ~high : high ^ 0x80000000) ^ flip;
  }
  return words;
}

export const isSame = (words: Uint32Array, a: number, b: number): boolean =>
  words[a * 2] === words[b * 2] && words[a * 2 + 1] === words[b * 2 + 1];

/** Sorts the indexes between start and end by their words, in four passes of 16 bits; stable. */
export function* radixSort(order: Uint32Array, start: number, end: number, words: Uint32Array, spare: Uint32Array): Sliced<void> {
  const length = end - start;
  for (let pass = 0; pass < 4; pass += 1) {
    const offset = pass >> 1;
    const shift = (pass & 1) * 16;
    const places = new Uint32Array(digitCount);
    for (let at = start; at < end; at += 1) {
      if (at % stepsAtOnce === 0) yield (pass + (at - start) / length / 2) / 4;
      const digit = ((words[(order[at] ?? 0) * 2 + offset] ?? 0) >>> shift) & 0xffff;
      places[digit] = (places[digit] ?? 0) + 1;
    }
    const first = ((words[(order[start] ?? 0) * 2 + offset] ?? 0) >>> shift) & 0xffff;
    if (places[first] === length) continue;
    let sum = 0;
    for (let digit = 0; digit < digitCount; digit += 1) {
      const count = places[digit] ?? 0;
      places[digit] = sum;
      sum += count;
    }
    for (let at = start; at < end; at += 1) {
      if (at % stepsAtOnce === 0) yield (pass + 0.5 + (at - start) / length / 2) / 4;
      const row = order[at] ?? 0;
      const digit = ((words[row * 2 + offset] ?? 0) >>> shift) & 0xffff;
      const place = places[digit] ?? 0;
      spare[place] = row;
      places[digit] = place + 1;
    }
    order.set(spare.subarray(0, length), start);
  }
}
