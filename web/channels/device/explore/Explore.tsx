import { type DeviceDetail, pagedDevices } from '@telltale/domain/channels/contract.ts';
import { Select } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TimeChart } from '../../../ui/TimeChart.tsx';
import { useDisplays } from '../../attributes/useAttributes.ts';
import styles from '../Device.module.css';
import { readingText } from '../data/readings.ts';
import { TimeSpan } from '../TimeSpan.tsx';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { ChartButtons } from './ChartButtons.tsx';
import { type Aggregation, aggregations, useSeries } from './useSeries.ts';

const spans = [
  { label: '15 min', value: 900 },
  { label: '1 h', value: 3600 },
  { label: '6 h', value: 21_600 },
  { label: '24 h', value: 86_400 },
  { label: '7 d', value: 604_800 },
  { label: '30 d', value: 2_592_000 },
];
/** Younger devices start with a shorter span. */
const newMs = 6 * 3_600_000;
const mostOffered = 200;

interface ExploreProps {
  device: DeviceDetail;
  feed: DeviceFeed;
  attribute: string;
  unit: string | null;
}

/** The history of one attribute: span, aggregation, and another device to compare; and from there to a query or a dashboard. */
export function Explore({ device, feed, attribute, unit }: ExploreProps) {
  const [seconds, setSeconds] = useState(() => (Date.now() - Date.parse(device.created_at) < newMs ? 3600 : 86_400));
  const [aggregation, setAggregation] = useState<Aggregation>('avg');
  const [other, setOther] = useState<string | null>(null);
  const others = useOthers(device);
  const display = useDisplays(device.channel_id)(attribute);
  const own = useSeries({ device, attribute, seconds, aggregation, records: feed.records });
  const compared = useSeries({
    device: { channel_id: device.channel_id, device_id: other ?? '' },
    attribute,
    seconds,
    aggregation,
    records: [],
  });
  const otherName = others.find(({ value }) => value === other)?.label;
  const series = [
    { name: other ? device.name : attribute, points: own.points },
    ...(other ? [{ name: otherName ?? other, points: compared.points }] : []),
  ];
  const count = series.reduce((sum, { points }) => sum + points.length, 0);
  const until = Math.max(Date.now(), own.points.at(-1)?.at ?? 0);
  return (
    <section className={styles.history} aria-label={`History of ${attribute}`}>
      <header className={styles.historyHead}>
        <h2>
          {attribute}
          {unit && <span className={styles.unit}> {unit}</span>}
        </h2>
        <TimeSpan seconds={seconds} options={spans} onChange={setSeconds} />
      </header>
      {own.error && own.points.length === 0 ? (
        <ErrorState error={own.error} onRetry={own.refetch} />
      ) : (
        <TimeChart
          series={series}
          from={until - seconds * 1000}
          until={until}
          limits={display?.thresholds ?? []}
          figure={(value) => readingText({ kind: 'n', value: Number(value.toPrecision(8)), value_text: null, unit }, display?.decimals)}
          label={`${attribute}, ${count} points`}
          empty={own.isPending ? 'Loading…' : 'Nothing was reported in this time.'}
        />
      )}
      <div className={styles.tools}>
        <Select
          aria-label="Aggregation"
          size="small"
          value={aggregation}
          options={[...aggregations]}
          style={{ width: 112 }}
          onChange={setAggregation}
        />
        {others.length > 0 && (
          <Select
            aria-label="Compare with"
            size="small"
            placeholder="Compare with…"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={other}
            options={others}
            style={{ width: 184 }}
            onChange={(next: string | null | undefined) => setOther(next ?? null)}
          />
        )}
        <span className={styles.toolsEnd}>
          <ChartButtons
            device={device}
            attributes={[attribute]}
            {...(other && { compared: other })}
            words={{ chart: 'Save as query', dashboard: 'Add to dashboard' }}
          />
        </span>
      </div>
    </section>
  );
}

function useOthers({ channel_id, device_id }: DeviceDetail) {
  const { data } = useRead(pagedDevices, { params: { id: channel_id }, query: { page: 1, page_size: mostOffered, order: 'name' } });
  return (data?.results ?? [])
    .filter((one) => one.device_id !== device_id)
    .map((one) => ({ value: one.device_id, label: one.name || one.device_id }));
}
