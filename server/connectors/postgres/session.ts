import net from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { backendOf, streamOf } from '../../platform/pg-internals.ts';
import { unreached } from '../hosts.ts';
import { type Listener, messages, ServerFault, talk } from './protocol.ts';

export type SessionConfig = pg.ClientConfig & { host: string; port: number };

/** Settings for the format of values, which wire/copy expects. */
const printing = {
  standard_conforming_strings: 'on',
  datestyle: 'iso',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  timezone: 'UTC',
};
/** Settings that make the server notice a dead client (design 8). */
const watching = { client_connection_check_interval: '5s' };

const answerWithinMs = 10_000;

const asOptions = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** True when the server refused a setting: old versions and some systems lack it, and poolers accept none at the start. */
const isRefused = (error: unknown) =>
  error instanceof Error &&
  /unrecognized configuration parameter|unsupported startup parameter|invalid value for parameter "client_connection/i.test(error.message);

/** The server address in a mark. */
export const addressIn = (mark: string): string | undefined => mark.split(' ')[2] || undefined;

/** Connects to the server; the name of a local socket follows the driver's rule. */
export const toServer = ({ host, port }: { host: string; port: number }, address?: string): net.Socket =>
  host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, address ?? host);

/** Sends a cancel request, which needs a connection of its own. */
export function cancelOn(socket: net.Socket, mark: string): Promise<void> {
  const [processId = 0, secretKey = 0] = mark.split(' ').map(Number);
  return new Promise((resolve) => {
    socket.once('connect', () => {
      const request = Buffer.alloc(16);
      request.writeInt32BE(16, 0);
      request.writeInt32BE(80_877_102, 4);
      request.writeInt32BE(processId, 8);
      request.writeInt32BE(secretKey, 12);
      socket.end(request);
    });
    socket.setTimeout(3000, () => socket.destroy());
    socket.on('error', () => resolve()).on('close', () => resolve());
  });
}

/** A session that the driver signs in and our own protocol code uses. */
export class PostgresSession {
  readonly #client: pg.Client;
  readonly #target: { host: string; port: number };
  /** SET statements to repeat after each reset, because the server refused them at the start. */
  #settings: string[] = [];

  private constructor(client: pg.Client, target: { host: string; port: number }) {
    this.#client = client;
    this.#target = target;
  }

  /** Opens a session; settings that the server refuses are left out, because not every server of the family knows all of them. */
  static async open(config: SessionConfig, signal: AbortSignal, own: Record<string, string> = {}): Promise<PostgresSession> {
    for (const settings of [
      { ...printing, ...watching, ...own },
      { ...printing, ...own },
    ]) {
      try {
        const options = [config.options, asOptions(settings)].filter(Boolean).join(' ');
        return await PostgresSession.#connect({ ...config, options }, signal);
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    }
    const session = await PostgresSession.#connect(config, signal);
    await session.#trySettings({ ...printing, ...own });
    return session;
  }

  async #trySettings(settings: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      const text = `set ${name} = '${value}'`;
      try {
        await this.query(text);
        this.#settings.push(text);
      } catch (error) {
        if (error instanceof ServerFault) continue;
        this.destroy();
        throw error;
      }
    }
  }

  /** Resets the session to its initial state. */
  async forget(): Promise<void> {
    await this.query('discard all');
    if (this.#settings.length > 0) await this.query(this.#settings.join('; '));
  }

  static async #connect(config: SessionConfig, signal: AbortSignal): Promise<PostgresSession> {
    const { Client } = (await import('pg')).default;
    signal.throwIfAborted();
    const client = new Client({ ...config, connectionTimeoutMillis: answerWithinMs, keepAlive: true });
    client.on('error', () => {});
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const session = new PostgresSession(client, { host: config.host, port: config.port });
    try {
      await Promise.race([client.connect(), stopped]);
      return session;
    } catch (error) {
      // When a sign-in fails on our side (no password), the server would wait for it.
      session.destroy();
      throw unreached(error, config);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get #stream(): Duplex {
    return streamOf(this.#client);
  }

  get isBroken(): boolean {
    return this.#stream.destroyed;
  }

  query(text: string, listener: Listener = {}): Promise<void> {
    return talk(this.#stream, messages.query(text), listener);
  }

  /** Describes the result of a statement without running it; this also proves that it is a single statement. */
  describe(text: string, listener: Listener): Promise<void> {
    return talk(this.#stream, messages.describe(text), listener);
  }

  /** Runs a query and describes a text in one exchange; `fields` is called for both, for the described text last. */
  queryAndDescribe(query: string, text: string, listener: Listener): Promise<void> {
    return talk(this.#stream, Buffer.concat([messages.query(query), messages.describe(text)]), listener, 2);
  }

  /** Asks the very server of this session, not another one with the same name, to stop its statement. */
  cancel(): Promise<void> {
    return cancelOn(toServer(this.#target, (this.#stream as net.Socket).remoteAddress), this.mark);
  }

  /** Identifies the session and its server, so that another process can stop it. */
  get mark(): string {
    const { processID, secretKey } = backendOf(this.#client);
    return `${processID} ${secretKey} ${(this.#stream as net.Socket).remoteAddress ?? ''}`;
  }

  async close(): Promise<void> {
    if (this.isBroken) return;
    await Promise.race([this.#client.end(), new Promise((resolve) => setTimeout(resolve, 1000).unref())]).catch(() => {});
    this.#stream.destroy();
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
