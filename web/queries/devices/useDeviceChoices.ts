import { deviceQueriesApi, mostAskedDevices } from '@telltale/domain/queries/device-query.ts';
import { useRead } from '../../api/query.ts';

/** Q3: the devices and attributes of a query. */
export interface Selection {
  channel_id: string;
  device_ids: string[];
  attributes: string[];
}

export const nothingSelected: Selection = { channel_id: '', device_ids: [], attributes: [] };

export const isComplete = ({ channel_id, device_ids, attributes }: Selection): boolean =>
  channel_id !== '' && device_ids.length > 0 && attributes.length > 0;

const rarely = { staleTime: 30_000, retry: false } as const;

/**
 * Each list depends on the choice before it; attributes are those that any of the chosen devices has reported. Where no choice means every
 * device (`isWhole`), they are those of the channel.
 */
export function useDeviceChoices({ channel_id, device_ids }: Selection, { isWhole = false } = {}) {
  const channels = useRead(deviceQueriesApi.applications, {}, rarely);
  const params = { id: channel_id };
  const devices = useRead(deviceQueriesApi.devices, { params }, { ...rarely, enabled: channel_id !== '' });
  const isAsked = channel_id !== '' && (isWhole || device_ids.length > 0);
  const query = device_ids.length > 0 && device_ids.length <= mostAskedDevices ? { device_ids } : {};
  const attributes = useRead(deviceQueriesApi.attributesOf, { params, query }, { ...rarely, enabled: isAsked });
  return {
    channels,
    devices,
    attributes: { names: attributes.data ?? [], isPending: isAsked && attributes.isPending, error: attributes.error },
  };
}
