/** The box of the values at one x. */
export interface Box {
  x: number;
  low: number;
  q1: number;
  median: number;
  q3: number;
  high: number;
  /** Values beyond the whiskers. */
  outliers: number[];
  all: number[];
}

/** One box per x; whiskers end at the last value within 1.5 times the height of the box. */
export function boxesOf(x: Float64Array, y: Float64Array): Box[] {
  const groups = new Map<number, number[]>();
  for (let at = 0; at < x.length; at += 1) {
    const value = y[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const place = x[at] ?? 0;
    const group = groups.get(place);
    if (group) group.push(value);
    else groups.set(place, [value]);
  }
  return [...groups].map(([place, values]) => boxOf(place, Float64Array.from(values).sort())).sort((a, b) => a.x - b.x);
}

function boxOf(x: number, sorted: Float64Array): Box {
  const [q1, median, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
  const reach = 1.5 * (q3 - q1);
  const inside = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach);
  return {
    x,
    q1,
    median,
    q3,
    low: Math.min(q1, inside[0] ?? q1),
    high: Math.max(q3, inside.at(-1) ?? q3),
    outliers: [...sorted.filter((value) => value < q1 - reach || value > q3 + reach)],
    all: [...sorted],
  };
}

/** Interpolates linearly between neighbours; the middle of n values is at (n − 1) / 2. */
export function quantile(sorted: ArrayLike<number>, part: number): number {
  const { length } = sorted;
  if (length === 0) return Number.NaN;
  const place = Math.min(Math.max(0, part * length - 0.5), length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(length - 1, below + 1)] ?? Number.NaN;
  return low + (high - low) * (place - below);
}
