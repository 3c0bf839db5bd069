import type { SeriesFigures } from '@telltale/domain/visualizations/figures.ts';
import { hiddenAfterClick } from '@telltale/domain/visualizations/legend.ts';
import type { MouseEvent } from 'react';
import styles from './Chart.module.css';
import { LegendMark, type LegendMarkProps } from './LegendMark.tsx';

export interface LegendItem extends LegendMarkProps {
  key: string;
  name: string;
  /** Last, least and greatest, where the series goes on over time. */
  figures?: Readonly<Record<Exclude<keyof SeriesFigures, 'decimals'>, string>> | undefined;
}

interface LegendProps {
  items: readonly LegendItem[];
  hidden: ReadonlySet<string>;
  isBelow: boolean;
  /** Room for least and greatest beside the last value. */
  isWide: boolean;
  onHide: (hidden: ReadonlySet<string>) => void;
}

/** visualizations 5.8: a click shows one alone, another one all again; with Ctrl, Cmd or Shift it hides or shows just this one. */
export function Legend({ items, hidden, isBelow, isWide, onHide }: LegendProps) {
  const keys = items.map(({ key }) => key);
  const click = (key: string, { ctrlKey, metaKey, shiftKey }: MouseEvent) =>
    onHide(hiddenAfterClick(keys, hidden, key, ctrlKey || metaKey || shiftKey));
  const hasFigures = items.some(({ figures }) => figures);
  const isTable = hasFigures && !isBelow;
  return (
    <div className={isBelow ? styles.legendBelow : styles.legendRight} data-figures={isTable ? (isWide ? 'all' : 'last') : undefined}>
      {isTable && (
        <div className={styles.legendHead} aria-hidden>
          <span />
          <span>Last</span>
          {isWide && <span>Min</span>}
          {isWide && <span>Max</span>}
        </div>
      )}
      <ul aria-label="Legend">
        {items.map(({ key, name, figures, ...mark }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={!hidden.has(key)}
              title={`${name}${figures ? `\nlast ${figures.last}, min ${figures.min}, max ${figures.max}` : ''}\nClick to show it alone, Ctrl-click to hide or show it`}
              onClick={(event) => click(key, event)}
            >
              <LegendMark {...mark} />
              <span className={styles.legendName}>{name || '(no name)'}</span>
              {figures && <Figures figures={figures} isBelow={isBelow} isWide={isWide} />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Figures({ figures, isBelow, isWide }: { figures: NonNullable<LegendItem['figures']>; isBelow: boolean; isWide: boolean }) {
  if (isBelow)
    return (
      <span className={styles.legendFigures}>
        <b>{figures.last}</b>
        {isWide && ` ${figures.min} to ${figures.max}`}
      </span>
    );
  return (
    <>
      <b className={styles.legendFigure}>{figures.last}</b>
      {isWide && <span className={styles.legendFigure}>{figures.min}</span>}
      {isWide && <span className={styles.legendFigure}>{figures.max}</span>}
    </>
  );
}
