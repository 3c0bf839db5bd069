import dayjs from 'dayjs';
import { useEffect, useRef, useState } from 'react';
import { figureText } from '../../../ui/figureText.ts';
import styles from '../Device.module.css';
import type { Point } from './readings.ts';

interface HistoryChartProps {
  points: readonly (Point & { min?: number; max?: number })[];
  seconds: number;
  label: string;
  isLoading: boolean;
}

const height = 180;
const pad = { top: 8, right: 8, bottom: 22, left: 56 };

/** A line with its band, drawn as it is wide; the pointer tells the figures. */
export function HistoryChart({ points, seconds, label, isLoading }: HistoryChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  if (points.length === 0)
    return (
      <div ref={frame} className={styles.noHistory}>
        {isLoading ? 'Loading…' : 'Nothing was reported in this time.'}
      </div>
    );
  const until = Math.max(Date.now(), points.at(-1)?.at ?? 0);
  const from = until - seconds * 1000;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value, min = value, max = value } of points) [least, most] = [Math.min(least, min), Math.max(most, max)];
  // A switch that never moved is on or off; any other constant stands in the middle.
  if (least === most) [least, most] = least === 0 || least === 1 ? [0, 1] : [least - 1, most + 1];
  const inner = { width: Math.max(1, width - pad.left - pad.right), height: height - pad.top - pad.bottom };
  const x = (at: number) => pad.left + ((at - from) / (until - from)) * inner.width;
  const y = (value: number) => pad.top + inner.height - ((value - least) / (most - least)) * inner.height;
  const place = (at: number, value: number) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  const line = points.map(({ at, value }, n) => `${n === 0 ? 'M' : 'L'}${place(at, value)}`).join('');
  const upper = points.map(({ at, value, max = value }, n) => `${n === 0 ? 'M' : 'L'}${place(at, max)}`).join('');
  const lower = [...points]
    .reverse()
    .map(({ at, value, min = value }) => `L${place(at, min)}`)
    .join('');
  const ticks = [least, (least + most) / 2, most];
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => from + part * (until - from));
  const shown = pointed === null ? undefined : points[pointed];
  const format = seconds > 86_400 ? 'D MMM HH:mm' : 'HH:mm';

  return (
    <div ref={frame} className={styles.chart}>
      {width > 0 && (
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={height}
          onPointerLeave={() => setPointed(null)}
          onPointerMove={(event) => {
            const at = from + ((event.nativeEvent.offsetX - pad.left) / inner.width) * (until - from);
            setPointed(nearest(points, at));
          }}
        >
          {ticks.map((value) => (
            <g key={value}>
              <line x1={pad.left} x2={width - pad.right} y1={y(value)} y2={y(value)} stroke="var(--line)" />
              <text x={pad.left - 8} y={y(value) + 4} textAnchor="end" className={styles.tick}>
                {figureText(Number(value.toPrecision(5)))}
              </text>
            </g>
          ))}
          {times.map((at, n) => (
            <text
              key={at}
              x={x(at)}
              y={height - 6}
              textAnchor={n === 0 ? 'start' : n === times.length - 1 ? 'end' : 'middle'}
              className={styles.tick}
              visibility={width < 480 && n % 2 === 1 ? 'hidden' : undefined}
            >
              {dayjs(at).format(format)}
            </text>
          ))}
          <path d={`${upper}${lower}Z`} className={styles.band} />
          <path d={line} className={styles.line} />
          {(points.length < 60 ? points : points.slice(-1)).map(({ at, value }) => (
            <circle key={at} cx={x(at)} cy={y(value)} r={2} className={styles.dot} />
          ))}
          {shown && <circle cx={x(shown.at)} cy={y(shown.value)} r={4} className={styles.dot} />}
        </svg>
      )}
      {shown && (
        <output className={styles.pointed}>
          {dayjs(shown.at).format('D MMM HH:mm:ss')} · {figureText(Number(shown.value.toPrecision(8)))}
          {shown.min !== undefined &&
            shown.max !== undefined &&
            shown.min !== shown.max &&
            ` (${figureText(shown.min)} to ${figureText(shown.max)})`}
        </output>
      )}
    </div>
  );
}

function nearest(points: readonly Point[], at: number): number {
  let best = 0;
  for (const [n, point] of points.entries()) if (Math.abs(point.at - at) < Math.abs((points[best]?.at ?? 0) - at)) best = n;
  return best;
}
