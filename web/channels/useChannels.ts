import { channelsApi, type Device, devicesApi, pagedDevices } from '@telltale/domain/channels/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { notify } from '../ui/notify.tsx';

/** design 8: those of other networks are listed elsewhere. */
const mqttKinds = { kind: ['mqtt' as const, 'http' as const] };
const lookups = [deviceQueriesApi.applications, deviceQueriesApi.devices];

export const useChannels = () => useList(channelsApi.list, { order: '-created_at', query: mqttKinds, remember: 'channels' });
export const useChannel = (id: string) => useRead(channelsApi.get, { params: { id } });

/** D9; what devices say about themselves changes while one looks. */
export const useDevices = (id: string, enabled = true) =>
  useList(pagedDevices, { order: '-created_at', params: { id }, remember: 'devices', refetchMs: 5000, enabled });
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

/** D8: a failure is told like a success. */
export const useDeleteChannel = (onDone: () => unknown) =>
  useWrite(channelsApi.remove, {
    refresh: [channelsApi.list, ...lookups],
    saved: 'Channel deleted',
    failed: () => {
      notify.success('Error Occured while Delete Channel');
      return null;
    },
    onDone,
  });

const deviceReads = [pagedDevices, devicesApi.list, channelsApi.get, channelsApi.list, ...lookups];

export const useCreateDevice = () => useWrite(devicesApi.create, { refresh: deviceReads, saved: 'Device Added', failed: false });
export const useDeleteDevice = (onDone: () => unknown) =>
  useWrite(devicesApi.remove, { refresh: deviceReads, saved: 'Device deleted', onDone });
export const useRotateKey = () => useWrite(devicesApi.rotateKey, { refresh: [devicesApi.get, pagedDevices], saved: 'Key rotated' });

export const deviceAt = ({ channel_id, device_id }: Pick<Device, 'channel_id' | 'device_id'>) => ({ id: channel_id, deviceId: device_id });
export const deviceAddress = (channelId: string, deviceId: string) =>
  `/mqtt/${encodeURIComponent(channelId)}/devices/${encodeURIComponent(deviceId)}`;
