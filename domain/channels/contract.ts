import { z } from 'zod';
import { Empty, endpoint, Time } from '../endpoint.ts';
import { ArrayListParams, listOf, page } from '../lists/contract.ts';

export const channelKinds = ['mqtt', 'http', 'tts', 'chirpstack'] as const;
export const ChannelKind = z.enum(channelKinds);
export type ChannelKind = z.infer<typeof ChannelKind>;

/** D3; the figures and switches are ours. */
export const Channel = z.object({
  channel_id: z.string(),
  channel_name: z.string(),
  kind: ChannelKind,
  device_count: z.int(),
  online_count: z.int(),
  is_disabled: z.boolean(),
  created_at: Time,
});
export type Channel = z.infer<typeof Channel>;

/** What gateways and other firmware may do here (iot-behaviour 1.3 and 1.10). */
export const ChannelSettings = z.object({ auto_create: z.boolean(), thingsboard_topics: z.boolean() });
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** One channel. The key is a gateway's, null while there is none, and masked for those who may not manage channels. */
export const ChannelDetail = Channel.extend({ settings: ChannelSettings, api_key: z.string().nullable() });
export type ChannelDetail = z.infer<typeof ChannelDetail>;

/** D3 and design 8. The key is masked for those who may not manage channels. */
export const Device = z.object({
  channel_id: z.string(),
  device_id: z.string(),
  name: z.string(),
  api_key: z.string(),
  publish_topic: z.string(),
  subscribe_topic: z.string(),
  online: z.boolean(),
  last_seen_at: Time.nullable(),
  is_disabled: z.boolean(),
  created_at: Time,
});
export type Device = z.infer<typeof Device>;

/** One device with what its page needs: where its broker listens, as far as one is running. */
export const DeviceDetail = Device.extend({
  channel_name: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  last_connect_at: Time.nullable(),
  key_rotated_at: Time.nullable(),
  mqtt_address: z.string().nullable(),
  mqtt_tls_address: z.string().nullable(),
});
export type DeviceDetail = z.infer<typeof DeviceDetail>;

const name = (what: string) => z.string().trim().max(255, `${what} is too long (at most 255 characters).`);
/** D5: the name of a channel is optional. */
const channelName = name('Channel name')
  .nullish()
  .transform((given) => given ?? '');
/** What an id must look like is told by the room itself, in the words of D5. */
const Identifier = z.string('Identifier is required.').trim().max(1000, 'Identifier is too long.');

export const NewChannel = z.object({
  channel_id: Identifier,
  channel_name: channelName,
  kind: z.enum(['mqtt', 'http']).default('mqtt'),
});
export type NewChannel = z.output<typeof NewChannel>;
export const ChannelChanges = ChannelSettings.partial().extend({
  channel_name: channelName.optional(),
  is_disabled: z.boolean().optional(),
});
export type ChannelChanges = z.output<typeof ChannelChanges>;
export const NewDevice = z.object({
  device_id: Identifier,
  device_name: name('Device name').min(1, 'Device name is required.'),
});
export type NewDevice = z.output<typeof NewDevice>;

const anId = z.string().min(1).max(64);
const ByChannel = z.object({ id: anId });
export const ByDevice = z.object({ id: anId, deviceId: anId });
export type ByDevice = z.output<typeof ByDevice>;

/** design 8: `?kind=mqtt&kind=http`; without it all. */
export const ChannelListParams = ArrayListParams.extend({
  kind: z
    .union([ChannelKind, z.array(ChannelKind)])
    .optional()
    .transform((given) => (given === undefined ? [...channelKinds] : Array.isArray(given) ? given : [given])),
});
export type ChannelListParams = z.output<typeof ChannelListParams>;

export const channelsApi = {
  list: endpoint('GET', '/api/channels', {
    needs: 'view_channel',
    query: ChannelListParams,
    reply: listOf(Channel),
    summary: 'Channels, all or of some kinds, newest first.',
  }),
  create: endpoint('POST', '/api/channels', {
    needs: 'manage_channel',
    body: NewChannel,
    reply: ChannelDetail,
    summary: 'Makes a channel; its id is not taken, and was not until a day ago.',
  }),
  get: endpoint('GET', '/api/channels/:id', {
    needs: 'view_channel',
    params: ByChannel,
    reply: ChannelDetail,
    summary: 'One channel, its settings and the key of its gateways.',
  }),
  save: endpoint('POST', '/api/channels/:id', {
    needs: 'manage_channel',
    params: ByChannel,
    body: ChannelChanges,
    reply: ChannelDetail,
    summary: 'Renames a channel, changes its settings, or stops its devices from reporting.',
  }),
  remove: endpoint('DELETE', '/api/channels/:id', {
    needs: 'manage_channel',
    params: ByChannel,
    reply: Empty,
    summary: 'Deletes a channel with its devices; their sessions end.',
  }),
  rotateKey: endpoint('POST', '/api/channels/:id/api_key', {
    needs: 'manage_channel',
    params: ByChannel,
    reply: z.object({ api_key: z.string() }),
    summary: 'Gives a channel a key for gateways, or a new one; sessions with the old one end.',
  }),
  removeKey: endpoint('DELETE', '/api/channels/:id/api_key', {
    needs: 'manage_channel',
    params: ByChannel,
    reply: Empty,
    summary: 'Takes the key of gateways away; their sessions end.',
  }),
};

export const devicesApi = {
  list: endpoint('GET', '/api/channels/:id/devices', {
    needs: 'view_channel',
    params: ByChannel,
    query: ArrayListParams,
    reply: listOf(Device),
    summary: 'Devices of a channel, newest first.',
  }),
  create: endpoint('POST', '/api/channels/:id/devices', {
    needs: 'manage_channel',
    params: ByChannel,
    body: NewDevice,
    reply: Device,
    summary: 'Adds a device with a key of its own.',
  }),
  get: endpoint('GET', '/api/channels/:id/devices/:deviceId', {
    needs: 'view_channel',
    params: ByDevice,
    reply: DeviceDetail,
    summary: 'One device, and where its broker listens.',
  }),
  remove: endpoint('DELETE', '/api/channels/:id/devices/:deviceId', {
    needs: 'manage_channel',
    params: ByDevice,
    reply: Empty,
    summary: 'Deletes a device; its key opens nothing any more.',
  }),
  rotateKey: endpoint('POST', '/api/channels/:id/devices/:deviceId/rotate_key', {
    needs: 'manage_channel',
    params: ByDevice,
    reply: z.object({ api_key: z.string() }),
    summary: 'A new key; sessions with the old one end.',
  }),
};

/** The same list, page by page: a channel may have more devices than a browser should hold. */
export const pagedDevices = endpoint('GET', devicesApi.list.path, {
  needs: 'view_channel',
  params: ByChannel,
  query: ArrayListParams,
  reply: page(Device),
  summary: devicesApi.list.summary,
});
