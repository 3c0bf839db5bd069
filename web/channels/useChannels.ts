import { channelsApi, type Device, type DeviceState, devicesApi, lorawanKinds, pagedDevices } from '@telltale/domain/channels/contract.ts';
import { type DeviceGlance, deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { deviceImportApi } from '@telltale/domain/channels/import-contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { useMemo } from 'react';
import { useList, useRead, useWrite } from '../api/query.ts';
import { notify } from '../ui/notify.tsx';
import { devicesText } from './import/devicesText.ts';

/** design 8: channels of other networks are listed elsewhere. */
const mqttKinds = { kind: ['mqtt' as const, 'http' as const] };
const lookups = [deviceQueriesApi.applications, deviceQueriesApi.devices];

export const useChannels = () => useList(channelsApi.list, { order: '-created_at', query: mqttKinds, remember: 'channels' });
/** LoRaWAN channels; reloaded, because their figures change. */
export const useLorawanChannels = () =>
  useList(channelsApi.list, { order: '-created_at', query: { kind: [...lorawanKinds] }, remember: 'lorawan_channels', refetchMs: 10_000 });
/** Reloaded where it has a network, because the connection to that may fail. */
export const useChannel = (id: string) =>
  useRead(
    channelsApi.get,
    { params: { id } },
    { refetchInterval: ({ state: { data } }) => (data && data.settings.network_id !== null ? 10_000 : false) },
  );

/** D9; reloaded, because the states of devices change. */
export const useDevices = (id: string, enabled = true, state?: DeviceState) =>
  useList(pagedDevices, { order: '-created_at', params: { id }, query: { state }, remember: 'devices', refetchMs: 5000, enabled });
export const useDeviceTags = (id: string) => useRead(devicesApi.tags, { params: { id } });
/** Whether a device of the channel has said where it is, so that there is something to draw on a map. */
export const useSomePlaced = (id: string): boolean =>
  (useRead(pagedDevices, { params: { id }, query: { placed: 'true', page: 1, page_size: 1 } }).data?.count ?? 0) > 0;
const mostGlances = 100;
/** Last values of the devices on a page, by their id. */
export function useGlances(id: string, deviceIds: readonly string[]): ReadonlyMap<string, DeviceGlance> {
  const device_id = deviceIds.slice(0, mostGlances);
  const { data } = useRead(
    deviceDataApi.glance,
    { params: { id }, query: { device_id } },
    { enabled: device_id.length > 0, refetchInterval: 10_000, placeholderData: (before) => before },
  );
  return useMemo(() => new Map((data ?? []).map((one) => [one.device_id, one])), [data]);
}
/** The devices that reported last, for a view of the whole channel. */
export const useNewestDevices = (id: string, page_size: number) =>
  useRead(pagedDevices, { params: { id }, query: { page: 1, page_size, order: '-last_seen_at' } }, { refetchInterval: 15_000 });
export const useDevice = (id: string, deviceId: string) =>
  useRead(devicesApi.get, { params: { id, deviceId } }, { refetchInterval: 10_000 });

export const useCreateChannel = () => useWrite(channelsApi.create, { refresh: [channelsApi.list, ...lookups], failed: false });

/** D8, word for word. */
export const useSaveChannel = () =>
  useWrite(channelsApi.save, {
    refresh: [channelsApi.get, channelsApi.list, ...lookups],
    saved: 'Channel updated Successfully',
    failed: 'Error Occured while  update the  Channel',
  });

export const useRotateChannelKey = (saved: string) => useWrite(channelsApi.rotateKey, { refresh: [channelsApi.get], saved });
export const useRemoveChannelKey = () => useWrite(channelsApi.removeKey, { refresh: [channelsApi.get], saved: 'Key removed' });

/** D8, word for word; the reason is shown below. */
export const useDeleteChannel = (onDone: () => unknown) =>
  useWrite(channelsApi.remove, {
    refresh: [channelsApi.list, ...lookups],
    saved: 'Channel deleted',
    failed: ({ message }) => {
      notify.error('Error Occured while Delete Channel', { description: message });
      return null;
    },
    onDone,
  });

const deviceReads = [pagedDevices, devicesApi.list, channelsApi.get, channelsApi.list, ...lookups];

export const useCreateDevice = () => useWrite(devicesApi.create, { refresh: deviceReads, saved: 'Device Added', failed: false });
export const useImportDevices = () =>
  useWrite(deviceImportApi.run, {
    refresh: [devicesApi.tags, ...deviceReads],
    saved: ({ created }) => `${devicesText(created)} created.`,
    failed: false,
  });
export const useDeleteDevice = (onDone: () => unknown) =>
  useWrite(devicesApi.remove, { refresh: deviceReads, saved: 'Device deleted', onDone });
export const useSaveDevice = () => useWrite(devicesApi.save, { refresh: [devicesApi.get, devicesApi.tags, ...deviceReads] });
export const useRotateKey = () => useWrite(devicesApi.rotateKey, { refresh: [devicesApi.get, pagedDevices], saved: 'Key rotated' });

export const deviceAt = ({ channel_id, device_id }: Pick<Device, 'channel_id' | 'device_id'>) => ({ id: channel_id, deviceId: device_id });
