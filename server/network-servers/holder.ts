import { setTimeout as delay } from 'node:timers/promises';
import { LinkRefused, MqttLink, type MqttSettings } from '../networks/mqtt-link.ts';
import type { NetworkKind, RunningNetwork } from '../networks/network.ts';
import { type NetworkEvent, Unreadable } from '../networks/network-event.ts';
import { CoalescedTask } from '../platform/coalesced-task.ts';
import type { Services } from '../platform/context.ts';
import { isRefusedForGood } from '../platform/errors.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { deleteMessages, type InboxRow, listMessages } from './inbox.store.ts';
import { simulatedQueue, takeUnanswered } from './network-downlinks.store.ts';
import { clearFault, type NetworkRow, writeFault, writeLastMessage, writeState } from './network-servers.store.ts';
import { kindOf, optionsOf } from './network-servers.ts';
import type { Origin, Receiver } from './receiver.ts';

export interface HolderParts {
  receiver: Receiver;
  report(events: { attempt_id: string; kind: 'failed'; reason: string }[]): Promise<void>;
  onConnected(): void;
  /** Pauses between attempts to connect, and between attempts to store what cannot be sent again. */
  backoffMs: { first: number; most: number };
}

const inboxBatch = 200;
const noteEveryMs = 1000;

/** One network in the one process that holds its lease: its connection, its inbox, its state. */
export class Holder {
  readonly version: number;
  readonly #row: NetworkRow;
  readonly #services: Services;
  readonly #parts: HolderParts;
  readonly #kind: NetworkKind;
  readonly #options: Record<string, unknown>;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;
  #link: MqttLink | undefined;
  #running: RunningNetwork | undefined;
  /** Messages are dispatched one after the other, so that those of a device stay in order; their commits overlap. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #draining = new CoalescedTask(() => this.#drainAll());
  /** Messages of the inbox that were taken in the last round; one that comes again could not be stored or removed. */
  #tried: ReadonlySet<number> = new Set();
  #messageAt: Date | undefined;
  #notedAt = 0;
  #fault: string | null = null;
  /** Recent messages had a channel to go to. */
  #isTaken = false;
  /** Some events may wait for a channel. */
  #hasEarly = true;

  constructor(services: Services, row: NetworkRow, parts: HolderParts) {
    this.version = row.version;
    this.#row = row;
    this.#services = services;
    this.#parts = parts;
    this.#kind = kindOf(row.type);
    this.#options = optionsOf(services.secrets, row);
    const settings = this.#kind.broker(this.#options, row.client_id);
    this.#ended = settings ? this.#keepConnected(settings) : this.#runItself();
    this.drain();
  }

  async #runItself(): Promise<void> {
    const { id } = this.#row;
    const http = createOutgoingHttp({ allowPrivate: this.#services.config.allowPrivate });
    const receive = (events: NetworkEvent[]) => this.#receive(events, { topic: `simulated/${id}`, isRepeat: false, canWait: true });
    this.#running = this.#kind.run?.(this.#options, { network_id: id, http, receive, queue: simulatedQueue(this.#services.db, id) });
    await this.#setState('connected', null);
    this.#parts.onConnected();
  }

  /** Connects again and again, with growing pauses; a connection that held starts them anew. */
  async #keepConnected(settings: MqttSettings): Promise<void> {
    const { signal } = this.#stopping;
    const { first, most } = this.#parts.backoffMs;
    let pauseMs = first;
    await this.#setState('connecting', null);
    while (!signal.aborted) {
      let reason: Error;
      try {
        const link = await MqttLink.open(settings, (message) => this.#onMessage(message));
        this.#link = link;
        if (signal.aborted) link.close();
        const openedAt = Date.now();
        await this.#setState('connected', null);
        this.#parts.onConnected();
        reason = await link.closed;
        if (Date.now() - openedAt > most) pauseMs = first;
      } catch (error) {
        reason = error instanceof Error ? error : new Error(String(error));
      }
      this.#link = undefined;
      if (signal.aborted) return;
      this.#services.log.warn({ network: this.#row.id, err: reason.message }, 'the connection to a network is gone');
      await this.#setState(reason instanceof LinkRefused || pauseMs > first ? 'error' : 'connecting', reason.message);
      await delay(pauseMs * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, most);
    }
  }

  async #onMessage({ topic, payload, isRepeat, qos }: { topic: string; payload: Buffer; isRepeat: boolean; qos: number }): Promise<void> {
    const events = this.#read({ topic, event: null, body: payload });
    const { signal } = this.#stopping;
    let isCounted = false;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        await this.#receive(events, { topic, isRepeat, canWait: qos > 0, isCounted });
        return;
      } catch (error) {
        // With QoS > 0 the broker sends the message again; with QoS 0 it would be lost, so it is retried here.
        if (qos > 0 || signal.aborted) throw error;
        isCounted = true;
        await delay(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** An unreadable message is acknowledged and shown, so the network does not send it again (iot-behaviour 0.2.2). */
  #read(received: { topic: string | null; event: string | null; body: Buffer }): NetworkEvent[] {
    this.#messageAt = new Date();
    try {
      return this.#kind.read(received, this.#options);
    } catch (error) {
      if (!(error instanceof Unreadable)) this.#services.log.error({ err: error, network: this.#row.id }, 'a message could not be read');
      this.#fault = `Unreadable message${received.topic ? ` on ${received.topic.slice(0, 200)}` : ''}: ${error instanceof Error ? error.message : ''}`;
      return [];
    }
  }

  #receive(events: NetworkEvent[], origin: Omit<Origin, 'network_id'>): Promise<void> {
    this.#messageAt = new Date();
    if (events.length === 0) return Promise.resolve();
    let ended: Promise<{ fault: string | null }> | undefined;
    const started = this.#turn.then(() => {
      const turn = this.#parts.receiver.dispatch(events, { network_id: this.#row.id, ...origin });
      ended = turn.then(({ ended: all }) => all());
      ended.catch(() => {});
      return turn;
    });
    this.#turn = started.catch(() => {});
    const taken = started.then(async () => {
      const { fault } = (await ended) ?? { fault: null };
      if (fault) {
        this.#fault = fault;
        this.#hasEarly = true;
      } else this.#isTaken = true;
    });
    return taken.catch((error: unknown) => {
      if (!isRefusedForGood(error)) throw error;
      // Sent again, it would be refused again, and everything behind it would wait (iot-behaviour 0.2.2).
      this.#services.log.error({ err: error, network: this.#row.id }, 'a message has a value that cannot be stored');
      this.#fault = 'A message has a value that cannot be stored.';
    });
  }

  /** Reads the inbox to its end; a call during that starts another round afterwards. */
  drain(): void {
    this.#draining.request();
  }

  async #drainAll(): Promise<void> {
    const { log } = this.#services;
    try {
      while (await this.#drainSome());
    } catch (error) {
      log.warn({ err: error instanceof Error ? error.message : String(error), network: this.#row.id }, 'the inbox of a network waits');
    }
  }

  async #drainSome(): Promise<boolean> {
    const { db } = this.#services;
    const rows = await listMessages(db, this.#row.id, inboxBatch);
    if (rows.length === 0 || this.#stopping.signal.aborted) return false;
    const ended = await Promise.allSettled(rows.map((row) => this.#take(row)));
    const done = rows.filter((_, index) => ended[index]?.status === 'fulfilled');
    this.#tried = new Set(rows.map(({ id }) => id));
    if (done.length > 0)
      await deleteMessages(
        db,
        done.map(({ id }) => id),
      );
    if (done.length < rows.length) throw new Error('some messages could not be stored yet');
    return rows.length === inboxBatch;
  }

  #take({ id, event, body, received_at }: InboxRow): Promise<void> {
    const events = this.#read({ topic: null, event, body }).map((each, index) => identified(each, `inbox/${id}/${index}`));
    return this.#receive(events, {
      topic: `/api/networks/${this.#row.id}/webhook${event ? `/${event}` : ''}`,
      isRepeat: false,
      canWait: false,
      cameAt: Date.parse(received_at),
      isCounted: this.#tried.has(id),
    });
  }

  /** Runs regularly: notes the last message, and fails downlinks that the network should have answered by now (iot-behaviour 3.8). */
  async upkeep(): Promise<void> {
    const { db } = this.#services;
    this.drain();
    if (this.#hasEarly) this.#hasEarly = await this.#parts.receiver.takeEarly(this.#row.id);
    const unanswered = await takeUnanswered(db, this.#row.id);
    if (unanswered.length > 0)
      await this.#parts.report(unanswered.map((attempt_id) => ({ attempt_id, kind: 'failed', reason: 'no_network_answer' })));
    if (Date.now() - this.#notedAt < noteEveryMs) return;
    this.#notedAt = Date.now();
    const [at, fault] = [this.#messageAt, this.#fault];
    this.#messageAt = undefined;
    this.#fault = null;
    if (at) await writeLastMessage(db, this.#row.id, at);
    if (fault) await writeFault(db, this.#row.id, fault);
    else if (this.#isTaken) await clearFault(db, this.#row.id, 'No channel takes ');
    this.#isTaken = false;
  }

  async #setState(state: 'connecting' | 'connected' | 'error', reason: string | null): Promise<void> {
    await writeState(this.#services.db, this.#row.id, state, reason).catch((error: Error) =>
      this.#services.log.warn({ err: error.message }, 'the state of a network could not be noted'),
    );
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#link?.close();
    await this.#running?.stop();
    await this.#ended;
    await this.#draining.settled();
    await this.#turn;
    await this.upkeep().catch(() => {});
  }
}

/** A message of the inbox may be taken again after a kill: what has no id of its own is recognized by its place there (iot-behaviour 1.9). */
function identified(event: NetworkEvent, id: string): NetworkEvent {
  if (event.kind === 'uplink') return { ...event, message_id: event.message_id ?? id };
  return event.kind === 'downlink' ? event : { ...event, key: event.key ?? id };
}
