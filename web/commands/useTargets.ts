import { useQueries } from '@tanstack/react-query';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { call } from '../api/call.ts';
import { itemsOf } from '../api/itemsOf.ts';
import { useRead } from '../api/query.ts';
import { queryKey } from '../api/queryKey.ts';

const rarely = { staleTime: 30_000, retry: false } as const;

export function useChannelChoices() {
  const { data, isPending, error } = useRead(channelsApi.list, {}, rarely);
  const channels = itemsOf(data ?? []);
  return {
    options: channels.map(({ channel_id, channel_name }) => ({ value: channel_id, label: channel_name || channel_id })),
    isPending,
    error,
  };
}

/** Channels of radio networks accept only bytes. */
export function useIsLorawan(channelId: string): boolean {
  const { data } = useRead(channelsApi.list, {}, rarely);
  const channels = itemsOf(data ?? []);
  const kind = channels.find(({ channel_id }) => channel_id === channelId)?.kind;
  return kind !== undefined && kind !== 'mqtt' && kind !== 'http';
}

export function useDeviceChoices(channelId: string) {
  const isAsked = channelId !== '';
  const { data, isPending, error } = useRead(devicesApi.list, { params: { id: channelId } }, { ...rarely, enabled: isAsked });
  const devices = itemsOf(data ?? []);
  return {
    options: devices.map(({ device_id, name }) => ({ value: device_id, label: name || device_id })),
    isPending: isAsked && isPending,
    isEmpty: isAsked && !isPending && devices.length === 0,
    error,
  };
}

export interface Attribute {
  name: string;
  /** number, boolean, text or json */
  kind: string;
}

/** Devices of one channel report much the same, so the first ones stand for all; the server checks every one of them. */
const mostAsked = 10;

/** The attributes of these devices; null until they are loaded. */
export function useAttributes(channelId: string, deviceIds: readonly string[]): readonly Attribute[] | null {
  const reads = useQueries({
    queries: deviceIds.slice(0, mostAsked).map((deviceId) => {
      const input = { params: { id: channelId, deviceId } };
      return {
        ...rarely,
        queryKey: queryKey(deviceDataApi.last, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(deviceDataApi.last, input, { signal }),
      };
    }),
  });
  if (deviceIds.length === 0 || reads.some(({ data }) => data === undefined)) return null;
  const kinds = new Map(reads.flatMap(({ data = [] }) => data.map(({ attribute, kind }) => [attribute, kind] as const)));
  return [...kinds].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
