import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { generate, type IConnackPacket, type IPublishPacket, type Packet, parser } from 'mqtt-packet';
import { connectionFault } from '../platform/outgoing/connection-fault.ts';
import { type BrokerAddress, requireAddresses } from './address.ts';
import { AckOrder } from './mqtt/ack-order.ts';

export interface MqttSettings {
  address: BrokerAddress;
  username: string | undefined;
  password: string | undefined;
  client_id: string;
  /** The broker keeps messages for us while we are disconnected. */
  keepsSession: boolean;
  subscriptions: readonly string[];
  /** The QoS requested by a subscription; the broker may grant less. */
  qos: 0 | 1;
}

/**
 * Resolves when the message is on disk; only then it is acknowledged. A rejection closes the connection, so that the broker sends it again.
 */
export type OnMessage = (message: {
  topic: string;
  payload: Buffer;
  isRepeat: boolean;
  qos: number;
  /** 0 for QoS 0. */
  messageId: number;
}) => Promise<void>;

const connectMs = 10_000;
const keepaliveSeconds = 30;
const answerMs = 10_000;
/** Messages that wait for the disk; beyond this the socket is not read. */
const mostPending = 1000;
const largestPacket = 1024 * 1024;

const refusals: Record<number, string> = {
  1: 'does not speak MQTT 3.1.1',
  2: 'does not accept the client id',
  3: 'is not available at the moment',
  4: 'does not accept the user name or key',
  5: 'does not let this account in',
};

/** The refusal of a broker, in words for the user who configured the network. */
export class LinkRefused extends Error {
  override name = 'LinkRefused';
  readonly isAuth: boolean;
  constructor(message: string, isAuth: boolean) {
    super(message);
    this.isAuth = isAuth;
  }
}

/**
 * A connection to an external broker. Unlike the usual client it takes in messages while earlier ones are being stored, so one group commit
 * holds many of them, and acknowledges each after its own commit, in order (iot-behaviour 1.9).
 */
export class MqttLink {
  readonly #socket: Socket;
  readonly #side: string;
  readonly #onMessage: OnMessage;
  readonly #acks = new AckOrder();
  readonly #waiting = new Map<string, { resolve(packet: Packet): void; reject(error: Error): void }>();
  readonly #incoming = new Set<number>();
  #pending = 0;
  #nextId = 1;
  #heardAt = Date.now();
  #pinger: NodeJS.Timeout | undefined;
  /** Resolves with the reason when the connection is gone. */
  readonly closed: Promise<Error>;
  #end: (reason: Error) => void = () => {};
  #isClosed = false;

  private constructor(socket: Socket, side: string, onMessage: OnMessage) {
    this.#socket = socket;
    this.#side = side;
    this.#onMessage = onMessage;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
    const reader = parser({ protocolVersion: 4 });
    reader.on('packet', (packet: Packet) => this.#handle(packet));
    reader.on('error', (error: Error) => this.#close(error));
    let unread = 0;
    socket.on('data', (chunk: Buffer) => {
      this.#heardAt = Date.now();
      unread = reader.parse(chunk);
      if (unread > largestPacket) this.#close(new Error(`${side} sent a message that is too large.`));
    });
    socket.on('error', (error) => this.#close(new Error(connectionFault(error, side)?.message ?? error.message)));
    socket.on('close', () => this.#close(new Error(`${side} closed the connection.`)));
  }

  static async open(settings: MqttSettings, onMessage: OnMessage): Promise<MqttLink> {
    const { address, username, password, client_id, keepsSession, subscriptions, qos } = settings;
    const side = `${isIP(address.host) === 6 ? `[${address.host}]` : address.host}:${address.port}`;
    const socket = await openSocket(address, side);
    const link = new MqttLink(socket, side, onMessage);
    try {
      const answer = link.#answer('connack');
      link.#send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: !keepsSession,
        clientId: client_id,
        keepalive: keepaliveSeconds,
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password: Buffer.from(password) }),
      });
      const { returnCode = 0 } = (await answer) as IConnackPacket;
      if (returnCode !== 0)
        throw new LinkRefused(`${side} ${refusals[returnCode] ?? `refused the connection (code ${returnCode})`}.`, returnCode >= 4);
      link.#pinger = setInterval(() => link.#ping(), (keepaliveSeconds * 1000) / 2);
      if (subscriptions.length > 0) await link.#subscribe(subscriptions, qos);
      return link;
    } catch (error) {
      link.#close(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** Resolves when the broker has acknowledged it. */
  async publish(topic: string, payload: string, qos: 0 | 1): Promise<void> {
    if (this.#isClosed) throw new Error(`${this.#side} is not connected.`);
    const packet: IPublishPacket = { cmd: 'publish', topic, payload: Buffer.from(payload), qos, dup: false, retain: false };
    if (qos === 0) {
      this.#send(packet);
      return;
    }
    const messageId = this.#takeId();
    const answer = this.#answer(`puback ${messageId}`);
    this.#send({ ...packet, messageId });
    await answer;
  }

  /** Messages that are still being stored stay unacknowledged, so the broker sends them again on the next connection. */
  close(): void {
    if (!this.#isClosed) this.#send({ cmd: 'disconnect' });
    this.#close(new Error('The connection was closed.'));
  }

  async #subscribe(topics: readonly string[], qos: 0 | 1): Promise<void> {
    const messageId = this.#takeId();
    const answer = this.#answer(`suback ${messageId}`);
    this.#send({ cmd: 'subscribe', messageId, subscriptions: topics.map((topic) => ({ topic, qos })) });
    const { granted } = (await answer) as { granted?: (number | { qos: number })[] } & Packet;
    if (granted?.some((code) => (typeof code === 'number' ? code : code.qos) === 128))
      throw new LinkRefused(`${this.#side} does not let this account subscribe to ${topics.join(', ')}.`, true);
  }

  #handle(packet: Packet): void {
    switch (packet.cmd) {
      case 'publish':
        this.#take(packet);
        return;
      case 'connack':
        this.#answered('connack', packet);
        return;
      case 'suback':
      case 'puback':
        this.#answered(`${packet.cmd} ${packet.messageId}`, packet);
        return;
      case 'pubrel':
        this.#incoming.delete(packet.messageId ?? 0);
        this.#send({ cmd: 'pubcomp', messageId: packet.messageId ?? 0 });
        return;
      default:
        return;
    }
  }

  #take({ topic, payload, qos, messageId = 0, dup }: IPublishPacket): void {
    const acknowledge = () => {
      if (qos === 1) this.#send({ cmd: 'puback', messageId });
      else if (qos === 2) this.#send({ cmd: 'pubrec', messageId });
    };
    if (qos === 2 && this.#incoming.has(messageId)) {
      acknowledge();
      return;
    }
    const answer = this.#acks.place((error) => {
      if (error) this.#close(error);
      else {
        if (qos === 2) this.#incoming.add(messageId);
        acknowledge();
      }
    });
    this.#pending++;
    if (this.#pending === mostPending) this.#socket.pause();
    this.#onMessage({ topic, payload: Buffer.from(payload), isRepeat: dup, qos, messageId })
      .then(() => answer(null), answer)
      .finally(() => {
        if (this.#pending-- === mostPending) this.#socket.resume();
      });
  }

  #ping(): void {
    const silentMs = Date.now() - this.#heardAt;
    if (silentMs > keepaliveSeconds * 1500 && !this.#socket.isPaused()) this.#close(new Error(`${this.#side} fell silent.`));
    else this.#send({ cmd: 'pingreq' });
  }

  #answer(key: string): Promise<Packet> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(key);
        reject(new Error(`${this.#side} did not answer in time.`));
      }, answerMs);
      const settled =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          this.#waiting.delete(key);
          act(value);
        };
      this.#waiting.set(key, { resolve: settled(resolve), reject: settled(reject) });
    });
  }

  #answered(key: string, packet: Packet): void {
    this.#waiting.get(key)?.resolve(packet);
  }

  #takeId(): number {
    const id = this.#nextId;
    this.#nextId = id === 65_535 ? 1 : id + 1;
    return id;
  }

  #send(packet: Packet): void {
    if (!this.#isClosed && this.#socket.writable) this.#socket.write(generate(packet));
  }

  #close(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#pinger);
    for (const { reject } of [...this.#waiting.values()]) reject(reason);
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), 500).unref();
    this.#end(reason);
  }
}

/** Resolves the name once and checks the result; the connection goes only to the checked addresses. */
async function openSocket(address: BrokerAddress, side: string): Promise<Socket> {
  const { host, port, tls } = address;
  const addresses = await requireAddresses(address);
  const socket = connectTcp({
    host,
    port,
    autoSelectFamily: true,
    noDelay: true,
    lookup: (_name, { all }, answer) =>
      all ? answer(null, addresses) : answer(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4),
  });
  const opened = tls ? connectTls({ socket, host, ...(isIP(host) ? {} : { servername: host }) }) : socket;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Error(connectionFault(error, side)?.message ?? error.message));
    };
    const timer = setTimeout(() => fail(new Error(`${side} could not be reached within 10 seconds.`)), connectMs);
    socket.once('error', fail);
    opened.once('error', fail);
    opened.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      opened.off('error', fail);
      socket.off('error', fail);
      socket.on('error', () => {});
      resolve(opened);
    });
  });
}
