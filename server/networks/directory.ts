import type { ChannelKind } from '@telltale/domain/channels/contract.ts';
import type { MetadataLevel } from '@telltale/domain/lorawan/radio.ts';
import type { DeviceKeyRecord } from './device-key.ts';

/** A channel, as the networks and endpoints for devices need it; handed in by app.ts and the roles. */
export interface ChannelEntry {
  pk: number;
  channel_id: string;
  channel_name: string;
  kind: ChannelKind;
  isDisabled: boolean;
  /** iot-behaviour 1.10: a gateway may name devices that do not exist yet. */
  auto_create: boolean;
  /** iot-behaviour 1.3: firmware made for ThingsBoard works unchanged. */
  thingsboard_topics: boolean;
  /** iot-behaviour 3.3: answers of devices to commands become points. */
  ack_points: boolean;
  /** The network it is bound to, and which of its applications (iot-behaviour 2); both null for devices that report by themselves. */
  network_id: number | null;
  application_id: string | null;
  metadata: MetadataLevel;
}

export interface DeviceEntry {
  pk: number;
  device_id: string;
  device_name: string;
  dev_eui: string | null;
  isDisabled: boolean;
  /** iot-behaviour 4.1: what the decoder of its channel gets with each message. */
  variables: Record<string, string>;
  channel: ChannelEntry;
}

/** The owner of a key, and the hash that the secret part of the key must match. */
export type KeyHolder = Pick<DeviceKeyRecord, 'key_hash'> &
  ({ kind: 'device'; device: DeviceEntry } | { kind: 'channel'; channel: ChannelEntry });

/** A changed row. `all` means that notifications were missed, so every cached entry may be stale. */
export type DirectoryChange = { kind: 'channel' | 'device'; pk: number } | { kind: 'all' };

/**
 * Cached channels and devices. An entry is dropped when its row changes (triggers of migration 0008 notify) and read again at the next
 * request. Deleted ones are absent; disabled ones say so.
 */
export interface DeviceDirectory {
  /** Finds the owner of a key by the first 12 characters of the key. */
  findByLookupId(lookupId: string): Promise<KeyHolder | undefined>;
  findChannel(channelId: string): Promise<ChannelEntry | undefined>;
  findDevice(channelId: string, deviceId: string): Promise<DeviceEntry | undefined>;
  /** A device from the cache only, without awaiting anything: saves a turn of the event loop. */
  knownDevice(channelId: string, deviceId: string): DeviceEntry | undefined;
  /** A device that a gateway names for the first time, where its channel allows that. */
  createDevice(
    channel: ChannelEntry,
    deviceId: string,
    more?: { device_name?: string; dev_eui?: string | null },
  ): Promise<DeviceEntry | undefined>;
  /** The channel has reached its limit, so that automatic creation failed a moment ago. */
  isFull(channelPk: number): boolean;
  /** Finds a device by the hex digits of its EUI. */
  findDeviceByEui(channelId: string, devEui: string): Promise<DeviceEntry | undefined>;
  /** The channels that are bound to a network. */
  findNetworkChannels(networkId: number): Promise<readonly ChannelEntry[]>;
  /** Calls the listener after changed entries were dropped from the cache: sessions of deleted keys are closed by this. */
  onChange(listener: (change: DirectoryChange) => void): () => void;
}

/** The notification that the triggers send: `channel 12` or `device 34`. */
export const directoryNotification = 'telltale_directory';
