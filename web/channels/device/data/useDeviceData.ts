import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi, type Series } from '@telltale/domain/channels/data-contract.ts';
import { useMemo } from 'react';
import { useRead } from '../../../api/query.ts';
import { deviceAt } from '../../useChannels.ts';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { liveSeries, type Point, withLive } from './readings.ts';

const again = { refetchInterval: 60_000 } as const;

/** The newest value of each attribute, as new as the feed. */
export function useLastValues(device: DeviceDetail, { records }: DeviceFeed) {
  const read = useRead(deviceDataApi.last, { params: deviceAt(device) }, again);
  const values = useMemo(() => withLive(read.data ?? [], records), [read.data, records]);
  return { ...read, values };
}

/** The last day in a hundred points each. */
export function useSparklines(device: DeviceDetail, { records }: DeviceFeed): (attribute: string) => readonly Point[] {
  const { data } = useRead(deviceDataApi.history, { params: deviceAt(device), query: { seconds: 86_400, buckets: 100 } }, again);
  return useMemo(() => {
    const byName = new Map((data ?? []).map((series) => [series.attribute, pointsOf(series)]));
    return (attribute) => liveSeries(byName.get(attribute) ?? [], records, attribute);
  }, [data, records]);
}

export const pointsOf = ({ buckets }: Series): Point[] => buckets.map(({ time, avg }) => ({ at: Date.parse(time), value: avg }));
