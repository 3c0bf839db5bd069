import type { Point, Refusal } from '@telltale/domain/uplinks/record.ts';
import type { ChannelEntry, DeviceEntry } from './directory.ts';

/** The bytes of a command, or the object that the network has to encode itself. */
type DownlinkPayload =
  /** The payload was a JSON object. `bytes` are what the channel's encoder made of it; without an encoder they are its JSON text. */
  | { encoding: 'json'; value: Record<string, unknown>; bytes: Buffer; isEncoded: boolean }
  | { encoding: 'hex' | 'base64' | 'text'; bytes: Buffer };

/** One transmission of a command to one device. */
export interface Downlink {
  /** 26 characters, new for each attempt: networks report about it by this (`cmd:{attempt_id}`, `queueItemId`, `id`). */
  attempt_id: string;
  /** Counts from 1. */
  attempt: number;
  /** The name of the command. */
  command: string;
  fport: number;
  /** Only a first attempt may be `replace`: the commands that waited in our own queue are removed already (iot-behaviour 3.2). */
  mode: 'push' | 'replace';
  confirm: boolean;
  payload: DownlinkPayload;
  /** How often a network may repeat a confirmed downlink by itself (iot-behaviour 3.5.7). */
  network_attempts: number;
  /** Milliseconds since 1970. */
  created: number;
  expires: number;
}

/**
 * The outcome of a handover. `sent`: the device or its gateway has it. `queued`: the network keeps it and reports on it. `later`: not
 * possible now (device or network away, rate limit); the attempt does not count and is made again when the device is reachable, or after
 * `afterMs`. `failed`: this attempt can never succeed.
 */
export type SendResult =
  | { status: 'sent' | 'queued'; raw?: unknown }
  | { status: 'later'; reason: string; afterMs?: number }
  | { status: 'failed'; reason: string; raw?: unknown };

/** A network as commands see it. One per kind of channel in each process that can reach its devices. */
export interface DownlinkCarrier {
  readonly kinds: readonly ChannelEntry['kind'][];
  /** Whether this process can hand something over to the device now. */
  reaches(device: Pick<DeviceEntry, 'pk' | 'device_id' | 'channel'>): boolean;
  send(device: DeviceEntry, downlink: Downlink): Promise<SendResult>;
  /** Removes attempts from the network's queue, as far as that is possible: they were cancelled, replaced or have expired. */
  withdraw?(device: DeviceEntry, attemptIds: readonly string[]): Promise<void>;
  /**
   * Calls the listener with a device that has become reachable, and since when (earlier handovers went to a connection that is gone), or
   * with `all` when a network is back.
   */
  onReachable(listener: (devicePk: number | 'all', since?: Date) => void): () => void;
}

/** iot-behaviour 2.8 and 3.4. `requeued`: the session is new and the downlink has to be queued again; the delivery is `queued` again. */
export type DownlinkEventKind = 'queued' | 'sent' | 'acknowledged' | 'nacked' | 'failed' | 'requeued';

/** A network's report about an attempt. A repeated or late event changes nothing. */
export interface DownlinkEvent {
  attempt_id: string;
  kind: DownlinkEventKind;
  /** A short code such as `network_auth` or `DOWNLINK_PAYLOAD_SIZE`. */
  reason?: string;
  /** With `nacked`: the network repeats the downlink by itself, so we make no further attempt yet. */
  will_repeat?: boolean;
  /** With `requeued`: the network has dropped the downlink; unless it was sent meanwhile, we hand it over again. */
  is_lost?: boolean;
  /** The event as it came, for the log. */
  raw?: unknown;
}

/** Takes reports of networks from any process; handed in by app.ts and the roles. Resolves when they are on disk. */
export type ReportDownlinks = (events: readonly DownlinkEvent[]) => Promise<void>;

/** Serves commands to the HTTP twin and takes the answers; handed in by app.ts and the roles. */
export interface HttpDownlinks {
  /** The oldest command that waits for the device, or undefined after the wait. It counts as handed over. */
  next(device: DeviceEntry, waitMs: number, signal: AbortSignal): Promise<object | undefined>;
  /** Takes a device's answer to a command; returns the refusal when it cannot be read. */
  answer(
    device: DeviceEntry,
    payload: Buffer,
    notePoints: (device: DeviceEntry, points: Point[]) => Promise<void>,
  ): Promise<Refusal | undefined>;
  stop(): Promise<void>;
}
