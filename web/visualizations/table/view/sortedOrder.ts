import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { part, type Sliced } from './sliced.ts';
import { comparer, type SortBy, type SortKey, sortKey } from './sortKey.ts';

const keyShare = 0.3;
const blockSize = 16;
const stepsAtOnce = 4096;

/** The places of the rows in the wanted order. Stable; the rows themselves are not touched. */
export function* sortedOrder(rows: readonly ResultRow[], sort: readonly SortBy[]): Sliced<Uint32Array> {
  const keys: SortKey[] = [];
  for (const [at, by] of sort.entries()) {
    keys.push(yield* part(sortKey(rows, by), (at / sort.length) * keyShare, ((at + 1) / sort.length) * keyShare));
  }
  return yield* part(mergeSort(rows.length, comparer(keys)), keyShare, 1);
}

/** Bottom up, over numbers only; runs that are in order already are only copied. */
function* mergeSort(length: number, compare: (a: number, b: number) => number): Sliced<Uint32Array> {
  let from = new Uint32Array(length);
  let into = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) from[at] = at;

  const passes = 1 + Math.max(0, Math.ceil(Math.log2(length / blockSize)));
  for (let start = 0; start < length; start += blockSize) {
    if (start % stepsAtOnce === 0) yield start / length / passes;
    insertionSort(from, start, Math.min(start + blockSize, length), compare);
  }
  for (let width = blockSize, pass = 1; width < length; width *= 2, pass += 1) {
    for (let start = 0; start < length; start += width * 2) {
      const middle = Math.min(start + width, length);
      const end = Math.min(start + width * 2, length);
      let left = start;
      let right = middle;
      // In order already, or nothing to merge with.
      if (middle === end || compare(from[middle - 1] ?? 0, from[middle] ?? 0) <= 0) {
        into.set(from.subarray(start, end), start);
        if (start % stepsAtOnce === 0) yield (pass + start / length) / passes;
        continue;
      }
      for (let at = start; at < end; at += 1) {
        if (at % stepsAtOnce === 0) yield (pass + at / length) / passes;
        const isLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
        into[at] = (isLeft ? from[left] : from[right]) ?? 0;
        if (isLeft) left += 1;
        else right += 1;
      }
    }
    [from, into] = [into, from];
  }
  return from;
}

function insertionSort(order: Uint32Array, start: number, end: number, compare: (a: number, b: number) => number): void {
  for (let at = start + 1; at < end; at += 1) {
    const moving = order[at] ?? 0;
    let to = at;
    while (to > start && compare(order[to - 1] ?? 0, moving) > 0) {
      order[to] = order[to - 1] ?? 0;
      to -= 1;
    }
    order[to] = moving;
  }
}
