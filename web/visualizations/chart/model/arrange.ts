import type { Sliced } from '../../table/view/sliced.ts';
import type { DataOptions } from '../chartOptions.ts';
import { canNormalize, canStack } from '../chartTypes.ts';
import type { BaseSeries, ChartBase } from './base.ts';
import { ascending } from './points.ts';

/** A series as it is drawn beside the other visible ones. */
export interface ArrangedSeries extends BaseSeries {
  /** The values for hover and labels: neither stacked nor normalized. `y` is the amount added to the stack. */
  value: Float64Array;
  percent: Float64Array | null;
  /** The stack that it belongs to. */
  stack: 'bars' | 'lines' | null;
  /** Its end in the stack; `y` without a stack. */
  top: Float64Array;
  /** Its index among all series: its automatic colour does not change when others are hidden. */
  place: number;
}

export interface ChartModel extends Omit<ChartBase, 'series'> {
  /** The visible series, in drawing order. */
  series: ArrangedSeries[];
}

const stepsAtOnce = 8192;
/** The limit of values that are aligned on one axis. */
const mostAligned = 8_000_000;

/**
 * visualizations 5.5 and 5.6: percent, then stacks, of the visible series. Always computed from the data, so toggling needs no correction.
 */
export function* arrange(base: ChartBase, options: DataOptions, hidden: ReadonlySet<string>): Sliced<ChartModel> {
  const {
    globalSeriesType: type,
    series: { stacking, percentValues },
  } = options;
  const isStacked = stacking !== null && canStack(type);
  const isUnified = options.sortX && options.xAxis.type === 'category' && type !== 'box';
  let seen = base.series.map((series, place) => ({ ...series, place })).filter(({ key }) => !hidden.has(key));
  const notes = [...base.notes];
  if (isStacked || isUnified) {
    const aligned = yield* alignedSeries(seen, options);
    if (aligned) seen = aligned;
    else notes.push('Too many points to bring the series onto one axis.');
  }
  const sums = percentValues && canNormalize(type) ? yield* sumsByX(seen) : null;
  const series = seen.map((one): ArrangedSeries => {
    const percent = sums && isCounted(one) ? percentsOf(one, sums) : null;
    const y = percent ?? one.y;
    return { ...one, value: one.y, y, percent, top: y, stack: isStacked ? stackOf(one, options) : null };
  });
  if (isStacked) yield* stackUp(series);
  return { ...base, series, notes };
}

const isCounted = ({ type }: BaseSeries): boolean => type === 'line' || type === 'column' || type === 'area';

function stackOf({ type }: BaseSeries, { globalSeriesType }: DataOptions): 'bars' | 'lines' | null {
  if (type === 'column') return 'bars';
  // A line over stacked bars is not stacked.
  return globalSeriesType !== 'column' && (type === 'line' || type === 'area') ? 'lines' : type === 'area' ? 'lines' : null;
}

type Placed = BaseSeries & { place: number };

/** All stacked series over the union of their x values; missing values are 0 or a gap. */
function* alignedSeries(seen: Placed[], { sortX, missingValuesAsZero }: DataOptions): Sliced<Placed[] | null> {
  const counted = seen.filter(isCounted);
  if (haveSameX(counted)) return seen;
  const union = yield* unionOf(counted, sortX);
  if (union.length * counted.length > mostAligned) return null;
  const places = new Map<number, number>();
  for (const [at, x] of union.entries()) places.set(x, at);
  const result: Placed[] = [];
  for (const one of seen) {
    yield result.length / seen.length;
    result.push(isCounted(one) ? over(one, union, places, missingValuesAsZero ? 0 : Number.NaN) : one);
  }
  return result;
}

function haveSameX([first, ...others]: BaseSeries[]): boolean {
  if (!first) return true;
  return others.every(({ x }) => x.length === first.x.length && x.every((value, at) => value === first.x[at]));
}

function* unionOf(series: BaseSeries[], isSorted: boolean): Sliced<Float64Array> {
  const all = new Set<number>();
  for (const { x } of series) {
    for (let at = 0; at < x.length; at += 1) {
      if (at % stepsAtOnce === 0) yield 0;
      all.add(x[at] ?? 0);
    }
  }
  const union = Float64Array.from(all);
  const order = isSorted ? yield* ascending(union) : null;
  return order ? Float64Array.from(order, (at) => union[at] ?? 0) : union;
}

function over(series: Placed, union: Float64Array, places: ReadonlyMap<number, number>, missing: number): Placed {
  const { length } = union;
  const y = new Float64Array(length).fill(missing);
  const row = new Uint32Array(length).fill(noRow);
  const error = series.error && new Float64Array(length);
  const size = series.size && new Float64Array(length);
  for (let at = 0; at < series.x.length; at += 1) {
    const place = places.get(series.x[at] ?? 0) ?? 0;
    y[place] = series.y[at] ?? missing;
    row[place] = series.row[at] ?? noRow;
    if (error) error[place] = series.error?.[at] ?? 0;
    if (size) size[place] = series.size?.[at] ?? 0;
  }
  return { ...series, x: union, y, row, error, size };
}

/** The row of a point without a row. */
export const noRow = 0xffffffff;

/** visualizations 5.5: per x the sum of the absolute values. */
function* sumsByX(series: BaseSeries[]): Sliced<Map<number, number>> {
  const sums = new Map<number, number>();
  for (const { x, y } of series.filter(isCounted)) {
    for (let at = 0; at < x.length; at += 1) {
      if (at % stepsAtOnce === 0) yield 0;
      const value = Math.abs(y[at] ?? 0);
      if (value > 0) sums.set(x[at] ?? 0, (sums.get(x[at] ?? 0) ?? 0) + value);
    }
  }
  return sums;
}

function percentsOf({ x, y }: BaseSeries, sums: ReadonlyMap<number, number>): Float64Array {
  return y.map((value, at) => {
    const sum = sums.get(x[at] ?? 0) ?? 0;
    return sum === 0 ? value * 0 : (value / sum) * 100;
  });
}

/** Bars stack positive and negative values separately; lines add up whatever the sign. A gap leaves the running total unchanged. */
function* stackUp(series: ArrangedSeries[]): Sliced<void> {
  for (const stack of ['bars', 'lines'] as const) {
    const members = series.filter((one) => one.stack === stack);
    const [first] = members;
    if (!first) continue;
    const up = new Float64Array(first.y.length);
    const down = stack === 'bars' ? new Float64Array(first.y.length) : up;
    for (const one of members) {
      const top = new Float64Array(one.y.length);
      for (let at = 0; at < top.length; at += 1) {
        if (at % stepsAtOnce === 0) yield 0.5;
        const value = one.y[at] ?? Number.NaN;
        const total = value < 0 ? down : up;
        if (Number.isNaN(value)) top[at] = Number.NaN;
        else {
          total[at] = (total[at] ?? 0) + value;
          top[at] = total[at] ?? 0;
        }
      }
      one.top = top;
    }
  }
}
