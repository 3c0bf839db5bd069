import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { EChart } from './EChart.tsx';
import styles from './KeyedChart.module.css';
import { nextItem } from './nextItem.ts';

interface KeyedChartProps {
  option: EChartsCoreOption;
  label: string;
  height?: number;
  /** Texts of the items for keyboard navigation; each is the item of the first series with this index. */
  items: readonly { index: number; text: string }[];
}

/** A picture whose items are reached by the arrow keys: each shows its tooltip, and its text is announced. */
export function KeyedChart({ option, label, height, items }: KeyedChartProps) {
  const chart = useRef<EChartsType | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const onReady = useCallback((made: EChartsType) => {
    chart.current = made;
    return () => {
      chart.current = null;
    };
  }, []);
  const leave = () => {
    setAt(null);
    chart.current?.dispatchAction({ type: 'downplay', seriesIndex: 0 });
    chart.current?.dispatchAction({ type: 'hideTip' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && at !== null) {
      event.stopPropagation();
      leave();
      return;
    }
    const next = nextItem(at, event.key, items.length);
    const item = next === null ? undefined : items[next];
    if (!item) return;
    event.preventDefault();
    setAt(next);
    chart.current?.dispatchAction({ type: 'downplay', seriesIndex: 0 });
    chart.current?.dispatchAction({ type: 'highlight', seriesIndex: 0, dataIndex: item.index });
    chart.current?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: item.index });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: items of a picture, not fields of a form
    <div
      className={styles.keyed}
      role="group"
      aria-label="Arrow keys go from one item to the next"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its items are reached by arrow keys
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={leave}
    >
      <EChart option={option} label={label} onReady={onReady} {...(height !== undefined && { height })} />
      <span className="visually-hidden" role="status">
        {at === null ? '' : (items[at]?.text ?? '')}
      </span>
    </div>
  );
}
