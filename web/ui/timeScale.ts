export interface TimePoint {
  at: number;
  value: number;
  /** The band around the value. */
  min?: number;
  max?: number;
  /** The name of the series, where there are several. */
  name?: string;
}

export interface TimeSeries {
  name: string;
  color?: string;
  points: readonly TimePoint[];
}

/** The range of the scale; a constant is in the middle, a constant boolean at its own end. A threshold keeps a distance to the edge. */
export function timeScale(series: readonly TimeSeries[], threshold?: number): { least: number; most: number } {
  let [least, most] = threshold === undefined ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [threshold, threshold];
  for (const { points } of series)
    for (const { value, min = value, max = value } of points) [least, most] = [Math.min(least, min), Math.max(most, max)];
  if (least !== most) {
    const air = (most - least) / 10;
    return { least: least === threshold ? least - air : least, most: most === threshold ? most + air : most };
  }
  return least === 0 || least === 1 ? { least: 0, most: 1 } : { least: least - 1, most: most + 1 };
}

/** The drawn point closest to a place; horizontal distance counts more, because users point at times. */
export function nearestPoint(
  series: readonly TimeSeries[],
  { x, y }: { x: (at: number) => number; y: (value: number) => number },
  left: number,
  top: number,
): TimePoint | null {
  let best: TimePoint | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const { name, points } of series) {
    for (const point of points) {
      const distance = Math.abs(x(point.at) - left) * 4 + Math.abs(y(point.value) - top);
      if (distance >= shortest) continue;
      shortest = distance;
      best = series.length > 1 ? { ...point, name } : point;
    }
  }
  return best;
}
