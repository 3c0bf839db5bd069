/** The first `limit` items in an order, without sorting all of a million; stable. */
export function firstInOrder<T>(items: Iterable<T>, compare: (a: T, b: T) => number, limit: number): T[] {
  const kept: T[] = [];
  for (const item of items) {
    const last = kept.at(-1);
    if (kept.length >= limit && last !== undefined && compare(item, last) >= 0) continue;
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = kept[middle];
      if (other !== undefined && compare(item, other) < 0) high = middle;
      else low = middle + 1;
    }
    kept.splice(low, 0, item);
    if (kept.length > limit) kept.pop();
  }
  return kept;
}
