import { limits } from '@telltale/domain/uplinks/limits.ts';
import { errorTopic, mayHear, narrowFilter, readTopic } from '@telltale/domain/uplinks/topics.ts';
import { utf8Length } from '@telltale/domain/uplinks/utf8.ts';
import type { AedesPublishPacket, Client, ConnectPacket, Subscription } from 'aedes';
import type { DirectoryChange } from '../directory.ts';
import type { RejectionNotice } from '../uplink-sink.ts';
import { AckOrder } from './ack-order.ts';
import { Attempts } from './attempts.ts';
import { Core } from './core.ts';
import { GuardedConnection } from './framing-guard.ts';
import { Intake } from './intake.ts';
import { mostFilters } from './onlookers.ts';
import { BrokerMemory } from './persistence.ts';
import { Pressure } from './pressure.ts';
import { admit, type Principal, scopeOf } from './principal.ts';
import { PublishLane } from './publish-lane.ts';
import type { BrokerParts, Session } from './session.ts';

const clientIdsPerDevice = 5;
const errorEveryMs = 5000;
const longestKeepalive = 1200;
const idleMs = 1_800_000;
const recheckAtOnce = 20;
/** People’s keys send no notification; there are few of them. */
const recheckUsersMs = 500;
/** iot-behaviour 7.2 plans with half of it; beyond, connections are told to come back later. */
const mostConnections = 50_000;

/** What Aedes has and its types do not say. */
interface Internals {
  _parser: { prependListener(event: 'packet', listener: (packet: Packet) => void): void };
  subscriptions: Record<string, unknown>;
  _keepaliveTimer: NodeJS.Timeout | null;
}
type Packet = { cmd: string; subscriptions?: { qos: number }[] };

/** iot-behaviour 1.4: SUBACK says min(requested, 1). The library would say what was requested, whatever was granted. */
function grantAtMostOne({ cmd, subscriptions = [] }: Packet): void {
  if (cmd === 'subscribe') for (const each of subscriptions) each.qos = Math.min(each.qos, 1);
}

class RefusedConnection extends Error {
  readonly returnCode: 2 | 3 | 4 | 5;
  constructor(returnCode: 2 | 3 | 4 | 5) {
    super('refused');
    this.returnCode = returnCode;
  }
}

/** iot-behaviour 1.1 to 1.7 on top of Aedes. */
export class MqttBroker {
  readonly #parts: BrokerParts;
  readonly #core: Core;
  readonly #memory: BrokerMemory;
  readonly #pressure = new Pressure();
  readonly #attempts = new Attempts();
  readonly #sessions = new Map<Client, Session>();
  readonly #connects = new WeakMap<Client, ConnectPacket>();
  readonly #byScope = new Map<string, Set<Session>>();
  readonly #errors = new Map<string, { at: number; count: number }>();
  readonly #intake: Intake;
  readonly #undo: (() => void)[];
  private constructor(parts: BrokerParts) {
    this.#parts = parts;
    this.#memory = new BrokerMemory(parts.db);
    this.#core = new Core({
      persistence: this.#memory,
      connectTimeout: 10_000,
      drainTimeout: 20_000,
      maxClientsIdLength: limits.clientIdBytes,
      preConnect: (client, packet, done) => this.#preConnect(client, packet, done),
      authenticate: (client, username, password, done) => {
        this.#authenticate(client, username ?? '', password?.toString()).then(
          () => done(null, true),
          (error: Error) => done(Object.assign(error, { returnCode: error instanceof RefusedConnection ? error.returnCode : 3 }), false),
        );
      },
      authorizePublish: (client, packet, done) => {
        const session = client && this.#sessions.get(client);
        // A will comes here with the client that is gone, or with none; without one nobody knows whose it was.
        if (session) this.#intake.publish(client, session, packet, done);
        else done(new Error('nobody'));
      },
      authorizeSubscribe: (client, subscription, done) => done(null, this.#authorizeSubscribe(client, subscription)),
      authorizeForward: (client, packet) => this.#authorizeForward(client, packet),
    });
    this.#intake = new Intake(parts, this.#memory, this.#attempts, this.#core.onlookers);
    this.#core.on('clientReady', (client) => this.#ready(client));
    this.#core.on('clientDisconnect', (client) => this.#gone(client));
    this.#core.on('subscribe', (subscriptions, client) => this.#showStates(subscriptions, client));
    this.#core.on('unsubscribe', (filters, client) => this.#unsubscribeNarrowed(filters, client));
    this.#core.on('clientError', (client, error) =>
      parts.log.debug({ client: client.id, err: error.message }, 'a device connection failed'),
    );
    this.#core.on('connectionError', (_client, error) => parts.log.debug({ err: error.message }, 'a connection never became one'));
    const timer = setInterval(() => {
      if (this.#core.onlookers.count > 0) void this.#recheck(this.#sessionsOf(({ kind }) => kind === 'user'));
    }, recheckUsersMs);
    this.#undo = [
      () => clearInterval(timer),
      parts.directory.onChange((change) => void this.#recheck(this.#concernedBy(change))),
      parts.uplinks.onRejected((notice) => this.#tellRejected(notice)),
    ];
  }

  static async start(parts: BrokerParts): Promise<MqttBroker> {
    const broker = new MqttBroker(parts);
    await broker.#core.listen();
    return broker;
  }

  get connections(): number {
    return this.#sessions.size;
  }

  /** Publishes where somebody may not. */
  get denied(): number {
    return this.#intake.denied;
  }

  get heldBytes(): number {
    return this.#pressure.held;
  }

  /** A socket of any kind that speaks MQTT. */
  accept(socket: ConstructorParameters<typeof GuardedConnection>[0], address: string): void {
    if (this.#attempts.isAddressLockedOut(address)) {
      socket.destroy();
      return;
    }
    this.#core.handle(new GuardedConnection(socket, address, this.#pressure));
  }

  /** To a device, if it is here: commands, its configuration. */
  send(topic: string, payload: string | Buffer, qos: 0 | 1): Promise<void> {
    const packet = { cmd: 'publish', topic, payload, qos, retain: false, dup: false } as const;
    return new Promise((resolve, reject) => this.#core.publish(packet, (error) => (error ? reject(error) : resolve())));
  }

  isConnected(devicePk: number): boolean {
    return (this.#byScope.get(`d${devicePk}`)?.size ?? 0) > 0;
  }

  #preConnect(client: Client, packet: ConnectPacket, done: (error: Error | null, isWelcome: boolean) => void): void {
    (client as unknown as Internals)._parser.prependListener('packet', grantAtMostOne);
    this.#connects.set(client, { ...packet });
    // Asked for nothing, or for more than we wait: a connection that is silent that long is gone.
    if (!packet.keepalive || packet.keepalive > longestKeepalive) packet.keepalive = Math.floor(idleMs / 1500);
    const address = addressOf(client);
    const username = packet.username ?? '';
    done(null, !this.#attempts.isLockedOut(address, username));
    if (this.#attempts.isLockedOut(address, username)) client.conn.destroy();
  }

  async #authenticate(client: Client, username: string, password: string | undefined): Promise<void> {
    const { directory, findUser } = this.#parts;
    const asked = this.#connects.get(client);
    const clientId = asked?.clientId ?? '';
    if (utf8Length(clientId) > limits.clientIdBytes || (clientId === '' && !asked?.clean)) throw new RefusedConnection(2);
    const admission = await admit(directory, findUser, username, password);
    if ('returnCode' in admission) {
      if (admission.returnCode === 4) this.#attempts.failed(addressOf(client), username);
      throw new RefusedConnection(admission.returnCode);
    }
    const { principal } = admission;
    const scope = scopeOf(principal);
    if (this.#attempts.isBlocked(scope) || this.#sessions.size >= mostConnections) throw new RefusedConnection(3);
    if (asked?.will && !isAllowedWill(asked.will, principal)) throw new RefusedConnection(5);
    if (client.closed) throw new Error('The connection is closed.');
    Object.assign(client, { id: `${scope}/${clientId === '' ? client.id : clientId}` });
    this.#sessions.set(client, {
      client,
      principal,
      connectedAt: Date.now(),
      acks: new AckOrder(),
      routes: { of: principal, meanings: new Map() },
      narrowed: new Map(),
    });
    if (principal.kind === 'user') this.#core.onlookers.join(client);
  }

  #ready(client: Client): void {
    const session = this.#sessions.get(client);
    if (!session) return;
    (client.conn as GuardedConnection).admit(this.#laneFor(session));
    const scope = scopeOf(session.principal);
    const siblings = this.#byScope.get(scope) ?? new Set();
    this.#byScope.set(scope, siblings.add(session));
    // Its key may have been replaced since it was looked up.
    void this.#recheck([session]);
    if (session.principal.kind !== 'device') return;
    // design 8: a device that reboots with a new id each time must not lock itself out.
    if (siblings.size > clientIdsPerDevice) [...siblings][0]?.client.close();
    this.#parts.presence.connected(session.principal.device, client.id);
  }

  /** What devices say goes past the broker; people who look on say nothing. */
  #laneFor(session: Session): PublishLane | undefined {
    if (session.principal.kind === 'user') return undefined;
    const { _keepaliveTimer: keepalive } = session.client as unknown as Internals;
    return new PublishLane(
      (published) => this.#intake.takePublished(session, published),
      () => keepalive?.refresh(),
    );
  }

  #gone(client: Client): void {
    const session = this.#sessions.get(client);
    if (!session) return;
    this.#sessions.delete(client);
    this.#memory.forget(client);
    const { principal, connectedAt } = session;
    const scope = scopeOf(principal);
    const siblings = this.#byScope.get(scope);
    const wasReady = siblings?.delete(session) ?? false;
    if (siblings?.size === 0) this.#byScope.delete(scope);
    if (principal.kind === 'user') this.#core.onlookers.leave(client);
    if (principal.kind === 'device' && wasReady)
      this.#parts.presence.disconnected(principal.device, client.id, Math.round((Date.now() - connectedAt) / 1000));
  }

  #authorizeSubscribe(client: Client, subscription: Subscription): Subscription | null {
    const session = this.#sessions.get(client);
    if (!session) return null;
    const { principal, narrowed } = session;
    if (principal.kind === 'user') {
      const isGranted = isReadable(subscription.topic) && this.#core.onlookers.watch(client, subscription.topic);
      return isGranted ? Object.assign(subscription, { qos: 0 }) : null;
    }
    if (Object.keys((client as unknown as Internals).subscriptions).length >= mostFilters) return null;
    const filter = narrowFilter(subscription.topic, principal.speaker);
    if (filter === null) return null;
    if (filter !== subscription.topic) narrowed.set(subscription.topic, filter);
    return Object.assign(subscription, { topic: filter, qos: Math.min(subscription.qos, 1) });
  }

  #showStates(subscriptions: Subscription[], client: Client): void {
    if (this.#sessions.get(client)?.principal.kind !== 'user') return;
    const granted = subscriptions.filter(({ qos }) => Number(qos) < 128).map(({ topic }) => topic);
    this.#core.onlookers
      .showStates(this.#parts.db, client, granted)
      .catch((error: Error) => this.#parts.log.warn({ err: error.message }, 'states of devices could not be read'));
  }

  /** Whoever asked for `#` also takes back `#`. */
  #unsubscribeNarrowed(filters: string[], client: Client): void {
    this.#core.onlookers.unwatch(client, filters);
    const narrowed = this.#sessions.get(client)?.narrowed;
    const topics = filters.flatMap((filter) => narrowed?.get(filter) ?? []);
    if (topics.length > 0 && !client.closed) client.unsubscribe({ unsubscriptions: topics } as never, () => {});
  }

  #authorizeForward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null {
    const principal = this.#sessions.get(client)?.principal;
    if (!principal) return null;
    if (principal.kind === 'user') return /^v1\/[^/]+\/devices\/[^/]+\/(up(\/.*)?|state)$/.test(packet.topic) ? packet : null;
    return mayHear(packet.topic, principal.speaker) ? packet : null;
  }

  #sessionsOf(isConcerned: (principal: Principal) => boolean): Session[] {
    return [...this.#sessions.values()].filter(({ principal }) => isConcerned(principal));
  }

  /** Devices change often and one at a time: that must not cost a look at everybody. */
  #concernedBy(change: DirectoryChange): Session[] {
    if (change.kind === 'device') return [...(this.#byScope.get(`d${change.pk}`) ?? [])];
    return this.#sessionsOf((principal) => isAbout(principal, change));
  }

  /** A key that was deleted or replaced, a device that was disabled: its connections end within a second. */
  async #recheck(concerned: Session[]): Promise<void> {
    const { directory, findUser, log } = this.#parts;
    const check = async (session: Session) => {
      const { principal, client } = session;
      const username =
        principal.kind === 'device'
          ? `${principal.device.channel.channel_id}/${principal.device.device_id}`
          : principal.kind === 'channel'
            ? principal.channel.channel_id
            : '$user';
      const admission = await admit(directory, findUser, username, principal.api_key);
      if ('returnCode' in admission || scopeOf(admission.principal) !== scopeOf(principal)) client.close();
      else session.principal = admission.principal;
    };
    try {
      while (concerned.length > 0) await Promise.all(concerned.splice(0, recheckAtOnce).map(check));
    } catch (error) {
      log.warn({ err: error instanceof Error ? error.message : String(error) }, 'keys of open connections could not be read again');
    }
  }

  /** iot-behaviour 1.10 a: to the device, if it listens, and not more often than it can read. */
  #tellRejected({ channel, device, device_id, code, message, payload, receivedAt }: RejectionNotice): void {
    const topic = errorTopic(channel.channel_id, device?.device_id ?? device_id);
    const [told, now] = [this.#errors.get(topic), Date.now()];
    if (told && now - told.at < errorEveryMs) {
      told.count++;
      return;
    }
    if (this.#errors.size > 10_000) this.#errors.clear();
    this.#errors.set(topic, { at: now, count: 0 });
    const body = { id: idOf(payload), code, message, at: new Date(receivedAt / 1000).toISOString(), count: (told?.count ?? 0) + 1 };
    this.send(topic, JSON.stringify(body), 0).catch(() => {});
  }

  /** Nobody new; those who are here are hung up on and come back elsewhere. */
  async close(): Promise<void> {
    for (const undo of this.#undo) undo();
    await new Promise<void>((resolve) => this.#core.close(() => resolve()));
  }
}

/** The id that the sender gave its message, as far as that can be read. */
function idOf(payload: Buffer): string | number | null {
  try {
    const { id } = JSON.parse(payload.length > 4096 ? '' : payload.toString('utf8')) as { id?: unknown };
    return typeof id === 'number' || (typeof id === 'string' && id.length <= limits.messageIdLength) ? id : null;
  } catch {
    return null;
  }
}

const addressOf = (client: Client): string => (client.conn instanceof GuardedConnection ? client.conn.address : '');

/** Someone who looks on reads what devices say, by whatever filter. */
const isReadable = (filter: string) =>
  /^v1\/[^/$]+\/devices\/[^/]+\/(up|state|#|\+|up\/#)$|^v1\/([^/$]+\/(devices\/)?)?#$|^#$/.test(filter);

/** iot-behaviour 1.7: only about itself, and short. */
function isAllowedWill(will: NonNullable<ConnectPacket['will']>, principal: Principal): boolean {
  if (principal.kind !== 'device' || (will.payload?.length ?? 0) > limits.willBytes) return false;
  const meaning = readTopic(will.topic, principal.speaker);
  return (
    meaning?.kind === 'state' && meaning.channel_id === principal.speaker.channel_id && meaning.device_id === principal.device.device_id
  );
}

function isAbout(principal: Principal, change: Exclude<DirectoryChange, { kind: 'device' }>): boolean {
  if (change.kind === 'all') return true;
  if (principal.kind === 'user') return false;
  return change.pk === (principal.kind === 'channel' ? principal.channel.pk : principal.device.channel.pk);
}
