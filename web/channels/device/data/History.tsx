import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { Radio } from 'antd';
import { useMemo, useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { deviceAt } from '../../useChannels.ts';
import styles from '../Device.module.css';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { HistoryChart } from './HistoryChart.tsx';
import { liveSeries, type Point } from './readings.ts';

const spans = [
  { label: '1 h', value: 3600 },
  { label: '6 h', value: 21_600 },
  { label: '24 h', value: 86_400 },
  { label: '7 d', value: 604_800 },
  { label: '30 d', value: 2_592_000 },
];
const buckets = 300;
/** A device of today has no day to show yet. */
const newMs = 6 * 3_600_000;

interface HistoryProps {
  device: DeviceDetail;
  feed: DeviceFeed;
  attribute: string;
  unit: string | null;
}

/** How one attribute went: mean of each bucket, and the band between least and greatest. */
export function History({ device, feed, attribute, unit }: HistoryProps) {
  const [seconds, setSeconds] = useState(() => (Date.now() - Date.parse(device.created_at) < newMs ? 3600 : 86_400));
  const { data, error, isPending, refetch } = useRead(
    deviceDataApi.history,
    { params: deviceAt(device), query: { attribute, seconds, buckets } },
    { refetchInterval: 60_000 },
  );
  const points = useMemo(() => {
    const read: (Point & { min?: number; max?: number })[] = (data?.[0]?.buckets ?? []).map(({ time, avg, min, max }) => ({
      at: Date.parse(time),
      value: avg,
      min,
      max,
    }));
    return [...read, ...liveSeries(read, feed.records, attribute).slice(read.length)];
  }, [data, feed.records, attribute]);
  return (
    <section className={styles.history} aria-label={`History of ${attribute}`}>
      <header className={styles.historyHead}>
        <h2>
          {attribute}
          {unit && <span className={styles.unit}> {unit}</span>}
        </h2>
        <Radio.Group
          aria-label="Time span"
          size="small"
          optionType="button"
          value={seconds}
          options={spans}
          onChange={({ target }) => setSeconds(Number(target.value))}
        />
      </header>
      {error && !data ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <HistoryChart points={points} seconds={seconds} label={`${attribute}, ${points.length} points`} isLoading={isPending} />
      )}
    </section>
  );
}
