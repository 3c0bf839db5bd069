import { attributesApi } from '@telltale/domain/channels/attributes-contract.ts';
import { type DeviceDetail, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi, type Series } from '@telltale/domain/channels/data-contract.ts';
import { simulationApi } from '@telltale/domain/channels/simulation-contract.ts';
import { useMemo } from 'react';
import { useRead, useWrite } from '../../../api/query.ts';
import { deviceAt } from '../../useChannels.ts';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { liveSeries, type Point, sparkSpan, withLive } from './readings.ts';

const again = { refetchInterval: 60_000 } as const;

/** The newest value of each attribute, updated by the feed. */
export function useLastValues(device: DeviceDetail, { records }: DeviceFeed) {
  const read = useRead(deviceDataApi.last, { params: deviceAt(device) }, again);
  const values = useMemo(() => withLive(read.data ?? [], records), [read.data, records]);
  return { ...read, values };
}

/** The feed brings the uplink itself; the reads tell what follows from it. */
export const useSimulateUplink = () =>
  useWrite(simulationApi.simulate, {
    refresh: [devicesApi.get, attributesApi.list, deviceDataApi.last, deviceDataApi.history, deviceDataApi.messages],
    saved: ({ status, errors }) =>
      status === 'duplicate' ? 'An uplink with this id was stored before.' : ['Uplink simulated.', ...errors].join(' '),
    failed: false,
  });

interface Sparklines {
  pointsOf: (attribute: string) => readonly Point[];
  seconds: number;
  /** "last hour" */
  spanText: string;
}

/** The last day; for a younger device its whole life, so that its first minutes already make a line. */
export function useSparklines(device: DeviceDetail, { records }: DeviceFeed): Sparklines {
  const { seconds, text, buckets } = useMemo(() => sparkSpan(Date.now() - Date.parse(device.created_at)), [device.created_at]);
  const { data } = useRead(deviceDataApi.history, { params: deviceAt(device), query: { seconds, buckets } }, again);
  const pointsOf = useMemo(() => {
    const byName = new Map((data ?? []).map((series) => [series.attribute, seriesPoints(series)]));
    return (attribute: string) => liveSeries(byName.get(attribute) ?? [], records, attribute);
  }, [data, records]);
  return { pointsOf, seconds, spanText: text };
}

const seriesPoints = ({ buckets }: Series): Point[] => buckets.map(({ time, avg }) => ({ at: Date.parse(time), value: avg }));
