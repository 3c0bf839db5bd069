import type { ChannelKind } from '@telltale/domain/channels/contract.ts';
import type { NetworkFacts } from '@telltale/domain/lorawan/network-uplink.ts';
import type { RejectionCode } from '@telltale/domain/uplinks/record.ts';
import type { DeviceTopic } from '@telltale/domain/uplinks/topics.ts';
import type { ChannelEntry, DeviceEntry } from './directory.ts';

export type Source = ChannelKind;

/** Every network hands its messages over in this form. */
export interface Message {
  device: DeviceEntry;
  topic: string;
  format: Extract<DeviceTopic, { kind: 'up' }>['format'];
  fport: number | null;
  payload: Buffer;
  source: Source;
  /** The MQTT packet id; null where messages cannot be repeated. */
  packet_id: number | null;
  /** The sender marks the message as a repetition. */
  isRepeat: boolean;
  /** Facts that a network reports beside the bytes. */
  network?: NetworkFacts;
  /** What a client of MQTT 5 sent along; kept with the message. */
  userProperties?: Record<string, string | string[]>;
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

/** The outcome of a message, reported after it is on disk. */
export type Outcome =
  | { status: 'stored' | 'partial'; uplink_id: string; points: number; warnings: string[]; errors: string[] }
  | { status: 'duplicate'; uplink_id: string }
  | { status: 'rejected'; uplink_id: string; code: string; message: string }
  /** The message is neither stored nor acknowledged: the sender will send it again. */
  | { status: 'unavailable' };

export type RejectionNotice = Refused & { receivedAt: number };

/** Takes the uplinks of all networks; handed in by app.ts and the roles. */
export interface UplinkSink {
  /** The delay of the answer by the rates of device and channel, in milliseconds. */
  delayOf(device: DeviceEntry): number;
  /** The check for senders that cannot be made to wait: false when the rate is exceeded by what came until `cameAt`, else until now. */
  hasRoom(device: DeviceEntry, cameAt?: number): boolean;
  /** Called when a device connects, before its first message. */
  catchUp(device: DeviceEntry): Promise<void>;
  receive(message: Message, done: (outcome: Outcome) => void): void;
  reject(refused: Refused, done: (outcome: Outcome) => void): void;
  /** Calls the listener after the rejection is on disk. */
  onRejected(listener: (notice: RejectionNotice) => void): () => void;
}
