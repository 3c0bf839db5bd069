import { setTimeout as delay } from 'node:timers/promises';
import type { Refusal } from '@telltale/domain/uplinks/record.ts';
import { type DeviceTopic, mayPublish } from '@telltale/domain/uplinks/topics.ts';
import type { Kysely } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import { holdLease, releaseLeases } from '../../platform/jobs/lease.ts';
import type { Logger } from '../../platform/log.ts';
import type { BrokerAddress } from '../address.ts';
import { admission } from '../admission.ts';
import type { ChannelEntry, DeviceDirectory, DeviceEntry } from '../directory.ts';
import type { Presence } from '../mqtt/presence.ts';
import { LinkRefused, MqttLink, type OnMessage } from '../mqtt-link.ts';
import { RejectionReports } from '../rejection-reports.ts';
import type { Outcome, UplinkSink } from '../uplink-sink.ts';
import { countIngestProcesses } from './broker-links.store.ts';

export interface ExternalBrokerSettings {
  address: BrokerAddress;
  username: string | undefined;
  password: string | undefined;
  /** False for brokers without shared subscriptions: then one connection takes everything. */
  isShared: boolean;
}

export interface ExternalBrokerParts {
  processId: string;
  db: Kysely<DB>;
  directory: DeviceDirectory;
  uplinks: UplinkSink;
  presence: Pick<Presence, 'state'>;
  onAck(device: DeviceEntry, payload: Buffer): Promise<Refusal | undefined>;
  log: Logger;
  tickMs?: number;
}

/**
 * The number of connections of all ingest processes together; each is held by one process. The number is fixed: a broker would go on
 * collecting messages for the session of a connection that is never opened again.
 */
const connections = 4;
const leaseSeconds = 15;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const group = '$share/telltale/';
const filters = ['v1/+/devices/+/up/#', 'v1/+/devices/+/state', 'v1/+/devices/+/ack'];

/** One connection to the broker, and the session that the broker keeps for it. */
interface Slot {
  link: MqttLink | undefined;
  isOpening: boolean;
  until: number;
  retryAt: number;
  pauseMs: number;
}

/**
 * Connects to an external broker of the installation (iot-behaviour 1.13): Mosquitto, EMQX, NATS. The broker decides who may publish where;
 * we subscribe, and acknowledge each message after its commit. Each connection has a lasting session under a fixed name and is held by one
 * process at a time; the process that takes over a connection gets all messages that the dead one had not acknowledged.
 */
export class ExternalBroker {
  readonly #settings: ExternalBrokerSettings;
  readonly #parts: ExternalBrokerParts;
  readonly #slots: Slot[];
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  readonly #stopRejections: () => void;
  #work: Promise<void> = Promise.resolve();
  #isStopped = false;
  lastError: string | undefined;

  constructor(settings: ExternalBrokerSettings, parts: ExternalBrokerParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#slots = Array.from({ length: settings.isShared ? connections : 1 }, () => ({
      ...{ link: undefined, isOpening: false, until: 0 },
      ...{ retryAt: 0, pauseMs: firstPauseMs },
    }));
    const reports = new RejectionReports((topic, payload) => void this.publish(topic, payload, 0).catch(() => {}));
    this.#stopRejections = parts.uplinks.onRejected((notice) => reports.report(notice));
    this.#timer = setInterval(() => this.#look(), parts.tickMs ?? 2000);
    this.#look();
  }

  get connections(): number {
    return this.#slots.filter(({ link }) => link).length;
  }

  /** Resolves when the broker has acknowledged it. */
  async publish(topic: string, payload: string, qos: 0 | 1): Promise<void> {
    const link = this.#slots.find((slot) => slot.link)?.link;
    if (!link) throw new Error('The broker is not connected.');
    await link.publish(topic, payload, qos);
  }

  onConnected(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #look(): void {
    this.#work = this.#work
      .then(() => (this.#isStopped ? undefined : this.#tick()))
      .catch((error: Error) => this.#parts.log.warn({ err: error.message }, 'connections to the broker could not be looked at'));
  }

  async #tick(): Promise<void> {
    const { db, processId } = this.#parts;
    const share = Math.ceil(this.#slots.length / Math.max(1, await countIngestProcesses(db)));
    let held = 0;
    for (const [at, slot] of this.#slots.entries()) {
      const name = `broker-link:${at}`;
      // A lease that could not be renewed in time may belong to another process by now.
      if (slot.until < Date.now()) drop(slot);
      if (held === share && slot.until > 0) {
        drop(slot);
        slot.until = 0;
        await releaseLeases(db, processId, name);
      }
      const until = Date.now() + leaseSeconds * 1000;
      if (held === share || !(await holdLease(db, name, processId, leaseSeconds))) {
        drop(slot);
        slot.until = 0;
        continue;
      }
      held++;
      slot.until = until;
      if (!slot.link && !slot.isOpening && slot.retryAt <= Date.now()) void this.#open(slot, at);
    }
  }

  async #open(slot: Slot, at: number): Promise<void> {
    const { log } = this.#parts;
    const { address, username, password, isShared } = this.#settings;
    slot.isOpening = true;
    try {
      const subscriptions = filters.map((filter) => (isShared ? `${group}${filter}` : filter));
      const session = { client_id: isShared ? `telltale-${at}` : 'telltale', keepsSession: true, subscriptions, qos: 1 } as const;
      const link = await MqttLink.open({ address, username, password, ...session }, (message) => this.#take(message));
      Object.assign(slot, { link, pauseMs: firstPauseMs });
      this.lastError = undefined;
      for (const tell of this.#listeners) tell();
      void link.closed.then((reason) => this.#lost(slot, link, reason));
      if (this.#isStopped) drop(slot);
    } catch (error) {
      this.#pause(slot, error as Error);
      const isRefused = error instanceof LinkRefused;
      log.warn({ err: (error as Error).message, refused: isRefused }, 'the broker of MQTT_URL cannot be used');
    } finally {
      slot.isOpening = false;
    }
  }

  #lost(slot: Slot, link: MqttLink, reason: Error): void {
    if (slot.link !== link) return;
    slot.link = undefined;
    if (!this.#isStopped) this.#pause(slot, reason);
  }

  #pause(slot: Slot, reason: Error): void {
    this.lastError = reason.message;
    slot.retryAt = Date.now() + slot.pauseMs * (0.5 + Math.random() / 2);
    slot.pauseMs = Math.min(slot.pauseMs * 2, longestPauseMs);
  }

  /** A rejection of this promise closes the connection without an acknowledgement: the broker sends the message again. */
  async #take({ topic, payload, isRepeat, qos, messageId }: Parameters<OnMessage>[0]): Promise<void> {
    const { directory, uplinks, presence, onAck, log } = this.#parts;
    const channel = await directory.findChannel(topic.split('/')[1] ?? '');
    const meaning = channel && mayPublish(topic, { channel_id: channel.channel_id, device_id: null, thingsboard_topics: false });
    if (!channel || !meaning) {
      log.warn({ topic: topic.slice(0, 256) }, 'a message of the broker belongs to no channel');
      return;
    }
    const found = await this.#deviceOf(channel, meaning);
    const refuse = ({ code, message }: Refusal) =>
      settled((done) =>
        uplinks.reject({ channel, device: found ?? null, device_id: meaning.device_id, topic, payload, code, message }, done),
      );
    const admitted = admission(this.#parts, { channel, device: found, device_id: meaning.device_id, canWait: qos > 0 });
    if (admitted.refusal) return refuse(admitted.refusal);
    const { device, waitMs } = admitted;
    if (meaning.kind !== 'up') {
      // Each of these is a statement of its own, so a sender that is too fast waits before it, not after.
      if (waitMs > 0) await delay(waitMs);
      const refusal = await (meaning.kind === 'state' ? presence.state(device, payload) : onAck(device, payload));
      return refusal && refuse(refusal);
    }
    const { format, fport } = meaning;
    const message = { device, topic, format, fport, payload, source: 'mqtt', packet_id: qos > 0 ? messageId : null, isRepeat } as const;
    await settled((done) => uplinks.receive(message, done));
    if (waitMs > 0) await delay(waitMs);
  }

  async #deviceOf(channel: ChannelEntry, { device_id }: DeviceTopic): Promise<DeviceEntry | undefined> {
    const { directory } = this.#parts;
    const known = directory.knownDevice(channel.channel_id, device_id) ?? (await directory.findDevice(channel.channel_id, device_id));
    return known ?? (channel.auto_create ? directory.createDevice(channel, device_id) : undefined);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#stopRejections();
    await this.#work;
    for (const slot of this.#slots) drop(slot);
    await releaseLeases(this.#parts.db, this.#parts.processId, 'broker-link:').catch(() => {});
  }
}

function drop(slot: Slot): void {
  slot.link?.close();
  slot.link = undefined;
}

function settled(act: (done: (outcome: Outcome) => void) => void): Promise<void> {
  return new Promise((resolve, reject) =>
    act((outcome) => (outcome.status === 'unavailable' ? reject(new Error('The database is away.')) : resolve())),
  );
}
