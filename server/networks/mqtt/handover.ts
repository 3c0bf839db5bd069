import type { Client } from 'aedes';
import { deliverTo, takeMessageId } from './aedes-internals.ts';

/** `full`: the client said how many it takes at a time. `too_large`: it said that it takes no packet of this size. */
export type Handed = 'sent' | 'gone' | 'silent' | 'full' | 'too_large';

/** Properties of MQTT 5, for clients that speak it. */
export interface DeliveryProperties {
  messageExpiryInterval?: number;
  subscriptionIdentifier?: number;
}

/** A little less than the queue waits for an attempt, so that the queue gets the outcome. */
const timeoutMs = 28_000;
/** What a PUBLISH has beside topic and payload, at most: header, lengths, id, properties. */
const headerBytes = 32;

/** MQTT 5: clients announce the largest packet they accept; larger ones are not sent. */
export const isTooLargeFor = ({ maximumPacketSize }: Client, topic: string, payload: string | Buffer): boolean =>
  maximumPacketSize !== undefined && Buffer.byteLength(topic) + Buffer.byteLength(payload) + headerBytes > maximumPacketSize;

/** Messages that were written to a device and wait for its PUBACK. */
export class Handovers {
  readonly #waiting = new Map<Client, Map<number, (result: Handed) => void>>();

  /** QoS 1: resolves when the device has acknowledged it. QoS 0: when it has been written. */
  send(client: Client, topic: string, payload: string, qos: 0 | 1, properties: DeliveryProperties): Promise<Handed> {
    const version5 = client.version === 5 ? { properties } : {};
    const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos, retain: false, dup: false, ...version5 } as const;
    if (client.closed) return Promise.resolve('gone');
    if (isTooLargeFor(client, topic, payload)) return Promise.resolve('too_large');
    if (qos === 1 && (this.#waiting.get(client)?.size ?? 0) >= client.receiveMaximum) return Promise.resolve('full');
    if (qos === 0) return new Promise((resolve) => deliverTo(client, packet, () => resolve(client.closed ? 'gone' : 'sent')));
    const messageId = takeMessageId(client);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(client) ?? new Map<number, (result: Handed) => void>();
      const timer = setTimeout(() => done('silent'), timeoutMs);
      const done = (result: Handed) => {
        clearTimeout(timer);
        waiting.delete(messageId);
        if (waiting.size === 0) this.#waiting.delete(client);
        resolve(result);
      };
      this.#waiting.set(client, waiting.set(messageId, done));
      deliverTo(client, { ...packet, messageId }, () => {});
    });
  }

  acknowledged(client: Client, messageId: number | undefined): void {
    if (messageId !== undefined) this.#waiting.get(client)?.get(messageId)?.('sent');
  }

  gone(client: Client): void {
    for (const done of [...(this.#waiting.get(client)?.values() ?? [])]) done('gone');
  }
}
