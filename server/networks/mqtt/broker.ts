import { limits } from '@telltale/domain/uplinks/limits.ts';
import type { AedesOptions, Client } from 'aedes';
import type { DeviceEntry } from '../directory.ts';
import { RejectionReports } from '../rejection-reports.ts';
import { keepaliveTimerOf } from './aedes-internals.ts';
import { Attempts } from './attempts.ts';
import { CommandListeners, type Listening, type OnListening } from './command-listeners.ts';
import { Core, type Handled } from './core.ts';
import { addressOf, GuardedConnection } from './framing-guard.ts';
import type { Handed } from './handover.ts';
import { Intake, receiveMaximum } from './intake.ts';
import { longestExpirySeconds } from './kept-sessions.ts';
import { KeyChecks } from './key-checks.ts';
import { BrokerMemory } from './persistence.ts';
import { Pressure } from './pressure.ts';
import { isKnownLevel, PublishLane } from './publish-lane.ts';
import { RefusalLog } from './refusal-log.ts';
import { type BrokerParts, newSession, type Session } from './session.ts';
import { Sessions } from './sessions.ts';
import { longestKeepalive, SignIn } from './sign-in.ts';
import { Subscriptions } from './subscriptions.ts';
import { connack, disconnect, end, isVersion5 } from './version5/packets.ts';
import { reasons } from './version5/reasons.ts';
import { RefusedConnection } from './version5/refused-connection.ts';

const clientIdsPerDevice = 5;
/** MQTT 5: topics that a client may give a number. */
const topicAliases = 100;
/** Fixed header included. */
const largestPacket = limits.packetBytes + 4;
/** Last wills that wait for the delay that their client asked for. */
const delayedWills = 10_000;

/** iot-behaviour 1.1 to 1.7 on top of Aedes. */
export class MqttBroker {
  readonly #parts: BrokerParts;
  readonly #core: Core;
  readonly #memory: BrokerMemory;
  readonly #pressure = new Pressure();
  readonly #sessions = new Sessions();
  readonly #refusals: RefusalLog;
  readonly #intake: Intake;
  readonly #signIn: SignIn;
  readonly #subscriptions: Subscriptions;
  readonly #keyChecks: KeyChecks;
  readonly #listeners = new CommandListeners(this.#sessions);
  readonly #undo: (() => void)[];

  private constructor(parts: BrokerParts) {
    this.#parts = parts;
    const attempts = parts.attempts ?? new Attempts();
    this.#memory = new BrokerMemory(parts.db, parts.keptSessions, (client, count) => this.#tellForgotten(client as Client, count));
    this.#core = new Core(this.#options(), (client) => {
      this.#memory
        .endSession(client, client.sessionExpiryInterval)
        .catch((error: Error) => parts.log.warn({ err: error.message }, 'a session could not be kept'));
    });
    const { userSubscribers } = this.#core;
    this.#refusals = new RefusalLog(parts);
    this.#intake = new Intake(parts, this.#memory, attempts, userSubscribers, this.#refusals);
    this.#signIn = new SignIn(parts, attempts, this.#sessions, this.#refusals);
    this.#subscriptions = new Subscriptions(parts, this.#sessions, userSubscribers, this.#refusals);
    this.#keyChecks = new KeyChecks(parts, this.#sessions);
    const reports = new RejectionReports((topic, payload) => void this.send(topic, payload, 0).catch(() => {}));
    this.#follow();
    this.#undo = [this.#keyChecks.start(() => userSubscribers.count > 0), parts.uplinks.onRejected((notice) => reports.report(notice))];
  }

  static async start(parts: BrokerParts): Promise<MqttBroker> {
    const broker = new MqttBroker(parts);
    await broker.#core.listen();
    return broker;
  }

  #options(): AedesOptions {
    return {
      persistence: this.#memory,
      connectTimeout: 10_000,
      drainTimeout: 20_000,
      maxClientsIdLength: limits.clientIdBytes,
      keepaliveLimit: longestKeepalive,
      topicAliasMaximum: topicAliases,
      maximumPacketSize: largestPacket,
      receiveMaximum,
      sessionExpiryIntervalLimit: longestExpirySeconds,
      pendingSessionsLimit: delayedWills,
      preConnect: (client, packet, done) => {
        this.#subscriptions.prepare(client, packet.protocolVersion === 5);
        this.#signIn.preConnect(client, packet, done);
      },
      authenticate: (client, username, password, done) => {
        this.#authenticate(client, username ?? '', password?.toString()).then(
          () => done(null, true),
          (error: Error) => {
            const refused = error instanceof RefusedConnection ? error : new RefusedConnection(3, 'The server cannot look up keys now.');
            // Aedes closes without a word about the reason.
            if (isVersion5(client)) (client.conn as GuardedConnection).endWith(connack(refused.reasonCode, refused.message));
            else done(refused, false);
          },
        );
      },
      authorizePublish: (client, packet, done) => {
        const session = client && (this.#sessions.of(client) ?? this.#departed(client, packet));
        // Aedes publishes a will with the client that has disconnected, or with none. Without one its sender is unknown, so it is refused.
        if (session) this.#intake.publish(client, session, packet, done);
        else done(new Error('nobody'));
      },
      authorizeSubscribe: (client, subscription, done) => done(null, this.#subscriptions.grant(client, subscription)),
      authorizeForward: (client, packet) => this.#subscriptions.forward(client, packet),
    };
  }

  #follow(): void {
    const { log } = this.#parts;
    this.#core.on('clientReady', (client) => this.#ready(client));
    this.#core.on('clientDisconnect', (client) => this.#gone(client));
    this.#core.on('subscribe', (subscriptions, client) => {
      this.#subscriptions.granted(subscriptions, client);
      this.#listeners.look(client);
    });
    this.#core.on('ack', (packet, client) =>
      this.#listeners.acknowledged(client, (packet as { messageId?: number } | undefined)?.messageId),
    );
    this.#core.on('unsubscribe', (filters, client) => this.#subscriptions.ended(filters, client));
    this.#core.on('keepaliveTimeout', (client) => {
      const sentence = 'Nothing came for one and a half times the keep alive time.';
      if (isVersion5(client)) (client.conn as GuardedConnection).endWith(disconnect(reasons.keepAliveTimeout, sentence));
    });
    this.#core.on('clientError', (client, error) => log.debug({ client: client.id, err: error.message }, 'a device connection failed'));
    this.#core.on('connectionError', (_client, error) => log.debug({ err: error.message }, 'a connection never became one'));
  }

  get connections(): number {
    return this.#sessions.size;
  }

  /** The number of publishes to forbidden topics. */
  get denied(): number {
    return this.#intake.denied;
  }

  get heldBytes(): number {
    return this.#pressure.held;
  }

  /** Accepts a socket of any kind that speaks MQTT. */
  accept(socket: ConstructorParameters<typeof GuardedConnection>[0], address: string): void {
    this.#core.handle(new GuardedConnection(socket, address, this.#pressure));
  }

  /** Publishes errors and configuration to the subscribers of the topic. */
  send(topic: string, payload: string | Buffer, qos: 0 | 1): Promise<void> {
    const packet = { cmd: 'publish', topic, payload, qos, retain: false, dup: false } as const;
    return new Promise((resolve, reject) => this.#core.publish(packet, (error) => (error ? reject(error) : resolve())));
  }

  isConnected(devicePk: number): boolean {
    return this.#sessions.ofDevice(devicePk).length > 0;
  }

  isListening(device: Listening): boolean {
    return this.#listeners.has(device);
  }

  hand(device: DeviceEntry, message: string, expires: number): Promise<Handed> {
    return this.#listeners.hand(device, message, expires);
  }

  onListening(tell: OnListening): () => void {
    return this.#listeners.onListening(tell);
  }

  async #authenticate(client: Client, username: string, password: string | undefined): Promise<void> {
    const session = await this.#signIn.authenticate(client, username, password);
    if (session.principal.kind === 'user') this.#core.userSubscribers.join(session);
  }

  /** A delayed will of MQTT 5 comes when the session of its client is gone. */
  #departed(client: Client, packet: Handled): Session | undefined {
    const principal = packet.isWill ? this.#sessions.principalOf(client) : undefined;
    return principal && newSession(client, principal);
  }

  #ready(client: Client): void {
    const session = this.#sessions.of(client);
    if (!session) return;
    const conn = client.conn as GuardedConnection;
    conn.onTooLarge = (bytes) => {
      const sentence = `A packet of ${bytes} bytes was announced; at most ${limits.packetBytes} are taken. The connection was closed before it was read: send less at a time.`;
      this.#refusals.record(session.principal, 'packet_too_large', conn.address, sentence);
      return isVersion5(client) ? disconnect(reasons.packetTooLarge, sentence) : undefined;
    };
    conn.admit(this.#laneFor(session));
    const siblings = this.#sessions.ready(session);
    // The key may have been replaced since it was looked up.
    void this.#keyChecks.check([session]);
    this.#listeners.look(client);
    if (session.principal.kind !== 'device') return;
    // design 8: a device that reboots with a new id each time must not lock itself out.
    const [oldest] = siblings;
    if (siblings.length > clientIdsPerDevice && oldest) {
      const name = oldest.client.id.slice(oldest.client.id.indexOf('/') + 1);
      const sentence = `A device has at most ${clientIdsPerDevice} connections: the oldest one, with the client id "${name.slice(0, 128)}", was closed for a new one. Use the same client id each time.`;
      this.#refusals.record(session.principal, 'session_evicted', conn.address, sentence);
      end(oldest.client, reasons.quotaExceeded, sentence);
    }
    this.#parts.presence.connected(session.principal.device, client.id);
  }

  /** Publishes of devices bypass the broker; users who watch cannot publish. */
  #laneFor(session: Session): PublishLane | undefined {
    if (session.principal.kind === 'user' || !isKnownLevel(session.client.version)) return undefined;
    const keepalive = keepaliveTimerOf(session.client);
    return new PublishLane(
      (published) => this.#intake.takePublished(session, published),
      () => keepalive?.refresh(),
      session.client.version,
    );
  }

  #gone(client: Client): void {
    const session = this.#sessions.of(client);
    if (!session) return;
    const { wasReady } = this.#sessions.end(session);
    this.#memory.forget(client);
    this.#listeners.gone(client);
    const { principal, connectedAt } = session;
    if (principal.kind === 'user') this.#core.userSubscribers.leave(client);
    if (principal.kind === 'device' && wasReady)
      this.#parts.presence.disconnected(principal.device, client.id, Math.round((Date.now() - connectedAt) / 1000));
  }

  /** Explains in the message log why a kept session no longer exists. */
  #tellForgotten(client: Client, count: number): void {
    const principal = this.#sessions.principalOf(client);
    if (!principal || principal.kind === 'user') return;
    const { keptSessions } = this.#parts;
    const gone = count === 1 ? 'the oldest one was' : `${count} older ones were`;
    const sentence = `A key keeps at most ${keptSessions} sessions; ${gone} forgotten. Use the same client id each time, or clean sessions.`;
    // Named by its client id: each session that pushed out another one stands in the log.
    const clientId = client.id.slice(client.id.indexOf('/') + 1);
    this.#refusals.record(principal, 'too_many_sessions', addressOf(client), sentence, clientId);
  }

  /** Accepts no new connections and disconnects the current ones, which reconnect elsewhere. */
  async close(): Promise<void> {
    for (const undo of this.#undo) undo();
    await new Promise<void>((resolve) => this.#core.close(() => resolve()));
  }
}
