import type { HeardBy, Radio } from '@telltale/domain/lorawan/radio.ts';
import type { DownlinkEventKind } from './downlinks.ts';
import type { Source } from './uplink-sink.ts';

/** An end device as its network names it. */
export interface EndDevice {
  /** The network's own id; null where it knows devices by their EUI alone. */
  device_id: string | null;
  /** Lower-case hex. */
  dev_eui: string | null;
  name: string | null;
  application_id: string | null;
}

interface NetworkMessage {
  end_device: EndDevice;
  source: Source;
}

/** iot-behaviour 2.5, whichever network it came from. Times are microseconds since 1970. */
export interface UplinkEvent extends NetworkMessage {
  kind: 'uplink';
  /** The time of reception. */
  at: number | null;
  fport: number | null;
  fcnt: number | null;
  /** The session that the frame counter belongs to. */
  session: string | null;
  message_id: string | null;
  confirmed: boolean;
  bytes: Buffer;
  object: Record<string, unknown> | null;
  warnings: string[];
  radio: Radio;
  heard_by: HeardBy[];
  per: number | null;
  battery: number | null;
  /** Further facts worth keeping, by name. */
  more: Record<string, unknown>;
}

/** A report on a downlink (iot-behaviour 2.8). */
export interface DownlinkReport extends NetworkMessage {
  kind: 'downlink';
  /** The network's own word: `sent`, `txack`, `ack` … */
  event: string;
  state: DownlinkEventKind;
  /** Our own id, as it was sent along; null for foreign downlinks, and for events about a whole queue. */
  attempt_id: string | null;
  fcnt: number | null;
  /** How often the network has transmitted it. */
  attempt: number | null;
  /** With `nacked`: the network sends the downlink again by itself. */
  will_repeat: boolean;
  reason: string | null;
  at: number | null;
  raw: unknown;
}

/** Any other report of a network about a device: shown in its message log. */
export interface DeviceEvent extends NetworkMessage {
  kind: 'join' | 'status' | 'location' | 'log' | 'other';
  event: string;
  level: 'info' | 'warning' | 'error';
  message: string;
  /** Two reports of the same event have the same key. */
  key: string | null;
  at: number | null;
  /** The session of a join. */
  session?: string | null;
  /** With a join: the network drops the downlinks that waited for the device, without an event for each. */
  isQueueLost?: boolean;
  margin?: number | null;
  battery?: number | null;
  position?: { latitude: number; longitude: number } | null;
  raw: unknown;
}

export type NetworkEvent = UplinkEvent | DownlinkReport | DeviceEvent;

/** A message that no version of the network sends: acknowledged and reported, never retried (iot-behaviour 0.2.2). */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
