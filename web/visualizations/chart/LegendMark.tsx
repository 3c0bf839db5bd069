import styles from './Chart.module.css';
import type { MarkerSymbol } from './draw/seriesOptions.ts';

export interface LegendMarkProps {
  color: string;
  /** Of a marker, the marker's. */
  shape: 'line' | 'square' | MarkerSymbol;
  /** Of a line: strokes and gaps in pixels, none for a whole line. Of an area that repeats a colour: hatched. */
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
