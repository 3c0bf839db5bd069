import type { Point } from './readings.ts';
import { sparkPath } from './sparkPath.ts';

interface SparklineProps {
  points: readonly Point[];
  label: string;
  /** The span of the line, from so long ago until now. */
  seconds: number;
  /** For booleans, which have no values in between. */
  isStepped?: boolean;
  width?: number;
  height?: number;
}

/** The shape of a series at a glance; the figures stand beside it. */
export function Sparkline({ points, label, seconds, isStepped = false, width = 160, height = 28 }: SparklineProps) {
  const until = Math.max(Date.now(), points.at(-1)?.at ?? 0);
  const path = sparkPath(points, { from: until - seconds * 1000, until, width, height, isStepped });
  if (path === null) return null;
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
      <path d={path} fill="none" stroke="var(--series-1, var(--primary))" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
