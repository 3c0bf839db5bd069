import type { Refusal, RejectionCode } from '@telltale/domain/uplinks/record.ts';
import { type DeviceTopic, mayPublish } from '@telltale/domain/uplinks/topics.ts';
import type { Client } from 'aedes';
import type { DeviceEntry } from '../directory.ts';
import type { Outcome } from '../uplink-sink.ts';
import type { Attempts } from './attempts.ts';
import type { Handled, PublishDone } from './core.ts';
import type { GuardedConnection } from './framing-guard.ts';
import type { Onlookers } from './onlookers.ts';
import type { BrokerMemory } from './persistence.ts';
import { type Principal, scopeOf } from './principal.ts';
import type { Published } from './publish-lane.ts';
import type { BrokerParts, Session } from './session.ts';

interface Arrived {
  topic: string;
  payload: Buffer;
  qos: 0 | 1 | 2;
  isRepeat: boolean;
  messageId: number | null;
  meaning: DeviceTopic;
  principal: Exclude<Principal, { kind: 'user' }>;
}

/** What a message takes in memory beside its payload, about. */
const overheadBytes = 200;
/** In which a byte is a character. */
const isPlain = /^[!-~]+$/;
/** Topics of one connection that are known by heart. */
const mostRoutes = 10_000;

const shownTopic = ({ channel_id, device_id, kind }: DeviceTopic) => `v1/${channel_id}/devices/${device_id}/${kind}`;

/** The one place where messages come in. Answering is acknowledging: it happens after they are on disk (iot-behaviour 1.9). */
export class Intake {
  readonly #parts: BrokerParts;
  readonly #memory: BrokerMemory;
  readonly #attempts: Attempts;
  readonly #onlookers: Onlookers;
  denied = 0;

  constructor(parts: BrokerParts, memory: BrokerMemory, attempts: Attempts, onlookers: Onlookers) {
    this.#parts = parts;
    this.#memory = memory;
    this.#attempts = attempts;
    this.#onlookers = onlookers;
  }

  /** A message that the broker has read; it acknowledges it when this is done. */
  publish(client: Client, session: Session, packet: Handled, done: PublishDone): void {
    const { principal } = session;
    const meaning = principal.kind === 'user' ? undefined : mayPublish(packet.topic, principal.speaker);
    if (!meaning || principal.kind === 'user') {
      this.denied++;
      this.#attempts.trespassed(scopeOf(principal));
      this.#parts.log.warn({ client: client.id, topic: packet.topic.slice(0, 256) }, 'a device published where it may not');
      done(new Error('not allowed to publish here'));
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
    const arrived = { topic, payload, qos, isRepeat: packet.dup === true, messageId, meaning, principal };
    this.#accept(session, arrived, (error) => {
      (client.conn as GuardedConnection).sendAcknowledgements();
      done(error);
    });
  }

  /** A message that never reached the broker (publish-lane.ts). False leaves it to the broker, which knows how to refuse. */
  takePublished(session: Session, { topic, payload, qos, isRepeat, messageId }: Published): boolean {
    const { client, principal } = session;
    if (principal.kind === 'user' || client.closed) return false;
    const meaning = this.#route(session, principal, topic);
    if (!meaning) return false;
    this.#accept(session, { topic, payload, qos, isRepeat, messageId, meaning, principal }, (error) => {
      if (error) client.emit('error', error);
      else {
        if (qos === 1) (client.conn as GuardedConnection).acknowledge(messageId);
        if (this.#onlookers.count > 0) this.#onlookers.show(shownTopic(meaning), payload);
      }
    });
    return true;
  }

  /** Devices say the same topic again and again; what it means holds as long as who they are. */
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
    const conn = session.client.conn as GuardedConnection;
    const held = arrived.payload.length + arrived.topic.length + overheadBytes;
    conn.hold(held);
    const answer = session.acks.place((error) => {
      conn.free(held);
      done(error);
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

  /** A gateway speaks for its devices, and may name one that nobody has seen. */
  async #findNamed({ principal, meaning }: Arrived): Promise<DeviceEntry | undefined> {
    const { directory } = this.#parts;
    const device = await directory.findDevice(meaning.channel_id, meaning.device_id);
    if (device || principal.kind !== 'channel') return device;
    return directory.createDevice(principal.channel, meaning.device_id);
  }

  #take(arrived: Arrived, device: DeviceEntry | undefined, answer: PublishDone): void {
    const { topic, payload, qos, isRepeat, messageId, meaning } = arrived;
    const { uplinks } = this.#parts;
    if (!device) this.#refuse(arrived, device, 'unknown_device', `The channel has no device ${meaning.device_id.slice(0, 36)}.`, answer);
    else if (device.isDisabled) this.#refuse(arrived, device, 'device_disabled', 'The device is disabled.', answer);
    else if (qos === 0 && !uplinks.hasRoom(device))
      this.#refuse(arrived, device, 'rate_limited', 'The device sends faster than it may.', answer);
    else {
      const waitMs = qos === 0 ? 0 : uplinks.delayOf(device);
      if (meaning.kind !== 'up') {
        // Each of these is a statement of its own: whoever is too fast waits before it, not after.
        if (waitMs > 0) setTimeout(() => this.#note(arrived, device, answer), waitMs);
        else this.#note(arrived, device, answer);
        return;
      }
      const { format, fport } = meaning;
      const finish = answering(answer);
      uplinks.receive(
        {
          device,
          topic,
          format,
          fport,
          payload,
          source: 'mqtt',
          packet_id: qos > 0 ? messageId : null,
          isRepeat: qos > 0 && isRepeat,
        },
        // Over-rate senders are slowed down, not dropped (0.2.3).
        waitMs > 0 ? (outcome) => void setTimeout(() => finish(outcome), waitMs) : finish,
      );
    }
  }

  #refuse(
    { topic, payload, meaning, principal }: Arrived,
    device: DeviceEntry | undefined,
    code: RejectionCode,
    message: string,
    answer: PublishDone,
  ): void {
    const channel = principal.kind === 'channel' ? principal.channel : principal.device.channel;
    const where = { channel, device: device ?? null, device_id: meaning.device_id, topic };
    this.#parts.uplinks.reject({ ...where, payload, code, message }, answering(answer));
  }

  #note(arrived: Arrived, device: DeviceEntry, answer: PublishDone): void {
    const { meaning, payload } = arrived;
    const { presence, onAck, log } = this.#parts;
    const noting: Promise<Refusal | undefined> = meaning.kind === 'state' ? presence.state(device, payload) : onAck(device, payload);
    noting.then(
      (refusal) => (refusal ? this.#refuse(arrived, device, refusal.code, refusal.message, answer) : answer(null)),
      (error: Error) => {
        log.warn({ err: error.message, device: device.pk }, 'what a device said about itself could not be noted');
        answer(error);
      },
    );
  }
}

const answering = (answer: PublishDone) => (outcome: Outcome) =>
  answer(outcome.status === 'unavailable' ? new Error('the database is away') : null);
