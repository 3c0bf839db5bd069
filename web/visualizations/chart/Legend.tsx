import styles from './Chart.module.css';
import type { MarkerSymbol } from './draw/seriesOptions.ts';

export interface LegendItem {
  key: string;
  name: string;
  color: string;
  /** Of a marker, the marker's. */
  shape: 'line' | 'square' | MarkerSymbol;
}

interface LegendProps {
  items: readonly LegendItem[];
  hidden: ReadonlySet<string>;
  isBelow: boolean;
  onHide: (hidden: ReadonlySet<string>) => void;
}

/** visualizations 5.8: a click hides or shows, a double click shows one alone, or all again. */
export function Legend({ items, hidden, isBelow, onHide }: LegendProps) {
  const toggle = (key: string) => onHide(hidden.has(key) ? new Set([...hidden].filter((one) => one !== key)) : new Set([...hidden, key]));
  const isolate = (key: string) => {
    const others = items.flatMap((item) => (item.key === key ? [] : [item.key]));
    const isAlone = !hidden.has(key) && others.every((one) => hidden.has(one));
    onHide(new Set(isAlone ? [] : others));
  };
  return (
    <ul className={isBelow ? styles.legendBelow : styles.legendRight} aria-label="Legend">
      {items.map(({ key, name, color, shape }) => (
        <li key={key}>
          <button
            type="button"
            aria-pressed={!hidden.has(key)}
            title={`${name}\nClick to hide or show, double-click to show it alone`}
            onClick={() => toggle(key)}
            onDoubleClick={() => isolate(key)}
          >
            <i data-shape={shape} style={{ background: color }} aria-hidden />
            <span>{name || '(no name)'}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
