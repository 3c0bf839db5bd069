import type { SeriesFigures } from '@telltale/domain/visualizations/figures.ts';
import { hiddenAfterClick } from '@telltale/domain/visualizations/legend.ts';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
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

type Modifiers = Pick<MouseEvent | KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;
const hasModifier = ({ ctrlKey, metaKey, shiftKey }: Modifiers): boolean => ctrlKey || metaKey || shiftKey;

/** visualizations 5.8: a click hides or shows one; a double click, or one with Ctrl, Cmd or Shift, shows it alone and then all again. */
export function Legend({ items, hidden, isBelow, isWide, onHide }: LegendProps) {
  const keys = items.map(({ key }) => key);
  const beforeClick = useRef({ key: '', hidden });
  const click = (key: string, event: MouseEvent) => {
    // The first click of a double click has hidden or shown it, which is taken back; a third does nothing.
    const isDouble = event.detail > 1 && beforeClick.current.key === key;
    if (isDouble && event.detail > 2) return;
    if (!isDouble) beforeClick.current = { key, hidden };
    onHide(hiddenAfterClick(keys, beforeClick.current.hidden, key, isDouble || hasModifier(event)));
  };
  const press = (key: string, event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !hasModifier(event)) return;
    event.preventDefault();
    onHide(hiddenAfterClick(keys, hidden, key, true));
  };
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
              title={`${name}${figures ? `\nlast ${figures.last}, min ${figures.min}, max ${figures.max}` : ''}\nClick or Enter hides or shows it, double click or Shift+Enter shows it alone`}
              aria-keyshortcuts="Shift+Enter"
              onClick={(event) => click(key, event)}
              onKeyDown={(event) => press(key, event)}
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
