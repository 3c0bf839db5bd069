import { radixSort, wordsOf } from '../../table/view/radixSort.ts';
import type { Sliced } from '../../table/view/sliced.ts';

/** Points of one series, column by column: a million of them are a few arrays. */
export interface Points {
  x: Float64Array;
  /** NaN is a gap. */
  y: Float64Array;
  error: Float64Array | null;
  size: Float64Array | null;
  /** The row of the result for each point. */
  row: Uint32Array;
}

export class PointList {
  length = 0;
  #x = new Float64Array(64);
  #y = new Float64Array(64);
  #row = new Uint32Array(64);
  #error: Float64Array | null;
  #size: Float64Array | null;

  constructor(hasError: boolean, hasSize: boolean) {
    this.#error = hasError ? new Float64Array(64) : null;
    this.#size = hasSize ? new Float64Array(64) : null;
  }

  add(x: number, y: number, row: number, error: number, size: number): void {
    const at = this.length;
    if (at === this.#x.length) this.#grow();
    this.#x[at] = x;
    this.#y[at] = y;
    this.#row[at] = row;
    if (this.#error) this.#error[at] = error;
    if (this.#size) this.#size[at] = size;
    this.length = at + 1;
  }

  #grow(): void {
    const length = this.#x.length * 2;
    this.#x = grown(this.#x, new Float64Array(length));
    this.#y = grown(this.#y, new Float64Array(length));
    this.#row = grown(this.#row, new Uint32Array(length));
    if (this.#error) this.#error = grown(this.#error, new Float64Array(length));
    if (this.#size) this.#size = grown(this.#size, new Float64Array(length));
  }

  points(): Points {
    return {
      x: this.#x.slice(0, this.length),
      y: this.#y.slice(0, this.length),
      row: this.#row.slice(0, this.length),
      error: this.#error?.slice(0, this.length) ?? null,
      size: this.#size?.slice(0, this.length) ?? null,
    };
  }
}

interface Numbers {
  set(from: ArrayLike<number>): void;
}

function grown<T extends Numbers>(from: ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}

const stepsAtOnce = 8192;
const few = 5000;

/** The ascending order of the values, stable; null when they are sorted already. */
export function* ascending(values: Float64Array): Sliced<Uint32Array | null> {
  if (isAscending(values)) return null;
  const order = new Uint32Array(values.length);
  for (let at = 0; at < order.length; at += 1) order[at] = at;
  if (order.length <= few) return order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
  const words = yield* wordsOf(withoutMinusZero(values), false);
  yield* radixSort(order, 0, order.length, words, new Uint32Array(order.length));
  return order;
}

/** Replaces -0, whose bits sort far below 0. */
function withoutMinusZero(values: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += 1) copy[at] = (values[at] ?? 0) + 0;
  return copy;
}

function isAscending(values: Float64Array): boolean {
  for (let at = 1; at < values.length; at += 1) if ((values[at] ?? 0) < (values[at - 1] ?? 0)) return false;
  return true;
}

export function* sortedByX(points: Points): Sliced<Points> {
  const order = yield* ascending(points.x);
  return order ? picked(points, order) : points;
}

function picked({ x, y, row, error, size }: Points, order: Uint32Array): Points {
  return {
    x: pickedNumbers(x, order),
    y: pickedNumbers(y, order),
    row: pickedRows(row, order),
    error: error && pickedNumbers(error, order),
    size: size && pickedNumbers(size, order),
  };
}

function pickedRows(from: Uint32Array, order: Uint32Array): Uint32Array {
  const to = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at += 1) to[at] = from[order[at] ?? 0] ?? 0;
  return to;
}

function pickedNumbers(from: Float64Array, order: Uint32Array): Float64Array {
  const to = new Float64Array(order.length);
  for (let at = 0; at < order.length; at += 1) to[at] = from[order[at] ?? 0] ?? Number.NaN;
  return to;
}

/** visualizations 5.3: values and errors of equal x are added; a gap adds nothing. */
export function* summed(points: Points): Sliced<Points> {
  const { length } = points.x;
  if (!(yield* hasEqual(points.x))) return points;
  const places = new Map<number, number>();
  const x = new Float64Array(length);
  const y = new Float64Array(length);
  const row = new Uint32Array(length);
  const error = points.error && new Float64Array(length);
  const size = points.size && new Float64Array(length);
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    if (at % stepsAtOnce === 0) yield at / length;
    const key = points.x[at] ?? 0;
    const place = count > 0 && x[count - 1] === key ? count - 1 : places.get(key);
    if (place === undefined) {
      places.set(key, count);
      x[count] = key;
      y[count] = points.y[at] ?? Number.NaN;
      row[count] = points.row[at] ?? 0;
      if (error) error[count] = points.error?.[at] ?? Number.NaN;
      if (size) size[count] = points.size?.[at] ?? Number.NaN;
      count += 1;
    } else {
      y[place] = sum(y[place], points.y[at]);
      if (error) error[place] = sum(error[place], points.error?.[at]);
    }
  }
  return {
    x: x.slice(0, count),
    y: y.slice(0, count),
    row: row.slice(0, count),
    error: error?.slice(0, count) ?? null,
    size: size?.slice(0, count) ?? null,
  };
}

function sum(a = Number.NaN, b = Number.NaN): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b;
}

function* hasEqual(x: Float64Array): Sliced<boolean> {
  let isSorted = true;
  for (let at = 1; at < x.length; at += 1) {
    if (x[at] === x[at - 1]) return true;
    if ((x[at] ?? 0) < (x[at - 1] ?? 0)) isSorted = false;
  }
  if (isSorted) return false;
  yield 0;
  return new Set(x).size < x.length;
}
