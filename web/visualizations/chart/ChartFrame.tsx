import { type ReactNode, useRef } from 'react';
import { useElementSize } from '../table/useElementSize.ts';
import styles from './Chart.module.css';
import type { ChartOptions } from './chartOptions.ts';
import { Legend, type LegendItem } from './Legend.tsx';

interface ChartFrameProps {
  options: Pick<ChartOptions, 'legend'>;
  legend: readonly LegendItem[];
  hidden: ReadonlySet<string>;
  onHide: (hidden: ReadonlySet<string>) => void;
  notes: readonly string[];
  /** Offers to keep what is seen. */
  view?: ReactNode;
  /** While a new picture is made. */
  progress: number | null;
  children: (size: { width: number; height: number }) => ReactNode;
}

/** Below the plot least and greatest need this much, beside it more: the plot stays the larger part. */
const [fewFigures, wide] = [320, 900];
const narrow = 600;

/** visualizations 5.8: "Right" means below where there is no room on the right. */
export const isLegendBelow = ({ placement }: ChartOptions['legend'], width: number): boolean => placement === 'below' || width <= narrow;

/** The plot, its legend beside or below it, and what a reader should know. */
export function ChartFrame({ options: { legend: stored }, legend, hidden, onHide, notes, progress, view, children }: ChartFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const whole = useElementSize(frame);
  const size = useElementSize(plot);
  const isBelow = isLegendBelow(stored, whole.width);
  const items = stored.traceorder === 'reversed' ? legend.toReversed() : legend;
  return (
    <div className={styles.chart}>
      <div ref={frame} className={isBelow ? styles.below : styles.beside}>
        <div ref={plot} className={styles.plot}>
          {size.width > 0 && size.height > 0 && children(size)}
          {progress !== null && (
            <div className={styles.progress} role="status">
              <progress value={progress} max={1} aria-label="Preparing the chart" />
              <span>Preparing the chart… {Math.round(progress * 100)} %</span>
            </div>
          )}
        </div>
        {stored.enabled && items.length > 0 && (
          <Legend
            items={items}
            hidden={hidden}
            isBelow={isBelow}
            isWide={isBelow ? whole.width >= fewFigures : whole.width >= wide}
            onHide={onHide}
          />
        )}
      </div>
      {view}
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
