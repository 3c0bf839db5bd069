import type { DeviceKeyRecord } from './device-key.ts';

/** What the doors to devices need to know of channels and devices; the house hands it in (app.ts, roles). */
export interface ChannelEntry {
  pk: number;
  channel_id: string;
  channel_name: string;
  kind: 'mqtt' | 'http' | 'tts' | 'chirpstack';
  isDisabled: boolean;
  /** iot-behaviour 1.10: a gateway may name devices that do not exist yet. */
  auto_create: boolean;
  /** iot-behaviour 1.3: firmware made for ThingsBoard works unchanged. */
  thingsboard_topics: boolean;
}

export interface DeviceEntry {
  pk: number;
  device_id: string;
  device_name: string;
  dev_eui: string | null;
  isDisabled: boolean;
  channel: ChannelEntry;
}

/** Whom a key belongs to, and what the rest of it must hash to. */
export type KeyHolder = Pick<DeviceKeyRecord, 'key_hash'> &
  ({ kind: 'device'; device: DeviceEntry } | { kind: 'channel'; channel: ChannelEntry });

/** What somebody changed. `all` when notifications were missed: whatever is remembered may be old. */
export type DirectoryChange = { kind: 'channel' | 'device'; pk: number } | { kind: 'all' };

/**
 * Channels and devices, remembered for a while and forgotten when their rows change (triggers of migration 0008 notify;
 * what is asked for next is read from the database again). Deleted ones are not there; disabled ones say so.
 */
export interface DeviceDirectory {
  /** By the first 12 characters of an api key. */
  findByLookupId(lookupId: string): Promise<KeyHolder | undefined>;
  findChannel(channelId: string): Promise<ChannelEntry | undefined>;
  findDevice(channelId: string, deviceId: string): Promise<DeviceEntry | undefined>;
  /** As far as it is remembered: a device that is known costs nobody a turn of the event loop. */
  knownDevice(channelId: string, deviceId: string): DeviceEntry | undefined;
  /** A device that a gateway names for the first time, where its channel allows that. */
  createDevice(channel: ChannelEntry, deviceId: string): Promise<DeviceEntry | undefined>;
  /** Called after the memory has let go of what changed: sessions of keys that are gone are closed by this. */
  onChange(listener: (change: DirectoryChange) => void): () => void;
}

/** The notification that the triggers send: `channel 12` or `device 34`. */
export const directoryNotification = 'telltale_directory';
