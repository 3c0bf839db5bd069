import { Aedes, type Client, type ConnectPacket, type PublishPacket } from 'aedes';

/**
 * The only file that uses members of Aedes which its types leave out (tests/architecture.test.ts). aedes-internals.test.ts checks each of
 * them on a real connection, so that a new version without them fails there, by name.
 */
interface ClientInternals {
  _parser: {
    prependListener(event: 'packet', listener: (packet: ReadPacket) => void): void;
    prependListener(event: 'error', listener: (error: Error) => void): void;
  };
  _keepaliveTimer: NodeJS.Timeout | null;
  _nextId: number;
  _requestProblemInformation?: boolean;
  subscriptions: Record<string, Granted>;
  deliverQoS(packet: object, done: (error?: Error | null) => void): void;
  deliver0(packet: object, done: (error?: Error | null) => void): void;
}

/** A packet as the parser has read it. */
export interface ReadPacket {
  cmd: string;
  messageId?: number;
  subscriptions?: { topic: string; qos: number }[];
}

/** A subscription of a client; `si` is its identifier (MQTT 5). */
interface Granted {
  qos: number;
  si?: number;
}

const largestId = 65_535;
const internalsOf = (client: Client) => client as unknown as ClientInternals;

/** Calls the listener with each packet of the client before Aedes handles it; the listener may change the packet. */
export const beforeHandling = (client: Client, listener: (packet: ReadPacket) => void): void =>
  internalsOf(client)._parser.prependListener('packet', listener);

/** Calls the listener when bytes of the client cannot be read, before Aedes hangs up. */
export const beforeParseError = (client: Client, listener: (error: Error) => void): void =>
  internalsOf(client)._parser.prependListener('error', listener);

/** The subscriptions of a client by their filter. */
export const grantedTo = (client: Client): Readonly<Record<string, Granted>> => internalsOf(client).subscriptions;

/** The timer that ends a silent connection; null for one without a keep alive time. */
export const keepaliveTimerOf = (client: Client): NodeJS.Timeout | null => internalsOf(client)._keepaliveTimer;

/** False when a client of MQTT 5 asked for no reasons (3.1.2.11.7). */
export const wantsProblemInformation = (client: Client): boolean => internalsOf(client)._requestProblemInformation !== false;

/** Takes the next packet id of a client, from the numbers that Aedes uses as well. */
export function takeMessageId(client: Client): number {
  const internals = internalsOf(client);
  const id = internals._nextId;
  internals._nextId = id >= largestId ? 1 : id + 1;
  return id;
}

/** Writes a PUBLISH to one client without looking at its subscriptions. */
export const deliverTo = (client: Client, packet: PublishPacket, done: () => void): void =>
  packet.qos === 0 ? internalsOf(client).deliver0(packet, done) : internalsOf(client).deliverQoS(packet, done);

/** Makes Aedes send no answer to a PUBLISH, because it was answered already. */
export const markAnswered = (packet: PublishPacket): void => void Object.assign(packet, { _notAuthorized: true });

/** Changes the id under which Aedes knows a client, before its session begins. */
export const setClientId = (client: Client, id: string): void => void Object.assign(client, { id });

export type PublishDone = (error?: Error | null) => void;
type Will = NonNullable<ConnectPacket['will']>;

/** Aedes with the methods that it calls by itself, for a broker to take over. */
export abstract class OpenAedes extends Aedes {
  /** Called when a client of MQTT 5 is gone and no other connection takes its session over. */
  protected abstract sessionEnds(client: Client): void;
  /** Called with each message to publish; `client` is null for messages of this process. */
  protected abstract publishes(packet: PublishPacket, client: Client | null, done: PublishDone): void;

  /** Publishes as Aedes does: asks authorizePublish and tells subscribers. */
  protected passOn(packet: PublishPacket, client: Client | null, done: PublishDone): void {
    const { publish } = Aedes.prototype as unknown as { publish: OpenAedes['publishes'] };
    publish.call(this, packet, client, done);
  }

  scheduleSessionExpiry(client: Client): void {
    const { _takingOver: taken } = this as unknown as { _takingOver: Set<string> };
    if (client.version === 5 && !this.closed && !taken.has(client.id)) this.sessionEnds(client);
  }

  /** A will is marked, because it may come when its client is long gone. */
  publishWill(client: Client, will: Will): void {
    const { publishWill } = Aedes.prototype as unknown as { publishWill: (client: Client, will: Will) => void };
    publishWill.call(this, client, Object.assign(will, { isWill: true }));
  }

  // The types leave out that a client may come before the callback.
  override publish = ((packet: PublishPacket, client: Client | null | PublishDone, callback?: PublishDone) => {
    const done = (typeof client === 'function' ? client : callback) ?? (() => {});
    this.publishes(packet, typeof client === 'function' ? null : client, done);
  }) as Aedes['publish'];
}
