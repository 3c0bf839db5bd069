import { cellReader } from '../cellValue.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';

export interface Box {
  name: string;
  /** Lower whisker, first quartile, median, third quartile, upper whisker. */
  five: [number, number, number, number, number];
  outliers: readonly number[];
  count: number;
}

export interface BoxplotModel {
  boxes: readonly Box[];
  /** The range of the axis; null without a number. */
  range: [number, number] | null;
}

const whisker = 1.5;
const mostOutliers = 1000;
/** Beyond it a difference is not finite, and no axis can show it. */
const mostMagnitude = 1e300;

const known = new WeakMap<ResultTable, BoxplotModel>();

/** visualizations 16: one box for each column, over all rows. Columns without a number have none. */
export function boxplotModel(table: ResultTable): BoxplotModel {
  const last = known.get(table);
  if (last) return last;
  const boxes = table.columns.flatMap(({ name }) => boxOf(name, table) ?? []);
  const model = { boxes, range: rangeOf(boxes) };
  known.set(table, model);
  return model;
}

function boxOf(name: string, { rows }: ResultTable): Box | null {
  const read = cellReader(name);
  const values = new Float64Array(rows.length);
  let count = 0;
  for (const row of rows) {
    const value = numericValue(read(row));
    if (value !== null && Math.abs(value) <= mostMagnitude) values[count++] = value;
  }
  if (count === 0) return null;
  const sorted = values.subarray(0, count).sort();
  const [low, middle, high] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
  const reach = whisker * (high - low);
  const first = sorted.findIndex((value) => value >= low - reach);
  const last = sorted.findLastIndex((value) => value <= high + reach);
  const outliers = thinned([...sorted.subarray(0, Math.max(0, first)), ...sorted.subarray(last + 1)]);
  return { name, five: [sorted[first] ?? low, low, middle, high, sorted[last] ?? high], outliers, count };
}

/** Interpolates between two neighbours. */
function quantile(sorted: Float64Array, part: number): number {
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  const share = place - below;
  return share === 0 ? low : low * (1 - share) + (sorted[below + 1] ?? low) * share;
}

/** An even choice from very many values, with the first and the last. */
function thinned(values: readonly number[]): number[] {
  if (values.length <= mostOutliers) return [...values];
  const step = (values.length - 1) / (mostOutliers - 1);
  return Array.from({ length: mostOutliers }, (_, at) => values[Math.round(at * step)] ?? 0);
}

/** The range with one per cent beyond the smallest and the largest value; negative bounds grow downwards. */
function rangeOf(boxes: readonly Box[]): [number, number] | null {
  if (boxes.length === 0) return null;
  const ends = boxes.flatMap(({ five, outliers }) => [five[0], five[4], outliers[0] ?? five[0], outliers.at(-1) ?? five[4]]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const range: [number, number] = [low - Math.abs(low) * 0.01, high + Math.abs(high) * 0.01];
  return range[0] < range[1] && range.every(Number.isFinite) ? range : low === high ? [low - 1, high + 1] : [low, high];
}
