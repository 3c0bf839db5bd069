import { subscribeTopic } from '@telltale/domain/uplinks/topics.ts';
import type { Client } from 'aedes';
import type { DeviceEntry } from '../directory.ts';
import { grantedTo } from './aedes-internals.ts';
import { type DeliveryProperties, type Handed, Handovers } from './handover.ts';
import { isMatch } from './persistence.ts';
import type { Sessions } from './sessions.ts';

/** iot-behaviour 3.3: a device that has just subscribed gets ready first. */
const settleMs = 500;

/** The parts of a device that decide which connections receive its commands. */
export type Listening = Pick<DeviceEntry, 'pk' | 'device_id' | 'channel'>;
/** Called when a device, or all devices of a gateway, can be sent commands. */
export type OnListening = (devicePk: number | 'all', since: Date) => void;

/** Connections that subscribed to commands, and the handing over to them. */
export class CommandListeners {
  readonly #sessions: Sessions;
  readonly #handovers = new Handovers();
  readonly #told = new Set<OnListening>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  onListening(tell: OnListening): () => void {
    this.#told.add(tell);
    return () => this.#told.delete(tell);
  }

  /** Whether a command can be handed over: the device itself listens, or a gateway of its channel does. */
  has(device: Listening): boolean {
    return this.#find(device) !== undefined;
  }

  /** Hands a command over; resolves when the device has acknowledged it, has gone, or has said nothing for long. */
  hand(device: DeviceEntry, message: string, expires: number): Promise<Handed> {
    const listener = this.#find(device);
    if (!listener) return Promise.resolve('gone');
    const { client, qos, properties } = listener;
    const messageExpiryInterval = Math.max(1, Math.ceil((expires - Date.now()) / 1000));
    const topic = subscribeTopic(device.channel.channel_id, device.device_id);
    return this.#handovers.send(client, topic, message, qos, { ...properties, messageExpiryInterval });
  }

  acknowledged(client: Client, messageId: number | undefined): void {
    this.#handovers.acknowledged(client, messageId);
  }

  gone(client: Client): void {
    this.#handovers.gone(client);
  }

  /** Looks at the subscriptions of a client anew: after each of them, and at the start for those of a kept session. */
  look(client: Client): void {
    const session = this.#sessions.of(client);
    if (!session || session.principal.kind === 'user' || client.closed) return;
    const { principal } = session;
    if (!Object.keys(grantedTo(client)).some((filter) => /\/(down|\+|#)$/.test(filter))) return;
    const since = Date.now();
    const reachable = principal.kind === 'device' ? principal.device.pk : 'all';
    setTimeout(() => {
      if (client.closed) return;
      // Both happen in one turn: nothing is sent to the session before its waiting commands have been made due.
      session.isListening = true;
      for (const tell of this.#told) tell(reachable, new Date(since));
    }, settleMs).unref();
  }

  /** The newest connection that subscribed to the topic of its commands; its own before a gateway's. */
  #find({ pk, device_id, channel }: Listening): { client: Client; qos: 0 | 1; properties: DeliveryProperties } | undefined {
    const topic = subscribeTopic(channel.channel_id, device_id);
    const sessions = [...this.#sessions.ofChannel(channel.pk), ...this.#sessions.ofDevice(pk)];
    for (const { client, isListening } of sessions.reverse()) {
      if (client.closed || !isListening) continue;
      const granted = Object.entries(grantedTo(client)).filter(([filter]) => isMatch(topic, filter));
      if (granted.length === 0) continue;
      const identifier = granted.find(([, { si }]) => si !== undefined)?.[1].si;
      const properties = identifier === undefined ? {} : { subscriptionIdentifier: identifier };
      return { client, qos: granted.some(([, { qos }]) => qos > 0) ? 1 : 0, properties };
    }
    return undefined;
  }
}
