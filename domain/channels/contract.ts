import { z } from 'zod';
import { Empty, endpoint, Time } from '../endpoint.ts';
import { ArrayListParams, listOf, page } from '../lists/contract.ts';
import { euiMessage, readEui } from '../lorawan/eui.ts';
import { lorawanNetworks, networkTypes } from '../lorawan/networks.ts';
import { metadataLevels } from '../lorawan/radio.ts';
import { Tags, TagsReply } from '../tags/contract.ts';
import { longestRetentionDays } from '../uplinks/retention.ts';
import { DeviceVariables } from './variables.ts';

export const channelKinds = ['mqtt', ...networkTypes] as const;
export const ChannelKind = z.enum(channelKinds);
export type ChannelKind = z.infer<typeof ChannelKind>;
/** Kinds whose devices report through a LoRaWAN network (iot-behaviour 2). */
export const lorawanKinds: readonly ChannelKind[] = lorawanNetworks;
export const isLorawan = (kind: ChannelKind): boolean => lorawanKinds.includes(kind);

/** D3; the figures and switches are ours. */
export const Channel = z.object({
  channel_id: z.string(),
  channel_name: z.string(),
  kind: ChannelKind,
  device_count: z.int(),
  online_count: z.int(),
  is_disabled: z.boolean(),
  /** The network it is bound to; null for devices that report by themselves. */
  network_name: z.string().nullable(),
  /** Uplinks in the last hour; null where they are not counted. */
  uplinks_last_hour: z.int().nullable(),
  last_seen_at: Time.nullable(),
  created_at: Time,
});
export type Channel = z.infer<typeof Channel>;

/** Options for gateways and other firmware (iot-behaviour 1.3 and 1.10). */
export const ChannelSettings = z.object({
  auto_create: z.boolean(),
  thingsboard_topics: z.boolean(),
  /** iot-behaviour 3.3: the data of answers to commands become points under `sys.ack.`. */
  ack_points: z.boolean(),
  /** iot-behaviour 2: the network, the application, and the radio facts that become points. */
  network_id: z.int().nullable(),
  application_id: z.string().nullable(),
  metadata: z.enum(metadataLevels),
  /** iot-behaviour 1.8: the number of days that everything its devices report is kept; null is the default of the installation. */
  retention_days: z.int().nullable(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** One channel. The key is a gateway's, null while there is none, and masked for users who may not manage channels. */
export const ChannelDetail = Channel.extend({
  settings: ChannelSettings,
  api_key: z.string().nullable(),
  /** What its messages, readings and rollups take on the disk of PostgreSQL, estimated at that time; null before the first estimate. */
  storage_bytes: z.number().nullable(),
  storage_measured_at: Time.nullable(),
  /** iot-behaviour 2.1: frames that never arrived, by the gaps in the counters of its devices, and when the last gap was seen. */
  lost_frames: z.int(),
  lost_frame_at: Time.nullable(),
  /**
   * Tells whether the connection to the network of the channel fails at the moment, or the network refuses our credentials; null for users who
   * may not manage channels.
   */
  has_network_error: z.boolean().nullable(),
  /** iot-behaviour 3.8: the network refused our credentials for the last command. */
  are_credentials_refused: z.boolean().nullable(),
});
export type ChannelDetail = z.infer<typeof ChannelDetail>;

/**
 * The state of a device: it has a session, it reports as often as usual, it is overdue, or nothing came for three times that long. HTTP and
 * LoRaWAN devices never have a session.
 */
export const DeviceState = z.enum(['connected', 'reporting', 'late', 'silent']);
export type DeviceState = z.infer<typeof DeviceState>;

/** A device as lists and its page show it (D3, design 8). Users who may not manage channels get a masked key. */
export const Device = z.object({
  channel_id: z.string(),
  device_id: z.string(),
  name: z.string(),
  dev_eui: z.string().nullable(),
  api_key: z.string(),
  publish_topic: z.string(),
  subscribe_topic: z.string(),
  online: z.boolean(),
  state: DeviceState,
  last_seen_at: Time.nullable(),
  is_disabled: z.boolean(),
  /** Ours: by which operators filter the list. */
  tags: z.array(z.string()),
  /** Where it is, as far as it or its network has said so. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  created_at: Time,
});
export type Device = z.infer<typeof Device>;

/** One device with the facts of its page: the addresses of its broker are there as far as one is running. */
export const DeviceDetail = Device.extend({
  channel_name: z.string(),
  channel_kind: ChannelKind,
  last_connect_at: Time.nullable(),
  key_rotated_at: Time.nullable(),
  mqtt_address: z.string().nullable(),
  mqtt_tls_address: z.string().nullable(),
  /** Rejected messages of the last seven days; older ones are not kept. */
  rejected_count: z.int(),
  /** iot-behaviour 1.7: how long it counts as online after a message, where somebody has said so; null is learned from its gaps. */
  online_window_seconds: z.int().nullable(),
  /** The values are masked for users who may not manage channels: keys of payloads may be among them. */
  variables: DeviceVariables,
});
export type DeviceDetail = z.infer<typeof DeviceDetail>;

const name = (what: string) => z.string().trim().max(255, `${what} is too long (at most 255 characters).`);
export const deviceName = name('Device name');
/** D5: the name of a channel is optional. */
const channelName = name('Channel name')
  .nullish()
  .transform((given) => given ?? '');
/** The server checks the form of an id and answers in the words of D5. */
const Identifier = z.string('Identifier is required.').trim().max(1000, 'Identifier is too long.');

export const retentionMessage = `Retention must be a whole number of days from 1 to ${longestRetentionDays}: no channel keeps readings for longer than the installation does.`;

export const SettingChanges = z.object({
  auto_create: z.boolean().optional(),
  thingsboard_topics: z.boolean().optional(),
  ack_points: z.boolean().optional(),
  network_id: z.int().positive().max(2_147_483_647).nullish(),
  application_id: z
    .string()
    .trim()
    .max(256, 'Application ID is too long (at most 256 characters).')
    .nullable()
    .transform((given) => (given === '' ? null : given))
    .optional(),
  metadata: z.enum(metadataLevels, 'Metadata must be none, basic or full.').optional(),
  retention_days: z.int(retentionMessage).min(1, retentionMessage).max(longestRetentionDays, retentionMessage).nullish(),
});
export type SettingChanges = z.output<typeof SettingChanges>;

export const NewChannel = z.object({
  channel_id: Identifier,
  channel_name: channelName,
  kind: ChannelKind.default('mqtt'),
  settings: SettingChanges.optional(),
});
export type NewChannel = z.output<typeof NewChannel>;
/** Settings may stand at the top level or under `settings`. */
export const ChannelChanges = SettingChanges.extend({
  settings: SettingChanges.optional(),
  channel_name: channelName.optional(),
  is_disabled: z.boolean().optional(),
});
export type ChannelChanges = z.output<typeof ChannelChanges>;
export const NewDevice = z.object({
  device_id: Identifier,
  device_name: deviceName.min(1, 'Device name is required.'),
  dev_eui: z
    .string()
    .nullish()
    .transform((given, check) => {
      if (given == null || given.trim() === '') return null;
      const eui = readEui(given);
      if (eui === null) check.addIssue({ code: 'custom', message: euiMessage });
      return eui;
    }),
  tags: Tags.optional(),
});
export type NewDevice = z.output<typeof NewDevice>;

/** iot-behaviour 1.7: a minute to thirty days. */
export const onlineWindow = { least: 60, most: 30 * 86_400 } as const;
const onlineWindowMessage = `Online window must be between ${onlineWindow.least} and ${onlineWindow.most} seconds.`;

/** Only what is sent changes. */
export const DeviceChanges = z
  .object({
    device_name: deviceName.min(1, 'Device name is required.'),
    tags: Tags,
    online_window_seconds: z
      .int(onlineWindowMessage)
      .min(onlineWindow.least, onlineWindowMessage)
      .max(onlineWindow.most, onlineWindowMessage)
      .nullable(),
    variables: DeviceVariables,
  })
  .partial();
export type DeviceChanges = z.output<typeof DeviceChanges>;

const anId = z.string().min(1).max(64);
export const ByChannel = z.object({ id: anId });
export const ByDevice = z.object({ id: anId, deviceId: anId });
export type ByDevice = z.output<typeof ByDevice>;

/** design 8: `?kind=mqtt&kind=http`; all kinds without it. */
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

export const DeviceListParams = ArrayListParams.extend({
  state: DeviceState.optional().catch(undefined),
  /** Ours: only those that have a position. */
  placed: z.literal('true').optional().catch(undefined),
});
export type DeviceListParams = z.output<typeof DeviceListParams>;

export const devicesApi = {
  list: endpoint('GET', '/api/channels/:id/devices', {
    needs: 'view_channel',
    params: ByChannel,
    query: DeviceListParams,
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
  save: endpoint('POST', '/api/channels/:id/devices/:deviceId', {
    needs: 'manage_channel',
    params: ByDevice,
    body: DeviceChanges,
    reply: DeviceDetail,
    summary: 'Renames a device, or changes its tags, its online window or its variables.',
  }),
  /** Not below /devices, where every word may be the id of one. */
  tags: endpoint('GET', '/api/channels/:id/device_tags', {
    needs: 'view_channel',
    params: ByChannel,
    reply: TagsReply,
    summary: 'Tags of the devices of a channel, and how many have each.',
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
  query: DeviceListParams,
  reply: page(Device),
  summary: devicesApi.list.summary,
});
