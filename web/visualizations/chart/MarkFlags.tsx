import { formatDate } from '@telltale/domain/visualizations/date-format.ts';
import type { EChartsType } from 'echarts/core';
import { momentFormat } from '../../ui/momentText.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Chart.module.css';
import type { TimeMark } from './ChartMarks.tsx';
import { gridRect } from './gridRect.ts';

/** A flag on top of each mark, which tells its text to the pointer and to the keyboard. Flags at one place share one. */
export function MarkFlags({ chart, marks }: { chart: EChartsType | null; marks: readonly TimeMark[] }) {
  const rect = chart && gridRect(chart);
  if (!chart || !rect || marks.length === 0) return null;
  const places = new Map<number, TimeMark[]>();
  for (const mark of marks) {
    const x = Number(chart.convertToPixel({ xAxisIndex: 0 }, mark.at));
    if (!(x >= rect.left - 1 && x <= rect.right + 1)) continue;
    const near = Math.round(x / flagPx) * flagPx;
    places.set(near, [...(places.get(near) ?? []), mark]);
  }
  return [...places].slice(0, mostFlags).map(([x, found]) => {
    const worst = found.find(({ tone }) => tone === 'danger') ?? found[0];
    const lines = found.slice(0, 5).map(({ at, text }) => `${formatDate(at, momentFormat.minute)} ${text}`);
    const text = [...lines, ...(found.length > 5 ? [`and ${found.length - 5} more`] : [])];
    return (
      <Tooltip key={x} title={text.map((line) => <div key={line}>{line}</div>)}>
        <button
          type="button"
          className={styles.flag}
          data-tone={worst?.tone}
          style={{ left: x, top: rect.top }}
          aria-label={text.join('; ')}
        />
      </Tooltip>
    );
  });
}

const [flagPx, mostFlags] = [12, 60];
