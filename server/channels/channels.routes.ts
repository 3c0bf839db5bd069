import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import type { Http } from '../platform/http/http.ts';
import { createChannel, getChannel, listChannels, removeChannel, removeChannelKey, rotateChannelKey, saveChannel } from './channels.ts';
import { readHistory, readLast, readLayout, readMessages, saveLayout } from './device-data.ts';
import { createDevice, getDevice, listDevices, removeDevice, rotateKey } from './devices.ts';

export function channelRoutes(http: Http): void {
  http.on(channelsApi.list, (ctx, { query }) => listChannels(ctx, query));
  http.on(channelsApi.create, (ctx, { body }) => createChannel(ctx, body));
  http.on(channelsApi.get, (ctx, { params }) => getChannel(ctx, params.id));
  http.on(channelsApi.save, (ctx, { params, body }) => saveChannel(ctx, params.id, body));
  http.on(channelsApi.remove, (ctx, { params }) => removeChannel(ctx, params.id));
  http.on(channelsApi.rotateKey, (ctx, { params }) => rotateChannelKey(ctx, params.id));
  http.on(channelsApi.removeKey, (ctx, { params }) => removeChannelKey(ctx, params.id));
  http.on(devicesApi.list, (ctx, { params, query }) => listDevices(ctx, params.id, query));
  http.on(devicesApi.create, (ctx, { params, body }) => createDevice(ctx, params.id, body));
  http.on(devicesApi.get, (ctx, { params }) => getDevice(ctx, params));
  http.on(devicesApi.remove, (ctx, { params }) => removeDevice(ctx, params));
  http.on(devicesApi.rotateKey, (ctx, { params }) => rotateKey(ctx, params));
  http.on(deviceDataApi.last, (ctx, { params }) => readLast(ctx, params));
  http.on(deviceDataApi.history, (ctx, { params, query }) => readHistory(ctx, params, query));
  http.on(deviceDataApi.messages, (ctx, { params, query }) => readMessages(ctx, params, query));
  http.on(deviceDataApi.layout, (ctx, { params }) => readLayout(ctx, params));
  http.on(deviceDataApi.saveLayout, (ctx, { params, body }) => saveLayout(ctx, params, body));
}
