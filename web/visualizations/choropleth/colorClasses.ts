import { mixed } from '../echarts/chartColors.ts';
import type { ClusteringMode } from './choroplethOptions.ts';

export interface ColorClass {
  /** A value belongs to the first class whose limit is not below it. */
  limit: number;
  color: string;
}

/** visualizations 10: at most `steps` classes, colours from min to max. */
export function colorClasses(values: readonly number[], mode: ClusteringMode, steps: number, min: string, max: string): ColorClass[] {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const count = Math.min(distinct.length, Math.max(1, Math.floor(steps)));
  if (count === 0) return [];
  if (count === 1) return [{ limit: distinct.at(-1) ?? 0, color: max }];
  const limits = limitsOf[mode](distinct, count - 1);
  return limits.map((limit, at) => ({ limit, color: mixed(min, max, at / Math.max(1, limits.length - 1)) }));
}

export const classOf = (value: number, classes: readonly ColorClass[]): ColorClass | undefined =>
  classes.find(({ limit }) => value <= limit) ?? classes.at(-1);

type Limits = (sorted: readonly number[], parts: number) => number[];

/** The smallest value, then the upper end of each part. */
const limitsOf: Readonly<Record<ClusteringMode, Limits>> = {
  e: (sorted, parts) => {
    const first = sorted[0] ?? 0;
    const last = sorted.at(-1) ?? 0;
    // Halves are computed first: the difference of two large numbers may overflow.
    return Array.from({ length: parts + 1 }, (_, at) => (at === parts ? last : first * (1 - at / parts) + last * (at / parts)));
  },
  q: (sorted, parts) =>
    Array.from({ length: parts + 1 }, (_, at) => {
      const place = ((sorted.length - 1) * at) / parts;
      const below = Math.floor(place);
      const share = place - below;
      const low = sorted[below] ?? 0;
      return share === 0 ? low : low * (1 - share) + (sorted[below + 1] ?? low) * share;
    }),
  k: (sorted, parts) => [sorted[0] ?? 0, ...naturalBreaks(sorted, parts)].filter((limit, at, all) => at === 0 || limit !== all[at - 1]),
};

/** The breaks with the least spread inside the parts, found exactly: the optimum of k-means in one dimension. */
function naturalBreaks(sorted: readonly number[], parts: number): number[] {
  const count = sorted.length;
  const scale = Math.max(...sorted.map(Math.abs), Number.MIN_VALUE);
  const sums = new Float64Array(count + 1);
  const squares = new Float64Array(count + 1);
  sorted.forEach((value, at) => {
    const part = value / scale;
    sums[at + 1] = (sums[at] ?? 0) + part;
    squares[at + 1] = (squares[at] ?? 0) + part * part;
  });
  const spread = (from: number, to: number) => {
    const sum = (sums[to] ?? 0) - (sums[from] ?? 0);
    return (squares[to] ?? 0) - (squares[from] ?? 0) - (sum * sum) / (to - from);
  };
  let cost = Float64Array.from({ length: count + 1 }, (_, to) => (to === 0 ? 0 : spread(0, to)));
  const cuts: Int32Array[] = [];
  for (let part = 1; part < parts; part += 1) {
    const next = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
    const cut = new Int32Array(count + 1);
    for (let to = part + 1; to <= count; to += 1) {
      for (let from = part; from < to; from += 1) {
        const total = (cost[from] ?? 0) + spread(from, to);
        if (total >= (next[to] ?? 0)) continue;
        next[to] = total;
        cut[to] = from;
      }
    }
    cost = next;
    cuts.push(cut);
  }
  const ends = [count];
  for (const cut of cuts.toReversed()) ends.unshift(cut[ends[0] ?? 0] ?? 0);
  return ends.flatMap((end) => (end > 0 ? [sorted[end - 1] ?? 0] : []));
}
