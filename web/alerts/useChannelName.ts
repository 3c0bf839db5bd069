import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { useRead } from '../api/query.ts';

/** The name of a channel, or its id until the name is known. */
export function useChannelName(channel_id: string): string {
  const { data } = useRead(deviceQueriesApi.applications, {}, { enabled: channel_id !== '', staleTime: 30_000, retry: false });
  return data?.find((one) => one.channel_id === channel_id)?.channel_name || channel_id;
}
