import type { Device } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { useMemo } from 'react';
import { useRead } from '../../../api/query.ts';
import type { TimePoint } from '../../../ui/timeScale.ts';
import { deviceAt } from '../../useChannels.ts';
import { liveSeries } from '../data/readings.ts';

export const aggregations = [
  { value: 'avg', label: 'Average' },
  { value: 'min', label: 'Minimum' },
  { value: 'max', label: 'Maximum' },
] as const;
export type Aggregation = (typeof aggregations)[number]['value'];

const buckets = 300;

interface Asked {
  /** The device; without an id nothing is read. */
  device: Pick<Device, 'channel_id' | 'device_id'>;
  attribute: string;
  seconds: number;
  aggregation: Aggregation;
  /** Records that came after the series was read. */
  records: readonly UplinkRecord[];
}

/** One attribute of one device in buckets; an average has a band between least and greatest. */
export function useSeries({ device, attribute, seconds, aggregation, records }: Asked) {
  const { data, error, isPending, refetch } = useRead(
    deviceDataApi.history,
    { params: deviceAt(device), query: { attribute, seconds, buckets } },
    { refetchInterval: 60_000, enabled: device.device_id !== '' },
  );
  const points = useMemo(() => {
    const read: TimePoint[] = (data?.[0]?.buckets ?? []).map((bucket) => ({
      at: Date.parse(bucket.time),
      value: bucket[aggregation],
      ...(aggregation === 'avg' && { min: bucket.min, max: bucket.max }),
    }));
    return [...read, ...liveSeries(read, records, attribute).slice(read.length)];
  }, [data, records, attribute, aggregation]);
  return { points, error, isPending, refetch };
}
