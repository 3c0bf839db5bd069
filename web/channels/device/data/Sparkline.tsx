import type { Point } from './readings.ts';

interface SparklineProps {
  points: readonly Point[];
  label: string;
  width?: number;
  height?: number;
}

/** The shape of a series at a glance; figures stand beside it. */
export function Sparkline({ points, label, width = 160, height = 28 }: SparklineProps) {
  if (points.length < 2) return null;
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ maxWidth: width, display: 'block' }}
    >
      <path
        d={linePath(points, width, height, 2)}
        fill="none"
        stroke="var(--series-1, var(--primary))"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** A line from the left edge to the right, the least value at the bottom. */
export function linePath(points: readonly Point[], width: number, height: number, pad: number): string {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of points) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const x = (at: number) => (last === first ? 0 : ((at - first) / (last - first)) * width);
  const y = (value: number) => (most === least ? height / 2 : height - pad - ((value - least) / (most - least)) * (height - 2 * pad));
  return points.map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
}
