/** The index of the first value in a sorted list that is not below the wanted one. */
export function lowerBound(values: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the nearest value; -1 for an empty list. */
export function nearest(values: ArrayLike<number>, wanted: number): number {
  const at = lowerBound(values, wanted);
  if (at === 0) return values.length > 0 ? 0 : -1;
  if (at === values.length) return at - 1;
  return wanted - (values[at - 1] ?? 0) <= (values[at] ?? 0) - wanted ? at - 1 : at;
}

/**
 * As many places as a screen can show, peaks included: the first, the lowest, the highest and the last of each stretch of one pixel. A
 * stretch of nothing but gaps stays a gap.
 */
export function peaks(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number, pixels: number): Uint32Array {
  const count = to - from;
  if (count <= pixels * 4) return Uint32Array.from({ length: Math.max(0, count) }, (_, at) => from + at);
  const kept = new Uint32Array(pixels * 4 + 8);
  const start = x[from] ?? 0;
  const perPixel = ((x[to - 1] ?? 0) - start) / pixels;
  // Points that are not sorted by x are divided by index.
  const isByPlace = !(perPixel > 0);
  let length = 0;
  let at = from;
  for (let pixel = 1; pixel <= pixels && at < to; pixel += 1) {
    const end = pixel === pixels ? to : isByPlace ? from + Math.floor((count * pixel) / pixels) : undefined;
    const until = start + perPixel * pixel;
    const first = at;
    let [low, high] = [-1, -1];
    let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    while (at < to && (end === undefined ? (x[at] ?? 0) < until : at < end)) {
      const value = y[at] ?? Number.NaN;
      if (value < lowest) {
        lowest = value;
        low = at;
      }
      if (value > highest) {
        highest = value;
        high = at;
      }
      at += 1;
    }
    if (at === first) continue;
    length = keep(kept, length, [first, Math.min(low, high), Math.max(low, high), at - 1], y);
  }
  return kept.slice(0, length);
}

/** Keeps the places in order, each once; a gap only where there is nothing else. */
function keep(kept: Uint32Array, length: number, places: readonly number[], y: ArrayLike<number>): number {
  const hasValue = (places[1] ?? -1) >= 0;
  let last = length > 0 ? (kept[length - 1] ?? -1) : -1;
  let count = length;
  for (const place of places) {
    if (place <= last || place < 0) continue;
    if (hasValue && Number.isNaN(y[place] ?? Number.NaN)) continue;
    kept[count] = place;
    count += 1;
    last = place;
    if (!hasValue) break;
  }
  return count;
}

export interface Window {
  x: readonly [number, number];
  y: readonly [number, number];
}

/** Thins out overlapping markers: one in each cell of the screen stays, so isolated points are never lost. */
export function thinned(x: ArrayLike<number>, y: ArrayLike<number>, window: Window, cells: { across: number; up: number }): Uint32Array {
  const columns = Math.max(1, Math.floor(cells.across));
  const rows = Math.max(1, Math.floor(cells.up));
  const taken = new Uint8Array(columns * rows);
  const kept: number[] = [];
  const [left, right] = window.x;
  const [bottom, top] = window.y;
  for (let at = 0; at < x.length; at += 1) {
    const across = ((x[at] ?? 0) - left) / (right - left || 1);
    const up = ((y[at] ?? 0) - bottom) / (top - bottom || 1);
    if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) continue;
    const cell = Math.min(columns - 1, Math.floor(across * columns)) + columns * Math.min(rows - 1, Math.floor(up * rows));
    if (taken[cell] === 1) continue;
    taken[cell] = 1;
    kept.push(at);
  }
  return Uint32Array.from(kept);
}
