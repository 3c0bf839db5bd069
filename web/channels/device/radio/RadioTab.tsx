import { keepPreviousData } from '@tanstack/react-query';
import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi, type RadioFrame, type RadioQuality } from '@telltale/domain/channels/data-contract.ts';
import { useEffect, useMemo, useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../../ui/FormSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { TimeChart } from '../../../ui/TimeChart.tsx';
import { deviceAt } from '../../useChannels.ts';
import { TimeSpan } from '../TimeSpan.tsx';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { Gateways } from './Gateways.tsx';
import { LostFrames } from './LostFrames.tsx';
import styles from './Radio.module.css';

const spans = [
  { label: '1 h', value: 3600 },
  { label: '24 h', value: 86_400 },
  { label: '7 d', value: 604_800 },
  { label: '30 d', value: 2_592_000 },
];
/** Younger devices start with a shorter span. */
const newMs = 6 * 3_600_000;
/** The least span, so that the charts of a new device are filled, too. */
const leastMs = 60_000;
const charts = [
  { name: 'rssi', title: 'RSSI', unit: 'dBm' },
  { name: 'snr', title: 'SNR', unit: 'dB' },
  { name: 'sf', title: 'Spreading factor', unit: '' },
] as const;

/** The radio quality of a LoRaWAN device's uplinks. */
export default function RadioTab({ device, feed }: { device: DeviceDetail; feed: DeviceFeed }) {
  const [seconds, setSeconds] = useState(() => (Date.now() - Date.parse(device.created_at) < newMs ? 3600 : 86_400));
  const { data, error, refetch } = useRead(
    deviceDataApi.radio,
    { params: deviceAt(device), query: { seconds } },
    // The choice of the span keeps the focus while the next one is read.
    { refetchInterval: 30_000, placeholderData: keepPreviousData },
  );
  const newest = feed.records[0]?.uplink_id;
  useEffect(() => {
    if (newest) void refetch();
  }, [newest, refetch]);
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <FormSkeleton rows={6} />;
  return (
    <div className={styles.radio}>
      <header className={styles.head}>
        <Figures quality={data} />
        <TimeSpan seconds={seconds} options={spans} onChange={setSeconds} />
      </header>
      {data.frames.length === 0 ? (
        <EmptyState>No uplink was heard in this time.</EmptyState>
      ) : (
        <>
          <div className={styles.charts}>
            {charts.map((chart) => (
              <Signal key={chart.name} {...chart} frames={data.frames} seconds={seconds} />
            ))}
            <LostFrames frames={data.frames} />
          </div>
          <Section level={2} title="Gateways">
            <Gateways quality={data} />
          </Section>
        </>
      )}
    </div>
  );
}

function Figures({ quality: { received, lost } }: { quality: RadioQuality }) {
  const percent = received + lost === 0 ? 0 : (lost / (received + lost)) * 100;
  return (
    <p className={styles.figures}>
      <span>
        <b>{received.toLocaleString('en')}</b> received
      </span>
      <span>
        <b>{lost.toLocaleString('en')}</b> lost ({percent.toFixed(1)} %)
      </span>
    </p>
  );
}

interface SignalProps {
  name: (typeof charts)[number]['name'];
  title: string;
  unit: string;
  frames: readonly RadioFrame[];
  seconds: number;
}

function Signal({ name, title, unit, frames, seconds }: SignalProps) {
  const points = useMemo(
    () => frames.flatMap((frame) => (frame[name] === null ? [] : [{ at: Date.parse(frame.time), value: frame[name] }])),
    [frames, name],
  );
  const gaps = useMemo(() => frames.filter(({ lost }) => lost > 0).map(({ time }) => Date.parse(time)), [frames]);
  const until = Math.max(Date.now(), points.at(-1)?.at ?? 0);
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>
        {title} {unit && <span className={styles.unit}>{unit}</span>}
      </h3>
      <TimeChart
        series={[{ name: title, points }]}
        from={Math.max(until - seconds * 1000, Math.min((points[0]?.at ?? 0) - 1000, until - leastMs))}
        until={until}
        label={`${title}, ${points.length} uplinks`}
        empty="Nothing was reported in this time."
        marks={gaps}
      />
    </section>
  );
}
