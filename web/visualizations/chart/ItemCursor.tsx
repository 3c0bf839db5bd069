import type { EChartsType } from 'echarts/core';
import { type KeyboardEvent, useState } from 'react';
import styles from './Chart.module.css';

interface ItemCursorProps {
  chart: EChartsType | null;
  name: string;
  count: number;
  /** The number of items per row; 1 without rows. */
  across: number;
  itemOf: (at: number) => { seriesIndex: number; dataIndex: number };
  textOf: (at: number) => string;
}

/** Slices and cells by keyboard: arrows go from one to the next and announce it. */
export function ItemCursor({ chart, name, count, across, itemOf, textOf }: ItemCursorProps) {
  const [at, setAt] = useState(-1);
  if (count === 0) return null;
  const hide = () => chart?.dispatchAction({ type: 'hideTip' });
  const show = (next: number) => {
    const bounded = Math.min(Math.max(next, 0), count - 1);
    setAt(bounded);
    chart?.dispatchAction({ type: 'showTip', ...itemOf(bounded) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowUp: at + across, ArrowDown: at - across, Home: 0, End: count - 1 }[event.key];
    if (event.key === 'Escape') hide();
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.cursor}
      aria-label={`Values of ${name || 'the chart'}`}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={Math.min(Math.max(1, at + 1), count)}
      aria-valuetext={at >= 0 && at < count ? textOf(at) : `${count} values. Arrow keys go from one to the next.`}
      onKeyDown={onKeyDown}
      onBlur={hide}
    />
  );
}
