import { Readable } from 'node:stream';
import type { Client } from 'aedes';
import type { Kysely } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import { dropSession, readSubscriptions, type StoredSubscription, writeSubscriptions } from './kept-sessions.ts';

type ClientRef = Pick<Client, 'id'> & { clean?: boolean };
interface PacketRef {
  topic: string;
  messageId?: number;
  brokerId?: string;
  retain?: boolean;
  payload?: Buffer | string;
}

const none = () => Readable.from([]);
/** Sessions with half-done exchanges that are kept while nobody is connected. */
const mostHalfDone = 10_000;

/**
 * What the broker remembers: subscriptions of kept sessions in PostgreSQL, half-done QoS 2 exchanges in memory, and no outgoing
 * messages at all, because commands have a queue of our own (design 8).
 */
export class BrokerMemory {
  readonly #db: Kysely<DB>;
  readonly #subscriptions = new Map<string, Map<string, StoredSubscription['qos']>>();
  readonly #incoming = new Map<string, Map<number, PacketRef>>();
  readonly #wills = new Map<string, PacketRef>();

  constructor(db: Kysely<DB>) {
    this.#db = db;
  }

  async setup(): Promise<void> {}
  async destroy(): Promise<void> {}

  async addSubscriptions({ id }: ClientRef, subscriptions: StoredSubscription[]): Promise<void> {
    const known = this.#subscriptions.get(id) ?? new Map<string, StoredSubscription['qos']>();
    for (const { topic, qos } of subscriptions) known.set(topic, qos);
    await this.#store(id, known);
  }

  async removeSubscriptions({ id }: ClientRef, topics: string[]): Promise<void> {
    const known = this.#subscriptions.get(id);
    if (!known) return;
    for (const topic of topics) known.delete(topic);
    await this.#store(id, known);
  }

  async #store(id: string, known: Map<string, StoredSubscription['qos']>): Promise<void> {
    this.#subscriptions.set(id, known);
    await writeSubscriptions(
      this.#db,
      id,
      [...known].map(([topic, qos]) => ({ topic, qos })),
    );
  }

  async subscriptionsByClient({ id }: ClientRef): Promise<StoredSubscription[]> {
    const stored = await readSubscriptions(this.#db, id);
    this.#subscriptions.set(id, new Map(stored.map(({ topic, qos }) => [topic, qos])));
    return stored;
  }

  /** A clean session forgets what was kept for it. Nobody waits for that: nothing is delivered by it. */
  async cleanSubscriptions({ id }: ClientRef): Promise<void> {
    this.#subscriptions.delete(id);
    dropSession(this.#db, id).catch(() => {});
  }

  /** The connection is gone; the database still knows. */
  forget({ id }: ClientRef): void {
    this.#subscriptions.delete(id);
  }

  async subscriptionsByTopic(): Promise<never[]> {
    return [];
  }

  async countOffline() {
    return { subsCount: 0, clientsCount: 0 };
  }

  async outgoingEnqueue(): Promise<void> {}
  async outgoingEnqueueCombi(): Promise<void> {}
  async outgoingUpdate(): Promise<void> {}
  async outgoingClearMessageId(_client: ClientRef, packet: PacketRef): Promise<PacketRef> {
    return packet;
  }
  outgoingStream = none;

  isIncoming({ id }: ClientRef, messageId: number): boolean {
    return this.#incoming.get(id)?.has(messageId) ?? false;
  }

  async incomingStorePacket({ id }: ClientRef, packet: PacketRef): Promise<void> {
    const known = this.#incoming.get(id) ?? new Map<number, PacketRef>();
    // What is forgotten is recognized by its packet id and bytes, as long as that matters.
    if (this.#incoming.size >= mostHalfDone) this.#incoming.clear();
    // Its contents are stored already; only that it was here matters.
    this.#incoming.set(id, known.set(packet.messageId ?? 0, { topic: packet.topic, messageId: packet.messageId ?? 0 }));
  }

  async incomingGetPacket({ id }: ClientRef, { messageId = 0 }: PacketRef): Promise<PacketRef> {
    const packet = this.#incoming.get(id)?.get(messageId);
    if (!packet) throw new Error('no such packet');
    return packet;
  }

  async incomingDelPacket({ id }: ClientRef, { messageId = 0 }: PacketRef): Promise<void> {
    const known = this.#incoming.get(id);
    known?.delete(messageId);
    if (known?.size === 0) this.#incoming.delete(id);
  }

  async cleanIncoming({ id }: ClientRef): Promise<void> {
    this.#incoming.delete(id);
  }

  /** iot-behaviour 1.7: only states are retained, for those who look on, and those are in the tables (onlookers.ts). */
  async storeRetained(): Promise<void> {}
  createRetainedStream = none;
  createRetainedStreamCombi = none;

  async putWill({ id }: ClientRef, packet: PacketRef): Promise<void> {
    this.#wills.set(id, packet);
  }

  async getWill({ id }: ClientRef): Promise<PacketRef | undefined> {
    return this.#wills.get(id);
  }

  async delWill({ id }: ClientRef): Promise<void> {
    this.#wills.delete(id);
  }

  /** Those of this process only: a broker that died took its connections along, and presence says so. */
  streamWill = none;
  getClientList = none;
}

export function isMatch(topic: string, filter: string): boolean {
  const [levels, wanted] = [topic.split('/'), filter.split('/')];
  for (const [place, level] of wanted.entries()) {
    if (level === '#') return true;
    if (place >= levels.length || (level !== '+' && level !== levels[place])) return false;
  }
  return levels.length === wanted.length;
}
