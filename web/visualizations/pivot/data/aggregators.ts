type Value = number | string | null;

/** Aggregates a group of rows. Values come in as the aggregator reads them: numbers, or texts where it counts those. */
export interface Accumulator {
  push(value: Value, second: number | null): void;
  result(): Value;
}

interface Aggregator {
  /** How many columns it reads. */
  inputs: 0 | 1 | 2;
  /** A label is the displayed value, a text the stored one. */
  reads: 'number' | 'text' | 'label';
  prints: 'whole' | 'decimal' | 'percent';
  make: () => Accumulator;
  /** The total that the result is a part of. */
  partOf?: 'total' | 'row' | 'column';
}

function counting(): Accumulator {
  let count = 0;
  return {
    push: () => {
      count += 1;
    },
    result: () => count,
  };
}

function unique(finish: (seen: Set<number | string>) => number | string): Accumulator {
  const seen = new Set<number | string>();
  return {
    push: (value) => {
      if (value !== null) seen.add(value);
    },
    result: () => finish(seen),
  };
}

/** Folds numbers; other values are skipped. */
function folded(initial: number | null, fold: (sofar: number, next: number) => number): Accumulator {
  let result = initial;
  return {
    push: (value) => {
      if (typeof value === 'number') result = result === null ? value : fold(result, value);
    },
    result: () => result,
  };
}

const summing = () => folded(0, (sofar, next) => sofar + next);

/** Welford's method: one pass, and precise for large values close to each other. */
function moments(finish: (mean: number, variance: number) => number): Accumulator {
  let [count, mean, squares] = [0, 0, 0];
  return {
    push: (value) => {
      if (typeof value !== 'number') return;
      count += 1;
      const distance = value - mean;
      mean += distance / count;
      squares += distance * (value - mean);
    },
    result: () => (count === 0 ? null : finish(mean, count > 1 ? squares / (count - 1) : Number.NaN)),
  };
}

function median(): Accumulator {
  const values: number[] = [];
  let known: number | null = null;
  const find = (): number | null => {
    if (values.length === 0) return null;
    const sorted = Float64Array.from(values).sort();
    const middle = (sorted.length - 1) / 2;
    return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  };
  return {
    push: (value) => {
      if (typeof value === 'number') values.push(value);
    },
    // Called again with every rendered page.
    result: () => {
      known ??= find();
      return known;
    },
  };
}

/** The first or last in order, for numbers and texts alike. */
function extreme(sign: 1 | -1): Accumulator {
  let result: Value = null;
  return {
    push: (value) => {
      if (value !== null && (result === null || compareKeys(value, result) * sign < 0)) result = value;
    },
    result: () => result,
  };
}

function sumOverSum(): Accumulator {
  let [top, bottom] = [0, 0];
  return {
    push: (value, second) => {
      if (typeof value === 'number') top += value;
      if (second !== null) bottom += second;
    },
    result: () => top / bottom,
  };
}

/** Numbers by size and before texts; texts alphabetically. */
export function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const longestList = 2000;
const listed = (seen: Set<number | string>): string => {
  const text = [...seen].sort(compareKeys).join(', ');
  return text.length > longestList ? `${text.slice(0, longestList)}…` : text;
};

const number = { inputs: 1, reads: 'number', prints: 'decimal' } as const;
const count: Aggregator = { inputs: 0, reads: 'number', prints: 'whole', make: counting };
const sum: Aggregator = { ...number, make: summing };

/** visualizations 12, under their stored names. */
const aggregators = {
  Count: count,
  'Count Unique Values': { inputs: 1, reads: 'label', prints: 'whole', make: () => unique((seen) => seen.size) },
  'List Unique Values': { inputs: 1, reads: 'label', prints: 'decimal', make: () => unique(listed) },
  Sum: sum,
  'Integer Sum': { ...sum, prints: 'whole' },
  Average: { ...number, make: () => moments((mean) => mean) },
  Median: { ...number, make: median },
  'Sample Variance': { ...number, make: () => moments((_, variance) => variance) },
  'Sample Standard Deviation': { ...number, make: () => moments((_, variance) => Math.sqrt(variance)) },
  Minimum: { ...number, make: () => folded(null, Math.min) },
  Maximum: { ...number, make: () => folded(null, Math.max) },
  First: { inputs: 1, reads: 'text', prints: 'decimal', make: () => extreme(1) },
  Last: { inputs: 1, reads: 'text', prints: 'decimal', make: () => extreme(-1) },
  'Sum over Sum': { ...number, inputs: 2, make: sumOverSum },
  'Sum as Fraction of Total': { ...sum, prints: 'percent', partOf: 'total' },
  'Sum as Fraction of Rows': { ...sum, prints: 'percent', partOf: 'row' },
  'Sum as Fraction of Columns': { ...sum, prints: 'percent', partOf: 'column' },
  'Count as Fraction of Total': { ...count, prints: 'percent', partOf: 'total' },
  'Count as Fraction of Rows': { ...count, prints: 'percent', partOf: 'row' },
  'Count as Fraction of Columns': { ...count, prints: 'percent', partOf: 'column' },
} as const satisfies Record<string, Aggregator>;

export type AggregatorName = keyof typeof aggregators;
export const aggregatorNames = Object.keys(aggregators) as AggregatorName[];
export const aggregatorOf = (name: AggregatorName): Aggregator => aggregators[name];
