import type { Point } from './readings.ts';

interface Frame {
  from: number;
  until: number;
  width: number;
  height: number;
  isStepped: boolean;
}

const pad = 2;

/** The path of a line over time, the least value at the bottom; null with fewer than two points. */
export function sparkPath(points: readonly Point[], { from, until, width, height, isStepped }: Frame): string | null {
  const shown = points.filter(({ at }) => at >= from);
  if (shown.length < 2) return null;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of shown) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const x = (at: number) => (((at - from) / (until - from)) * width).toFixed(1);
  const y = (value: number) =>
    (most === least ? height / 2 : height - pad - ((value - least) / (most - least)) * (height - 2 * pad)).toFixed(1);
  return shown
    .map(({ at, value }, n) => (n === 0 ? `M${x(at)} ${y(value)}` : isStepped ? `H${x(at)}V${y(value)}` : `L${x(at)} ${y(value)}`))
    .join('');
}
