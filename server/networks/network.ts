import type { FieldSet } from '@telltale/domain/forms/fields.ts';
import type { NetworkType } from '@telltale/domain/networks/contract.ts';
import type { z } from 'zod';
import type { OutgoingHttp } from '../platform/outgoing.ts';
import type { Downlink } from './downlinks.ts';
import type { MqttSettings } from './mqtt-link.ts';
import type { EndDevice, NetworkEvent } from './network-event.ts';

/** A message of a network as it came: over MQTT with its topic, by webhook with its path and the event it names. */
interface Received {
  topic: string | null;
  event: string | null;
  body: Buffer;
}

/** One step of handing over a downlink, made in order. */
export type DownlinkStep =
  | { via: 'mqtt'; topic: string; body: string }
  | { via: 'http'; method: 'POST' | 'DELETE'; url: string; headers: Record<string, string>; body: string | null }
  /** Into the queue of the simulated network. */
  | { via: 'queue'; mode: Downlink['mode']; item: Omit<QueuedDownlink, 'attempts'> | null };

/** An address for downlinks that a webhook request named; its key is used for this address only. */
export interface WebhookReturn {
  /** The address before `/devices/…`. */
  base_url: string;
  api_key: string | null;
}

/** The environment of kinds that run by themselves, such as the simulated network. */
export interface NetworkEnv {
  network_id: number;
  http: OutgoingHttp;
  /** Resolves when the events are on disk. */
  receive(events: NetworkEvent[]): Promise<void>;
  queue: SimulatedQueue;
}

/** Downlinks that wait in a network of our own, on disk as a real network server keeps them. */
export interface SimulatedQueue {
  list(): Promise<QueuedDownlink[]>;
  remove(attempt_id: string): Promise<void>;
  retry(attempt_id: string): Promise<void>;
}

export interface QueuedDownlink {
  attempt_id: string;
  device_id: string;
  fport: number;
  bytes: Buffer;
  confirmed: boolean;
  /** Transmissions so far. */
  attempts: number;
  most_attempts: number;
}

export interface RunningNetwork {
  stop(): Promise<void>;
}

interface NetworkWebhook {
  /** A sentence for people who set it up at the network. */
  hint: string;
  /** The longest wait of an answer for the message to be processed; the message is on disk before that. */
  answerWithinMs: number;
}

export interface NetworkKind<O = unknown> {
  type: NetworkType;
  name: string;
  options: FieldSet;
  /** For each secret, the options that say where it is sent: when one of them changes, the secret has to be typed again. */
  secretGoesTo: Record<string, readonly string[]>;
  /** Undefined for networks that do not post. */
  webhook?: NetworkWebhook;
  /** The quality of service of downlinks on its broker. */
  publishQos: 0 | 1;
  /** Whether the network only logs a downlink that it refuses over MQTT, without an event (iot-behaviour 3.8). */
  isSilentOverMqtt: boolean;
  /** Its broker; undefined for networks with webhooks only. */
  broker(options: O, client_id: string): MqttSettings | undefined;
  read(received: Received, options: O): NetworkEvent[];
  /** The steps of a downlink, or a text that says why it is impossible. */
  downlink(options: O, device: EndDevice, downlink: Downlink, way: WebhookReturn | undefined): DownlinkStep[] | string;
  /** The steps that empty the queue of a device, or a text that says why it is impossible. */
  clear(options: O, device: EndDevice, way: WebhookReturn | undefined): DownlinkStep[] | string;
  /** The reason why a replacing command could never be sent. */
  replaceFault(options: O): string | undefined;
  /** Tests parts beside the broker: an API. */
  test?(options: O, http: OutgoingHttp, signal: AbortSignal): Promise<string | undefined>;
  /** Runs the network itself, where it is simulated. */
  run?(options: O, env: NetworkEnv): RunningNetwork;
}

type Parts<S extends FieldSet> = Pick<NetworkKind, 'type' | 'name'> & { options: S } & Partial<
    Pick<
      NetworkKind<z.output<S>>,
      'secretGoesTo' | 'webhook' | 'publishQos' | 'isSilentOverMqtt' | 'broker' | 'downlink' | 'clear' | 'replaceFault' | 'test' | 'run'
    >
  > &
  Pick<NetworkKind<z.output<S>>, 'read'>;

const takesNone = 'This network takes no downlinks.';

/** Parses saved options, so that a kind only sees options it declared and the list needs no `any`. */
export function defineNetwork<S extends FieldSet>(parts: Parts<S>): NetworkKind {
  const parsed = (options: unknown) => parts.options.parse(options) as z.output<S>;
  const { type, name, options, secretGoesTo = {}, webhook, publishQos = 1, isSilentOverMqtt = false } = parts;
  const { broker, read, downlink, clear, replaceFault, test, run } = parts;
  return {
    type,
    name,
    options,
    secretGoesTo,
    publishQos,
    isSilentOverMqtt,
    ...(webhook && { webhook }),
    broker: (saved, client_id) => broker?.(parsed(saved), client_id),
    read: (received, saved) => read(received, parsed(saved)),
    downlink: (saved, device, sent, way) => downlink?.(parsed(saved), device, sent, way) ?? takesNone,
    clear: (saved, device, way) => clear?.(parsed(saved), device, way) ?? takesNone,
    replaceFault: (saved) => replaceFault?.(parsed(saved)),
    ...(test && { test: (saved, http, signal) => test(parsed(saved), http, signal) }),
    ...(run && { run: (saved, env) => run(parsed(saved), env) }),
  };
}
