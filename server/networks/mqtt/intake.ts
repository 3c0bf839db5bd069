import type { Refusal } from '@telltale/domain/uplinks/record.ts';
import { type DeviceTopic, mayPublish } from '@telltale/domain/uplinks/topics.ts';
import type { Client } from 'aedes';
import { admission } from '../admission.ts';
import type { DeviceEntry } from '../directory.ts';
import type { Outcome } from '../uplink-sink.ts';
import { markAnswered, type PublishDone } from './aedes-internals.ts';
import type { Attempts } from './attempts.ts';
import type { Handled } from './core.ts';
import type { GuardedConnection } from './framing-guard.ts';
import type { BrokerMemory } from './persistence.ts';
import { type Principal, scopeOf } from './principal.ts';
import type { Published } from './publish-lane.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { BrokerParts, Session } from './session.ts';
import type { UserSubscribers } from './user-subscribers.ts';
import { disconnect, end, isVersion5, notTaken } from './version5/packets.ts';
import { storableProperties, type UserProperties } from './version5/properties.ts';
import { RejectedPublish, reasons } from './version5/reasons.ts';

interface Arrived {
  topic: string;
  payload: Buffer;
  qos: 0 | 1 | 2;
  isRepeat: boolean;
  messageId: number | null;
  meaning: DeviceTopic;
  principal: Exclude<Principal, { kind: 'user' }>;
  userProperties?: UserProperties | undefined;
}

/** The approximate memory of a message beside its payload. */
const overheadBytes = 200;
/** Printable ASCII, in which a byte is a character. */
const isPlain = /^[!-~]+$/;
/** Messages with QoS 1 or 2 that a client of MQTT 5 may have under way. */
export const receiveMaximum = 1000;
/** Topics of one connection that are known by heart. */
const mostRoutes = 10_000;

const shownTopic = ({ channel_id, device_id, kind }: DeviceTopic) => `v1/${channel_id}/devices/${device_id}/${kind}`;

/** The entry of all messages. Answering means acknowledging: it happens after they are on disk (iot-behaviour 1.9). */
export class Intake {
  readonly #parts: BrokerParts;
  readonly #memory: BrokerMemory;
  readonly #attempts: Attempts;
  readonly #userSubscribers: UserSubscribers;
  readonly #refusals: RefusalLog;
  denied = 0;

  constructor(parts: BrokerParts, memory: BrokerMemory, attempts: Attempts, userSubscribers: UserSubscribers, refusals: RefusalLog) {
    this.#refusals = refusals;
    this.#parts = parts;
    this.#memory = memory;
    this.#attempts = attempts;
    this.#userSubscribers = userSubscribers;
  }

  /** Takes a message that the broker has read; the broker acknowledges it when `done` is called. */
  publish(client: Client, session: Session, packet: Handled, done: PublishDone): void {
    const { principal } = session;
    const meaning = principal.kind === 'user' ? undefined : mayPublish(packet.topic, principal.speaker);
    if (!meaning || principal.kind === 'user') {
      this.#forbid(client, principal, packet, done);
      return;
    }
    packet.isHandled = true;
    packet.shownTopic = shownTopic(meaning);
    // Nothing that a device sends is retained.
    packet.retain = false;
    const { topic, qos, messageId = null } = packet;
    if (qos === 2 && this.#memory.isIncoming(client, messageId ?? 0)) {
      done();
      return;
    }
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload ?? '');
    const userProperties = storableProperties(packet.properties?.userProperties);
    const arrived = { topic, payload, qos, isRepeat: packet.dup === true, messageId, meaning, principal, userProperties };
    this.#accept(session, arrived, (error) => {
      (client.conn as GuardedConnection).sendAcknowledgements();
      if (!error || !isVersion5(client)) done(error);
      else {
        // Aedes would answer every error of version 5 with "not authorized", also one after which the message must come again.
        markAnswered(packet);
        this.#answer(session, arrived, error);
        done();
      }
    });
  }

  #forbid(client: Client, principal: Principal, packet: Handled, done: PublishDone): void {
    this.denied++;
    const scope = scopeOf(principal);
    this.#attempts.trespassed(scope);
    const { address } = client.conn as GuardedConnection;
    const topic = packet.topic.slice(0, 256);
    const isLast = !isVersion5(client) || this.#attempts.isBlocked(scope);
    const refused = `Refused to publish on ${topic}${isLast ? ', and the connection was closed' : ''}: this key ${ownTopics(principal)}.`;
    this.#refusals.record(principal, 'forbidden_topic', address, refused, topic);
    done(new Error(refused));
    if (!isVersion5(client) || !isLast) return;
    const lastWord = disconnect(reasons.notAuthorized, `${refused} It was the third time within a minute; wait for one.`);
    // After the acknowledgement that Aedes writes.
    setImmediate(() => (client.conn as GuardedConnection).endWith(lastWord));
  }

  /** What a message with an error is answered. Without an acknowledgement it is sent again, on a new connection. */
  #answer({ client }: Session, { qos, messageId }: Pick<Arrived, 'qos' | 'messageId'>, error: Error): void {
    if (error instanceof RejectedPublish) {
      if (qos > 0)
        (client.conn as GuardedConnection).answer(notTaken(client, qos as 1 | 2, messageId ?? 0, error.reasonCode, error.message));
    } else if (isVersion5(client)) end(client, reasons.serverBusy, 'The message could not be stored now. Connect again and send it again.');
    else client.emit('error', error);
  }

  /** A message that never reached the broker (publish-lane.ts). False leaves it to the broker, which knows how to refuse. */
  takePublished(session: Session, { topic, payload, qos, isRepeat, messageId, userProperties }: Published): boolean {
    const { client, principal } = session;
    if (principal.kind === 'user' || client.closed) return false;
    const meaning = this.#route(session, principal, topic);
    if (!meaning) return false;
    const arrived = { topic, payload, qos, isRepeat, messageId, meaning, principal, userProperties };
    this.#accept(session, arrived, (error) => {
      if (error) this.#answer(session, arrived, error);
      else {
        if (qos === 1) (client.conn as GuardedConnection).acknowledge(messageId);
        if (this.#userSubscribers.count > 0) this.#userSubscribers.show(shownTopic(meaning), payload);
      }
    });
    return true;
  }

  /** Devices use the same topics again and again; the cached meanings hold as long as the principal. */
  #route(session: Session, principal: Arrived['principal'], topic: string): DeviceTopic | undefined {
    if (session.routes.of !== principal || session.routes.meanings.size > mostRoutes)
      session.routes = { of: principal, meanings: new Map() };
    const { meanings } = session.routes;
    const known = meanings.get(topic);
    if (known) return known;
    const meaning = isPlain.test(topic) ? mayPublish(topic, principal.speaker) : undefined;
    if (meaning) meanings.set(topic, meaning);
    return meaning;
  }

  #accept(session: Session, arrived: Arrived, done: PublishDone): void {
    const { client } = session;
    const isCounted = arrived.qos > 0;
    if (isCounted && ++session.unacknowledged > receiveMaximum && isVersion5(client)) {
      const sentence = `At most ${receiveMaximum} messages may wait for their acknowledgement.`;
      (client.conn as GuardedConnection).endWith(disconnect(reasons.receiveMaximumExceeded, sentence));
      return;
    }
    const conn = client.conn as GuardedConnection;
    const held = arrived.payload.length + arrived.topic.length + overheadBytes;
    conn.hold(held);
    const answer = session.acks.place((error) => {
      conn.free(held);
      if (isCounted) session.unacknowledged--;
      // 3.1.1 has no word for it: what is rejected is acknowledged.
      done(error instanceof RejectedPublish && !isVersion5(client) ? null : error);
    });
    this.#find(arrived, answer);
  }

  #find(arrived: Arrived, answer: PublishDone): void {
    const { principal, meaning } = arrived;
    const { directory } = this.#parts;
    const known = principal.kind === 'device' ? principal.device : directory.knownDevice(meaning.channel_id, meaning.device_id);
    if (known) {
      this.#take(arrived, known, answer);
      return;
    }
    this.#findNamed(arrived).then((device) => this.#take(arrived, device, answer), answer);
  }

  /** A gateway speaks for its devices, and may name a device that does not exist yet. */
  async #findNamed({ principal, meaning }: Arrived): Promise<DeviceEntry | undefined> {
    const { directory } = this.#parts;
    const device = await directory.findDevice(meaning.channel_id, meaning.device_id);
    if (device || principal.kind !== 'channel') return device;
    return directory.createDevice(principal.channel, meaning.device_id);
  }

  #take(arrived: Arrived, device: DeviceEntry | undefined, answer: PublishDone): void {
    const { topic, payload, qos, isRepeat, messageId, meaning } = arrived;
    const { device_id } = meaning;
    const admitted = admission(this.#parts, { channel: channelOf(arrived), device, device_id, canWait: qos > 0 });
    if (admitted.refusal) {
      this.#refuse(arrived, device, admitted.refusal, answer);
      return;
    }
    const { device: known, waitMs } = admitted;
    if (meaning.kind !== 'up') {
      // Each of these is a statement of its own, so a sender that is too fast waits before it, not after.
      if (waitMs > 0) setTimeout(() => this.#note(arrived, known, answer), waitMs);
      else this.#note(arrived, known, answer);
      return;
    }
    const { format, fport } = meaning;
    const finish = answering(answer);
    this.#parts.uplinks.receive(
      {
        device: known,
        topic,
        format,
        fport,
        payload,
        source: 'mqtt',
        packet_id: qos > 0 ? messageId : null,
        isRepeat: qos > 0 && isRepeat,
        ...(arrived.userProperties ? { userProperties: arrived.userProperties } : {}),
      },
      // Over-rate senders are slowed down, not dropped (0.2.3).
      waitMs > 0 ? (outcome) => void setTimeout(() => finish(outcome), waitMs) : finish,
    );
  }

  #refuse(arrived: Arrived, device: DeviceEntry | undefined, { code, message }: Refusal, answer: PublishDone): void {
    const { topic, payload, meaning } = arrived;
    const where = { channel: channelOf(arrived), device: device ?? null, device_id: meaning.device_id, topic };
    this.#parts.uplinks.reject({ ...where, payload, code, message }, answering(answer));
  }

  #note(arrived: Arrived, device: DeviceEntry, answer: PublishDone): void {
    const { meaning, payload } = arrived;
    const { presence, onAck, log } = this.#parts;
    const noting: Promise<Refusal | undefined> = meaning.kind === 'state' ? presence.state(device, payload) : onAck(device, payload);
    noting.then(
      (refusal) => (refusal ? this.#refuse(arrived, device, refusal, answer) : answer(null)),
      (error: Error) => {
        log.warn({ err: error.message, device: device.pk }, 'what a device said about itself could not be noted');
        answer(error);
      },
    );
  }
}

const ownTopics = (principal: Principal): string => {
  if (principal.kind === 'user') return 'only reads';
  const { channel_id } = principal.speaker;
  const device = principal.kind === 'device' ? principal.device.device_id : '{device}';
  return `publishes on v1/${channel_id}/devices/${device}/up, state and ack`;
};

const channelOf = ({ principal }: Arrived) => (principal.kind === 'channel' ? principal.channel : principal.device.channel);

const answering = (answer: PublishDone) => (outcome: Outcome) => {
  if (outcome.status === 'unavailable') answer(new Error('the database is away'));
  else answer(outcome.status === 'rejected' ? new RejectedPublish(outcome.code, outcome.message) : null);
};
