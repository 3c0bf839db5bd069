import { limits } from '@telltale/domain/uplinks/limits.ts';
import { readTopic } from '@telltale/domain/uplinks/topics.ts';
import { utf8Length } from '@telltale/domain/uplinks/utf8.ts';
import type { Client, ConnectPacket } from 'aedes';
import { setClientId } from './aedes-internals.ts';
import type { Attempts } from './attempts.ts';
import { addressOf, type GuardedConnection } from './framing-guard.ts';
import { admit, type Principal, scopeOf } from './principal.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { BrokerParts, Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { connack, isVersion5 } from './version5/packets.ts';
import { reasons } from './version5/reasons.ts';
import { RefusedConnection } from './version5/refused-connection.ts';

/** A connection is closed after one and a half times this silence, even when its client asked for a longer keep-alive. */
export const longestKeepalive = 1200;
/** iot-behaviour 7.2 plans with half of it; beyond, connections are told to come back later. */
const usualConnections = 50_000;
/** MQTT 3.1.1: not authorized. */
const connackNotAuthorized = Buffer.from([0x20, 0x02, 0x00, 0x05]);

/** Decides on each CONNECT: by its address, its key and its last will. */
export class SignIn {
  readonly #parts: BrokerParts;
  readonly #attempts: Attempts;
  readonly #sessions: Sessions;
  readonly #refusals: RefusalLog;
  readonly #connects = new WeakMap<Client, ConnectPacket>();

  constructor(parts: BrokerParts, attempts: Attempts, sessions: Sessions, refusals: RefusalLog) {
    this.#parts = parts;
    this.#attempts = attempts;
    this.#sessions = sessions;
    this.#refusals = refusals;
  }

  preConnect(client: Client, packet: ConnectPacket, done: (error: Error | null, isWelcome: boolean) => void): void {
    this.#connects.set(client, { ...packet });
    const is5 = packet.protocolVersion === 5;
    // Version 5 reads the longest time in CONNACK.
    if (!is5 && (!packet.keepalive || packet.keepalive > longestKeepalive)) packet.keepalive = longestKeepalive;
    const address = addressOf(client);
    const username = packet.username ?? '';
    if (!this.#attempts.isLockedOut(address, username)) {
      done(null, true);
      return;
    }
    // Without a word the other end would try again and again, and nobody would know why.
    const isWholeAddress = this.#attempts.isAddressLockedOut(address);
    const sentence = `Locked out for a minute: too many wrong keys came from this address${isWholeAddress ? '' : ' for this user name'}.`;
    if (isWholeAddress) this.#noteLockOut(address, username);
    const conn = client.conn as GuardedConnection;
    conn.once('close', () => done(null, false));
    conn.endWith(is5 ? connack(reasons.banned, sentence) : connackNotAuthorized);
  }

  /** Begins a session, or throws the RefusedConnection that the client is answered. */
  async authenticate(client: Client, username: string, password: string | undefined): Promise<Session> {
    const asked = this.#connects.get(client);
    const clientId = asked?.clientId ?? '';
    if (utf8Length(clientId) > limits.clientIdBytes)
      throw new RefusedConnection(2, `A client id has at most ${limits.clientIdBytes} bytes.`);
    if (clientId.includes('\0')) throw new RefusedConnection(2, 'A client id has no character U+0000.');
    if (clientId === '' && !asked?.clean && !isVersion5(client))
      throw new RefusedConnection(2, 'A session without a client id has to be clean.');
    const principal = await this.#principalOf(client, username, password);
    const most = this.#parts.mostConnections ?? usualConnections;
    if (this.#sessions.size >= most)
      throw new RefusedConnection(3, `There are ${most} connections already; come back later.`, reasons.quotaExceeded);
    if (asked?.will && !isAllowedWill(asked.will, principal))
      throw new RefusedConnection(5, `The last will is not on the state topic of this device, or longer than ${limits.willBytes} bytes.`);
    if (principal.kind === 'device') await this.#parts.uplinks.catchUp(principal.device);
    if (client.closed) throw new Error('The connection is closed.');
    setClientId(client, `${scopeOf(principal)}/${clientId === '' ? client.id : clientId}`);
    return this.#sessions.begin(client, principal);
  }

  async #principalOf(client: Client, username: string, password: string | undefined): Promise<Principal> {
    const admission = await admit(this.#parts.directory, this.#parts.findUser, username, password);
    if ('returnCode' in admission) {
      if (admission.returnCode === 4) this.#failed(client, username);
      throw new RefusedConnection(
        admission.returnCode,
        admission.returnCode === 4
          ? 'The user name and the key do not belong together. The user name is channel/device; copy the key from the page of the device.'
          : 'The device, its channel or the right to read it is switched off.',
      );
    }
    const { principal } = admission;
    if (!this.#attempts.isBlocked(scopeOf(principal))) return principal;
    const sentence =
      'Refused: this key published where it may not three times within a minute. It is let in again a minute after the last time; use the topics that the page of the device shows.';
    this.#refusals.record(principal, 'blocked', addressOf(client), sentence);
    throw new RefusedConnection(5, sentence, reasons.banned);
  }

  /** iot-behaviour 1.2: records the reason in the message log of the device that the user name names. */
  #failed(client: Client, username: string): void {
    const address = addressOf(client);
    this.#attempts.failed(address, username);
    if (!this.#attempts.isLockedOut(address, username)) return;
    this.#parts.log.warn(
      { address, username: username.slice(0, 100) },
      'an MQTT user name is locked out for a minute: too many wrong keys',
    );
    this.#noteLockOut(address, username);
  }

  #noteLockOut(address: string, username: string): void {
    const [channelId = '', deviceId = ''] = username.split('/');
    if (!this.#refusals.isDue(`locked out ${address} ${username.slice(0, 200)}`)) return;
    void this.#parts.directory.findDevice(channelId, deviceId).then(
      (device) =>
        device &&
        this.#refusals.note(
          device.channel,
          device,
          'locked_out',
          username,
          `Locked out for a minute: too many wrong keys ${this.#attempts.isAddressLockedOut(address) ? '' : 'for this device '}came from ${address}. Copy the key again from the page of the device.`,
        ),
      () => {},
    );
  }
}

/** iot-behaviour 1.7: a will may only be about the device itself, and short. */
function isAllowedWill(will: NonNullable<ConnectPacket['will']>, principal: Principal): boolean {
  if (principal.kind !== 'device' || (will.payload?.length ?? 0) > limits.willBytes) return false;
  const meaning = readTopic(will.topic, principal.speaker);
  return (
    meaning?.kind === 'state' && meaning.channel_id === principal.speaker.channel_id && meaning.device_id === principal.device.device_id
  );
}
