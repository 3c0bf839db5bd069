import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { call } from '../api/call.ts';
import { watchUplinks } from '../api/live/live.ts';
import type { UplinkFeed } from '../visualizations/live-uplink/uplinkFeed.ts';

/** The data of live visualizations, and the choices of their editors. */
export const uplinkSource: Required<UplinkFeed> = {
  start: watchUplinks,
  listChannels: async () =>
    (await call(deviceQueriesApi.applications, {})).map(({ channel_id, channel_name }) => ({ id: channel_id, name: channel_name })),
  listDevices: async (channel) =>
    (await call(deviceQueriesApi.devices, { params: { id: channel } })).map(({ device_id, device_name }) => ({
      id: device_id,
      name: device_name,
    })),
};
