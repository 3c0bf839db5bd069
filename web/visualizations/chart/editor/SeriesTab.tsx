import { Select } from 'antd';
import type { ReactNode } from 'react';
import { DelayedInput } from '../../editor/DelayedInput.tsx';
import { moved } from '../../editor/moved.ts';
import { SortableList } from '../../editor/SortableList.tsx';
import { seriesOptionsOf, withEntry } from '../chartOptions.ts';
import { type ChartType, chartTypeNames, hasSeriesTypes, offeredSeriesTypes } from '../chartTypes.ts';
import type { BaseSeries } from '../model/base.ts';
import type { ChartTabProps } from './ChartTab.ts';
import styles from './Tab.module.css';

/** visualizations 5.16, Series: the order of the list is the order in which they are drawn. */
export function SeriesTab({ options, onOptionsChange, base }: ChartTabProps) {
  if (!base) return <p className={styles.note}>Looking for the series…</p>;
  if (base.series.length === 0) return <p className={styles.note}>There are no series yet: choose columns in General.</p>;
  const { seriesOptions, globalSeriesType } = options;
  const change = (key: string, changes: object) => onOptionsChange({ seriesOptions: withEntry(seriesOptions, key, changes) });
  const move = (from: number, to: number) =>
    onOptionsChange({
      seriesOptions: moved(base.series, from, to).reduce((all, { key }, zIndex) => withEntry(all, key, { zIndex }), seriesOptions),
    });
  const hasTypes = hasSeriesTypes(globalSeriesType);
  const hasAxes = hasTypes && options.swappedAxes !== true;
  return (
    <>
      <div className={`${styles.series} ${styles.head}`} data-plain={!hasTypes} data-one-axis={hasTypes && !hasAxes} aria-hidden>
        <span>Order</span>
        <span>Label</span>
        {hasAxes && <span>Y Axis</span>}
        {hasTypes && <span>Type</span>}
      </div>
      <SortableList label="Series" items={base.series} keyOf={({ key }) => key} nameOf={({ name }) => name} onMove={move}>
        {(series, handle) => (
          <SeriesRow
            series={series}
            handle={handle}
            stored={seriesOptionsOf(options, series.key)}
            globalType={globalSeriesType}
            hasTypes={hasTypes}
            hasAxes={hasAxes}
            onChange={(changes) => change(series.key, changes)}
          />
        )}
      </SortableList>
    </>
  );
}

interface SeriesRowProps {
  series: BaseSeries;
  handle: ReactNode;
  stored: ReturnType<typeof seriesOptionsOf>;
  globalType: ChartType;
  hasTypes: boolean;
  hasAxes: boolean;
  onChange: (changes: object) => void;
}

function SeriesRow({ series: { key }, handle, stored, globalType, hasTypes, hasAxes, onChange }: SeriesRowProps) {
  const type = stored.type ?? globalType;
  const types = offeredSeriesTypes.some((one) => one === type) ? offeredSeriesTypes : [...offeredSeriesTypes, type];
  return (
    <div className={styles.series} data-plain={!hasTypes} data-one-axis={hasTypes && !hasAxes}>
      {handle}
      <DelayedInput value={stored.name ?? ''} placeholder={key} aria-label={`Label of ${key}`} onChange={(name) => onChange({ name })} />
      {hasAxes && (
        <Select<0 | 1>
          value={stored.yAxis ?? 0}
          aria-label={`Y Axis of ${key}`}
          options={[
            { value: 0, label: 'left' },
            { value: 1, label: 'right' },
          ]}
          onChange={(yAxis) => onChange({ yAxis })}
        />
      )}
      {hasTypes && (
        <Select<ChartType>
          value={type}
          aria-label={`Type of ${key}`}
          options={types.map((one) => ({ value: one, label: chartTypeNames[one] }))}
          onChange={(next) => onChange({ type: next })}
        />
      )}
    </div>
  );
}
