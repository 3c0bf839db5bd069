import dayjs from 'dayjs';
import { useEffect, useRef, useState } from 'react';
import { figureText } from './figureText.ts';
import { momentText } from './momentText.ts';
import styles from './TimeChart.module.css';
import { nearestPoint, type TimePoint, type TimeSeries, timeScale } from './timeScale.ts';

interface TimeLimit {
  value: number;
  side: 'above' | 'below';
  state: 'ok' | 'info' | 'warning' | 'danger';
  show: 'band' | 'line';
}

interface TimeChartProps {
  series: readonly TimeSeries[];
  from: number;
  until: number;
  /** A description of the chart, for screen readers. */
  label: string;
  /** The text in place of the chart where there is nothing to draw. */
  empty: string;
  /** The value of a line across the chart. */
  threshold?: number | undefined;
  /** Lines of thresholds in the colour of their state; those outside the visible range are left out. */
  limits?: readonly TimeLimit[];
  /** A value as people read it. */
  figure?: (value: number) => string;
  /** Moments to mark, such as when an alert would have fired. */
  marks?: readonly number[];
}

const rounded = (value: number): string => figureText(Number(value.toPrecision(8)));

const height = 180;
const pad = { top: 8, right: 8, bottom: 22, left: 56 };
/** Lines with fewer points show a dot for each. */
const mostDots = 60;
const dayMs = 86_400_000;

/** Lines over time with their bands, drawn as wide as the place is; the pointer tells the figures. */
export function TimeChart({ series, from, until, label, empty, threshold, limits = [], figure = rounded, marks = [] }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<TimePoint | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  if (series.every(({ points }) => points.length === 0))
    return (
      <div ref={frame} className={styles.empty}>
        {empty}
      </div>
    );
  const inner = { width: Math.max(1, width - pad.left - pad.right), height: height - pad.top - pad.bottom };
  const { least, most } = timeScale(series, threshold);
  const x = (at: number) => pad.left + ((at - from) / (until - from)) * inner.width;
  const y = (value: number) => pad.top + inner.height - ((value - least) / (most - least)) * inner.height;
  const line = (points: readonly TimePoint[], read: (point: TimePoint) => number) =>
    points.map((point) => `${x(point.at).toFixed(1)} ${y(read(point)).toFixed(1)}`).join('L');
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => from + part * (until - from));
  const format = until - from > 2 * dayMs ? 'D MMM' : until - from > dayMs ? 'D MMM HH:mm' : 'HH:mm';
  const bottom = pad.top + inner.height;

  return (
    <div ref={frame} className={styles.chart}>
      {width > 0 && (
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={height}
          onPointerLeave={() => setPointed(null)}
          onPointerMove={({ nativeEvent: { offsetX, offsetY } }) => setPointed(nearestPoint(series, { x, y }, offsetX, offsetY))}
        >
          {[least, (least + most) / 2, most].map((value) => (
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
          {limits
            .filter(({ value }) => value > least && value < most)
            .map(({ value, side, state, show }) => (
              <g key={`${value} ${side}`} style={{ color: `var(--${state})` }} className={styles.limit}>
                {show === 'band' && (
                  <rect
                    x={pad.left}
                    width={inner.width}
                    y={side === 'above' ? pad.top : y(value)}
                    height={side === 'above' ? y(value) - pad.top : bottom - y(value)}
                  />
                )}
                <line x1={pad.left} x2={width - pad.right} y1={y(value)} y2={y(value)} />
              </g>
            ))}
          {series.map(({ name, color = 'var(--primary)', points }) => (
            <g key={name} style={{ color }}>
              {points.some(({ min }) => min !== undefined) && (
                <path
                  d={`M${line(points, ({ value, max = value }) => max)}L${line([...points].reverse(), ({ value, min = value }) => min)}Z`}
                  className={styles.band}
                />
              )}
              {points.length > 0 && <path d={`M${line(points, ({ value }) => value)}`} className={styles.line} />}
              {(points.length < mostDots ? points : points.slice(-1)).map(({ at, value }) => (
                <circle key={at} cx={x(at)} cy={y(value)} r={2} className={styles.dot} />
              ))}
            </g>
          ))}
          {threshold !== undefined && (
            <line x1={pad.left} x2={width - pad.right} y1={y(threshold)} y2={y(threshold)} className={styles.threshold} />
          )}
          {marks.map((at) => (
            <g key={at} className={styles.mark}>
              <line x1={x(at)} x2={x(at)} y1={pad.top} y2={bottom} />
              <path d={`M${x(at) - 4} ${pad.top - 4}h8l-4 6z`} />
            </g>
          ))}
          {pointed && <circle cx={x(pointed.at)} cy={y(pointed.value)} r={4} className={styles.pointedDot} />}
        </svg>
      )}
      {pointed && (
        <output className={styles.pointed}>
          {momentText(pointed.at, 'second')} · {figure(pointed.value)}
          {pointed.min !== undefined &&
            pointed.max !== undefined &&
            pointed.min !== pointed.max &&
            ` (${figure(pointed.min)} to ${figure(pointed.max)})`}
          {pointed.name && ` · ${pointed.name}`}
        </output>
      )}
    </div>
  );
}
