import type { RejectionCode } from '@telltale/domain/uplinks/record.ts';
import type { DeviceTopic } from '@telltale/domain/uplinks/topics.ts';
import type { ChannelEntry, DeviceEntry } from './directory.ts';

export type Source = 'mqtt' | 'http' | 'tts' | 'chirpstack' | 'simulated';

/** A message as a network hands it over, whoever it came from. */
export interface Message {
  device: DeviceEntry;
  topic: string;
  format: Extract<DeviceTopic, { kind: 'up' }>['format'];
  fport: number | null;
  payload: Buffer;
  source: Source;
  /** What MQTT counts messages by; null where nothing can be repeated. */
  packet_id: number | null;
  /** The sender says that it sent this before. */
  isRepeat: boolean;
}

/** A message that is acknowledged and reported, but not stored (iot-behaviour 1.10). */
export interface Refused {
  channel: ChannelEntry;
  device: DeviceEntry | null;
  device_id: string;
  topic: string;
  payload: Buffer;
  code: RejectionCode;
  message: string;
}

/** What became of a message, told after it is on disk. */
export type Outcome =
  | { status: 'stored' | 'partial'; uplink_id: string; points: number; warnings: string[]; errors: string[] }
  | { status: 'duplicate'; uplink_id: string }
  | { status: 'rejected'; uplink_id: string; code: string; message: string }
  /** Not stored and not to be acknowledged: the sender will send it again. */
  | { status: 'unavailable' };

export type RejectionNotice = Refused & { receivedAt: number };

/** Where networks bring what devices say; the house hands it in. */
export interface UplinkSink {
  /** How long the answer has to wait by the rates of device and channel, in milliseconds. */
  delayOf(device: DeviceEntry): number;
  /** For senders that cannot be made to wait: false when this one is too much. */
  hasRoom(device: DeviceEntry): boolean;
  receive(message: Message, done: (outcome: Outcome) => void): void;
  reject(refused: Refused, done: (outcome: Outcome) => void): void;
  /** Told after the rejection is on disk. */
  onRejected(listener: (notice: RejectionNotice) => void): () => void;
}
