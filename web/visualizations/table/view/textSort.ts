import { isSame, radixSort } from './radixSort.ts';
import type { Sliced } from './sliced.ts';

const stepsAtOnce = 8192;
const fewEnough = 2000;

/** A range of the order whose texts are equal up to `skip`. */
interface Run {
  start: number;
  end: number;
  skip: number;
}

interface Texts {
  order: Uint32Array;
  /** As long as the order. */
  spare: Uint32Array;
  textAt: (row: number) => string;
  isDescending: boolean;
}

/**
 * Sorts the indexes from start to end by text, in code units. The common prefix of a run is skipped, the next letters make one number per
 * text, and only texts with equal numbers are compared again: identifiers, addresses and words take one round.
 */
export function* textSort(texts: Texts, start: number, end: number): Sliced<void> {
  const { order, spare } = texts;
  const words = new Uint32Array(order.length * 2);
  const runs: Run[] = [{ start, end, skip: 0 }];
  for (let run = runs.pop(); run; run = runs.pop()) {
    if (run.end - run.start <= fewEnough) {
      sortFew(texts, run);
      yield 0.9;
      continue;
    }
    const { common, longest } = yield* shapeOf(texts, run);
    if (common === longest) continue;
    const letters = (yield* rankLetters(texts, run, common, narrow, words)) || (yield* rankLetters(texts, run, common, wide, words));
    yield* radixSort(order, run.start, run.end, words, spare);
    const reached = common + letters;
    for (let at = run.start; longest > reached && at < run.end; ) {
      if (at % stepsAtOnce === 0) yield 0.8;
      let next = at + 1;
      while (next < run.end && isSame(words, order[at] ?? 0, order[next] ?? 0)) next += 1;
      const isOpen = next - at > 1 && texts.textAt(order[at] ?? 0).length >= reached;
      if (isOpen) runs.push({ start: at, end: next, skip: reached });
      at = next;
    }
  }
}

function sortFew({ order, textAt, isDescending }: Texts, { start, end }: Run): void {
  const few = Array.from(order.subarray(start, end), (row) => ({ row, text: textAt(row) }));
  few.sort((a, b) => (a.text === b.text ? 0 : a.text < b.text !== isDescending ? -1 : 1));
  for (const [at, { row }] of few.entries()) order[start + at] = row;
}

/** The length of the common prefix, and of the longest text. */
function* shapeOf({ order, textAt }: Texts, { start, end, skip }: Run): Sliced<{ common: number; longest: number }> {
  const first = textAt(order[start] ?? 0);
  let common = first.length;
  let longest = first.length;
  for (let at = start; at < end; at += 1) {
    if (at % stepsAtOnce === 0) yield 0.1;
    const text = textAt(order[at] ?? 0);
    if (text.length > longest) longest = text.length;
    if (text.length < common) common = text.length;
    let same = skip;
    while (same < common && text.charCodeAt(same) === first.charCodeAt(same)) same += 1;
    common = same;
  }
  return { common, longest };
}

/** Six letters of western texts or three of any fit the 53 bits of a number. */
const narrow = { letters: 6, base: 256 };
const wide = { letters: 3, base: 65_537 };

/**
 * Converts letters to digits of one number; an end sorts before any letter. Returns the number of letters, 0 where one of them does not
 * fit.
 */
function* rankLetters(
  { order, textAt, isDescending }: Texts,
  { start, end }: Run,
  skip: number,
  { letters, base }: typeof wide,
  words: Uint32Array,
): Sliced<number> {
  const flip = isDescending ? 0xffffffff : 0;
  for (let at = start; at < end; at += 1) {
    if (at % stepsAtOnce === 0) yield 0.3;
    const row = order[at] ?? 0;
    const text = textAt(row);
    let rank = 0;
    for (let letter = skip; letter < skip + letters; letter += 1) {
      const digit = letter < text.length ? text.charCodeAt(letter) + 1 : 0;
      if (digit >= base) return 0;
      rank = rank * base + digit;
    }
    words[row * 2] = (rank % 0x100000000) ^ flip;
    words[row * 2 + 1] = Math.floor(rank / 0x100000000) ^ flip;
  }
  return letters;
}
