import { mayHear, narrowFilter } from '@telltale/domain/uplinks/topics.ts';
import type { AedesPublishPacket, Client, Subscription } from 'aedes';
import { beforeHandling, grantedTo, type ReadPacket } from './aedes-internals.ts';
import { addressOf, type GuardedConnection } from './framing-guard.ts';
import { isTooLargeFor } from './handover.ts';
import { isInReach, type Principal, type UserReader } from './principal.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { BrokerParts, Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { isPlaceholder, setAside } from './set-aside.ts';
import { mostFilters, type UserSubscribers } from './user-subscribers.ts';
import { explainErrors, explainSecondConnect } from './version5/explained-errors.ts';
import { isVersion5, wantsReasons } from './version5/packets.ts';

const readTopics = 'v1/{channel}/devices/{device}/ up and state';

/** Decides what each connection hears: by which filters it may subscribe, with which QoS, and which messages it gets. */
export class Subscriptions {
  readonly #parts: Pick<BrokerParts, 'db' | 'log'>;
  readonly #sessions: Sessions;
  readonly #userSubscribers: UserSubscribers;
  readonly #refusals: RefusalLog;

  constructor(parts: Pick<BrokerParts, 'db' | 'log'>, sessions: Sessions, userSubscribers: UserSubscribers, refusals: RefusalLog) {
    this.#parts = parts;
    this.#sessions = sessions;
    this.#userSubscribers = userSubscribers;
    this.#refusals = refusals;
  }

  /** Called with the CONNECT of a client: its packets are looked at before Aedes handles them. */
  prepare(client: Client, is5: boolean): void {
    (client.conn as GuardedConnection).isVersion5 = is5;
    beforeHandling(client, (packet) => this.#beforeBroker(client, packet));
    if (is5) explainErrors(client);
  }

  /** iot-behaviour 1.4: SUBACK states the granted QoS and a reason for each refusal; Aedes would state the requested one, or hang up. */
  #beforeBroker(client: Client, { cmd, messageId, subscriptions = [] }: ReadPacket): void {
    const session = this.#sessions.of(client);
    if (cmd === 'connect' && session && isVersion5(client)) explainSecondConnect(client);
    if (cmd !== 'subscribe' || !session) return;
    session.subscribeId = messageId;
    const isReader = session.principal.kind === 'user';
    for (const each of subscriptions) each.qos = Math.min(each.qos, isReader || /\/error$/.test(each.topic) ? 0 : 1);
    const { codes, refused } = setAside(subscriptions, isVersion5(client));
    if (codes.size === 0 || messageId === undefined) return;
    (client.conn as GuardedConnection).subackChanges.set(messageId, { codes });
    for (const { filter, sentence } of refused) {
      this.#refusals.record(session.principal, 'forbidden_topic', addressOf(client), sentence, filter);
      refuseFilter(session, sentence);
    }
  }

  /** The subscription as it is granted; null refuses it. */
  grant(client: Client, subscription: Subscription): Subscription | null {
    const session = this.#sessions.of(client);
    if (!session) return null;
    const { principal, narrowed } = session;
    const { topic } = subscription;
    if (isPlaceholder(topic)) return null;
    const tooMany = `Not subscribed to ${topic.slice(0, 256)}: a connection has at most ${mostFilters} filters.`;
    if (principal.kind === 'user') {
      if (!isReadable(topic, principal.user))
        return refuseFilter(session, `Not subscribed to ${topic.slice(0, 256)}: a person's key reads ${readTopics}, of their channels.`);
      if (!this.#userSubscribers.watch(client, topic)) return refuseFilter(session, tooMany);
      return Object.assign(subscription, { qos: 0 });
    }
    if (Object.keys(grantedTo(client)).length >= mostFilters) return refuseFilter(session, tooMany);
    const filter = narrowFilter(topic, principal.speaker);
    if (filter === null) {
      const sentence = `Not subscribed to ${topic.slice(0, 256)}: this key hears ${heardTopics(principal)}.`;
      this.#refusals.record(principal, 'forbidden_topic', addressOf(client), sentence, topic);
      return refuseFilter(session, sentence);
    }
    if (filter !== topic) {
      if (narrowed.size >= mostFilters) return refuseFilter(session, tooMany);
      narrowed.set(topic, filter);
    }
    return Object.assign(subscription, { topic: filter, qos: Math.min(subscription.qos, 1) });
  }

  /** Sends the last states of devices to a user that has just subscribed. */
  granted(subscriptions: readonly Subscription[], client: Client): void {
    const principal = this.#sessions.of(client)?.principal;
    if (principal?.kind !== 'user') return;
    const granted = subscriptions.filter(({ qos }) => Number(qos) < 128).map(({ topic }) => topic);
    this.#userSubscribers
      .showStates(this.#parts.db, client, principal.user, granted)
      .catch((error: Error) => this.#parts.log.warn({ err: error.message }, 'states of devices could not be read'));
  }

  /** Unsubscribing from `#` also unsubscribes from the topics that `#` was narrowed to. */
  ended(filters: string[], client: Client): void {
    this.#userSubscribers.unwatch(client, filters);
    const narrowed = this.#sessions.of(client)?.narrowed;
    const topics = filters.flatMap((filter) => narrowed?.get(filter) ?? []);
    if (topics.length > 0 && !client.closed) client.unsubscribe({ unsubscriptions: topics } as never, () => {});
  }

  /** The message as a subscriber gets it; null leaves the subscriber out. */
  forward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null {
    const principal = this.#sessions.of(client)?.principal;
    if (!principal || isTooLargeFor(client, packet.topic, packet.payload)) return null;
    if (principal.kind === 'user') {
      const channelId = /^v1\/([^/]+)\/devices\/[^/]+\/(?:up(?:\/.*)?|state)$/.exec(packet.topic)?.[1];
      return channelId !== undefined && isInReach(principal.user, channelId) ? packet : null;
    }
    return mayHear(packet.topic, principal.speaker) ? packet : null;
  }
}

/** MQTT 5 says with SUBACK why; of several filters the last reason. */
function refuseFilter({ client, subscribeId }: Session, reason: string): null {
  if (subscribeId === undefined || !wantsReasons(client)) return null;
  const { subackChanges } = client.conn as GuardedConnection;
  subackChanges.set(subscribeId, { codes: subackChanges.get(subscribeId)?.codes ?? new Map(), reason });
  return null;
}

const heardTopics = (principal: Exclude<Principal, { kind: 'user' }>): string =>
  principal.kind === 'device'
    ? `v1/${principal.speaker.channel_id}/devices/${principal.device.device_id}/ down, error and config`
    : `v1/${principal.channel.channel_id}/devices/+/ down and error`;

/** Whether a user may read by this filter: it must match topics of devices, and a channel that it names must be one of theirs. */
function isReadable(filter: string, user: UserReader): boolean {
  if (!/^v1\/[^/$]+\/devices\/[^/]+\/(up|state|#|\+|up\/#)$|^v1\/([^/$]+\/(devices\/)?)?#$|^#$/.test(filter)) return false;
  const [, channelId = '#'] = filter.split('/');
  return channelId === '#' || channelId === '+' || isInReach(user, channelId);
}
