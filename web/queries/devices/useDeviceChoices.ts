import { useQueries } from '@tanstack/react-query';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/query.ts';
import { queryKey } from '../../api/queryKey.ts';

/** Q3: which devices and attributes a query shows. */
export interface Selection {
  channel_id: string;
  device_ids: string[];
  attributes: string[];
}

export const nothingSelected: Selection = { channel_id: '', device_ids: [], attributes: [] };

export const isComplete = ({ channel_id, device_ids, attributes }: Selection): boolean =>
  channel_id !== '' && device_ids.length > 0 && attributes.length > 0;

const rarely = { staleTime: 30_000, retry: false } as const;

/** Each list depends on the choice before it; attributes are those that any of the chosen devices has reported. */
export function useDeviceChoices({ channel_id, device_ids }: Selection) {
  const channels = useRead(deviceQueriesApi.applications, {}, rarely);
  const devices = useRead(deviceQueriesApi.devices, { params: { id: channel_id } }, { ...rarely, enabled: channel_id !== '' });
  const attributes = useQueries({
    queries: device_ids.map((deviceId) => {
      const input = { params: { id: channel_id, deviceId } };
      return {
        ...rarely,
        queryKey: queryKey(deviceQueriesApi.attributes, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(deviceQueriesApi.attributes, input, { signal }),
      };
    }),
  });
  return {
    channels,
    devices,
    attributes: {
      names: [...new Set(attributes.flatMap(({ data }) => data ?? []))],
      isPending: attributes.some(({ isPending }) => isPending),
      error: attributes.find(({ error }) => error)?.error ?? null,
    },
  };
}
