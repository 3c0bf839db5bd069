import styles from './Chart.module.css';
import type { MarkerSymbol } from './draw/seriesOptions.ts';

export interface LegendMarkProps {
  color: string;
  /** A series of markers has the shape of its marker. */
  shape: 'line' | 'square' | MarkerSymbol;
  /** Strokes and gaps of a line in pixels; none for a solid line. An area that repeats a colour is hatched. */
  dash?: readonly number[] | undefined;
}

/** How a series is drawn, small. */
export function LegendMark({ color, shape, dash = [] }: LegendMarkProps) {
  if (shape === 'line')
    return (
      <svg className={styles.legendLine} viewBox="0 0 20 4" aria-hidden>
        <line x1="0" x2="20" y1="2" y2="2" stroke={color} strokeWidth="2.5" strokeDasharray={dash.join(' ')} />
      </svg>
    );
  return <i data-shape={shape} data-hatched={shape === 'square' && dash.length > 0} style={{ backgroundColor: color }} aria-hidden />;
}
