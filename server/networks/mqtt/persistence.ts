import { Readable } from 'node:stream';
import type { Client } from 'aedes';
import type { Kysely } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import {
  dropExcessSessions,
  dropSession,
  keepSession,
  readSubscriptions,
  type StoredSubscription,
  writeSubscriptions,
} from './kept-sessions.ts';
import { isPlaceholder } from './set-aside.ts';

type ClientRef = Pick<Client, 'id'> & { clean?: boolean };
interface PacketRef {
  topic: string;
  messageId?: number;
  brokerId?: string;
  retain?: boolean;
  payload?: Buffer | string;
}

const none = () => Readable.from([]);
/** Sessions with half-done exchanges that are kept while their client is disconnected. */
const mostHalfDone = 10_000;
/** The limit of exchanges in one session: a client has far fewer under way. */
const mostHalfDoneOfOne = 1000;

/**
 * The broker's persistence: subscriptions of kept sessions in PostgreSQL, half-done QoS 2 exchanges in memory, and no outgoing messages at
 * all, because commands have a queue of our own (design 8).
 */
export class BrokerMemory {
  readonly #db: Kysely<DB>;
  readonly #subscriptions = new Map<string, Map<string, StoredSubscription>>();
  readonly #incoming = new Map<string, Map<number, PacketRef>>();
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #wills = new Map<string, PacketRef>();

  readonly #keptSessions: number;
  /** Called when older sessions of the same key were dropped for this one. */
  readonly #onExcess: (client: ClientRef, count: number) => void;

  constructor(db: Kysely<DB>, keptSessions = 0, onExcess: (client: ClientRef, count: number) => void = () => {}) {
    this.#db = db;
    this.#keptSessions = keptSessions;
    this.#onExcess = onExcess;
  }

  async setup(): Promise<void> {}
  async destroy(): Promise<void> {}

  async addSubscriptions(client: ClientRef, subscriptions: StoredSubscription[]): Promise<void> {
    const { id } = client;
    const isNew = (this.#subscriptions.get(id)?.size ?? 0) === 0;
    const known = this.#subscriptions.get(id) ?? new Map<string, StoredSubscription>();
    for (const { topic, qos, nl, rap, rh, subscriptionIdentifier } of subscriptions)
      if (!isPlaceholder(topic)) known.set(topic, { topic, qos, nl, rap, rh, subscriptionIdentifier });
    this.#subscriptions.set(id, known);
    await this.#ending.get(id)?.catch(() => {});
    await this.#store(id, known);
    const excess = isNew ? await dropExcessSessions(this.#db, id, this.#keptSessions) : 0;
    if (excess > 0) this.#onExcess(client, excess);
  }

  async removeSubscriptions({ id }: ClientRef, topics: string[]): Promise<void> {
    const known = this.#subscriptions.get(id);
    if (!known) return;
    for (const topic of topics) known.delete(topic);
    await this.#store(id, known);
  }

  async #store(id: string, known: Map<string, StoredSubscription>): Promise<void> {
    this.#subscriptions.set(id, known);
    await writeSubscriptions(this.#db, id, [...known.values()]);
  }

  /** A session of MQTT 5 whose client is gone: kept for the seconds that it asked for. */
  async endSession({ id }: ClientRef, seconds: number): Promise<void> {
    await this.#end(id, seconds > 0 ? keepSession(this.#db, id, seconds) : dropSession(this.#db, id));
  }

  /** Later operations on this session wait until it has ended. */
  async #end(id: string, ending: Promise<unknown>): Promise<void> {
    this.#ending.set(id, ending);
    try {
      await ending;
    } finally {
      if (this.#ending.get(id) === ending) this.#ending.delete(id);
    }
  }

  async subscriptionsByClient({ id }: ClientRef): Promise<StoredSubscription[]> {
    // A client that reconnects at once waits until its last session is stored.
    await this.#ending.get(id)?.catch(() => {});
    const stored = await readSubscriptions(this.#db, id);
    this.#subscriptions.set(id, new Map(stored.map((each) => [each.topic, each])));
    return stored;
  }

  /** A clean session drops the kept one. The deletion is not awaited, because nothing is delivered from it. */
  async cleanSubscriptions({ id }: ClientRef): Promise<void> {
    this.#subscriptions.delete(id);
    this.#end(id, dropSession(this.#db, id)).catch(() => {});
  }

  /** Drops the memory of a closed connection; the database keeps the session. */
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
    // A dropped exchange is still recognised by its packet id and bytes, as long as that matters.
    if (this.#incoming.size >= mostHalfDone) this.#incoming.clear();
    if (known.size >= mostHalfDoneOfOne) known.clear();
    // The contents are stored already; only the packet id matters.
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

  /** iot-behaviour 1.7: only states are retained, for userSubscribers, and those are in the tables (user-subscribers.ts). */
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

  /** Wills live in this process only: a broker that died took its connections along, and presence says so. */
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
