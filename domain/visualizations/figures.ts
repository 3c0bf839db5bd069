/** How a series of numbers is told in a few words: its newest value, its least and its greatest. */
export interface SeriesFigures {
  last: number;
  min: number;
  max: number;
  /** The number of decimals that tells the values apart. */
  decimals: number;
}

const mostDecimals = 9;
const clamped = (decimals: number): number => Math.min(mostDecimals, Math.max(0, decimals));
const magnitude = (value: number): number => Math.floor(Math.log10(value));

/** Decimals follow the span: a hundredth of it is still seen. A constant is told with four digits. */
export function sensibleDecimals(least: number, most: number): number {
  const span = most - least;
  if (span > 0) return clamped(2 - magnitude(span));
  const size = Math.abs(most);
  return size > 0 ? clamped(3 - magnitude(size)) : 0;
}

/** Values in the order of the axis; NaN is a gap. Null where there is no value at all. */
export function figuresOf(values: ArrayLike<number>): SeriesFigures | null {
  let [min, max, last, isWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, true];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    last = value;
    if (value < min) min = value;
    if (value > max) max = value;
    isWhole &&= Number.isInteger(value);
  }
  if (Number.isNaN(last)) return null;
  return { last, min, max, decimals: isWhole ? 0 : Math.max(1, sensibleDecimals(min, max)) };
}
