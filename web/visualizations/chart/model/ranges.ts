export type Range = readonly [low: number, high: number];

/** visualizations 5.7: extends both ranges until they contain zero at the same height. */
export function alignedAtZero(left: Range, right: Range): [Range, Range] {
  const [a, b] = [withZero(left), withZero(right)];
  const [zeroA, zeroB] = [zeroOf(a), zeroOf(b)];
  if (Math.abs(zeroA - zeroB) <= 0.02) return [a, b];
  const zero = Math.max(zeroA, zeroB);
  // With zero at the top of one and at the bottom of the other, half of each is empty.
  const shared = zero >= 1 ? 0.5 : zero;
  return [grown(a, shared), grown(b, shared)];
}

const withZero = ([low, high]: Range): Range => {
  const range: Range = [Math.min(low, 0), Math.max(high, 0)];
  return range[0] === range[1] ? [0, 1] : range;
};
/** The height of zero, from 0 to 1. */
const zeroOf = ([low, high]: Range): number => -low / (high - low);

function grown([low, high]: Range, zero: number): Range {
  if (zeroOf([low, high]) < zero) return [-(high * zero) / (1 - zero), high];
  return [low, zero === 0 ? high : (-low * (1 - zero)) / zero];
}

export function extentOf(values: Float64Array, from = 0, to = values.length): Range | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = from; at < to; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}

export const joined = (a: Range | undefined, b: Range | undefined): Range | undefined =>
  a && b ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : (a ?? b);
