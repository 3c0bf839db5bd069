import styles from './Choropleth.module.css';
import type { ChoroplethOptions } from './choroplethOptions.ts';
import type { ColorClass } from './colorClasses.ts';

interface LegendProps {
  classes: readonly ColorClass[];
  legend: ChoroplethOptions['legend'];
  format: (value: number) => string;
  /** The title of the value column. */
  title: string;
}

/** visualizations 10: the limits of the classes, from high to low. */
export function Legend({ classes, legend: { position, alignText }, format, title }: LegendProps) {
  if (classes.length === 0) return null;
  return (
    <ul className={styles.legend} data-position={position} aria-label={`Upper limits of ${title}`}>
      {classes.toReversed().map(({ limit, color }) => (
        <li key={limit}>
          <i style={{ background: color }} />
          <span style={{ textAlign: alignText }}>{format(limit)}</span>
        </li>
      ))}
    </ul>
  );
}
