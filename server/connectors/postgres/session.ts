import net from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { unreached } from '../hosts.ts';
import { type Listener, messages, ServerFault, talk } from './protocol.ts';

export type SessionConfig = pg.ClientConfig & { host: string; port: number };

/** How values are printed, so that they can be read (wire/copy). */
const printing = {
  standard_conforming_strings: 'on',
  datestyle: 'iso',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  timezone: 'UTC',
};
/** How a dead client is noticed (design 8). */
const watching = { client_connection_check_interval: '5s' };

const answerWithinMs = 10_000;

const asOptions = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Older versions do not know a setting, some systems cannot do it, poolers take none at the start. */
const isRefused = (error: unknown) =>
  error instanceof Error &&
  /unrecognized configuration parameter|unsupported startup parameter|invalid value for parameter "client_connection/i.test(error.message);

/** Where the server of a mark was met. */
export const addressIn = (mark: string): string | undefined => mark.split(' ')[2] || undefined;

/** The name of a local socket is made as the driver makes it. */
export const toServer = ({ host, port }: { host: string; port: number }, address?: string): net.Socket =>
  host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, address ?? host);

/** A request to cancel has a connection of its own. */
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

/** Signed in by the driver, spoken to by us. */
export class PostgresSession {
  readonly #client: pg.Client;
  readonly #target: { host: string; port: number };
  /** What has to be said again whenever the session forgets, because it could not be said at the start. */
  #settings: string[] = [];

  private constructor(client: pg.Client, target: { host: string; port: number }) {
    this.#client = client;
    this.#target = target;
  }

  /** Not every server of the family knows every setting: only the ones it refuses are left out. */
  static async open(config: SessionConfig, signal: AbortSignal): Promise<PostgresSession> {
    for (const settings of [{ ...printing, ...watching }, printing]) {
      try {
        const options = [config.options, asOptions(settings)].filter(Boolean).join(' ');
        return await PostgresSession.#connect({ ...config, options }, signal);
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    }
    const session = await PostgresSession.#connect(config, signal);
    await session.#trySettings();
    return session;
  }

  async #trySettings(): Promise<void> {
    for (const [name, value] of Object.entries(printing)) {
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

  /** Nothing of what was said on it before is known to it any more. */
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
      // A sign-in that fails on our side (no password) would leave the server waiting for it.
      session.destroy();
      throw unreached(error, config);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get #stream(): Duplex {
    return (this.#client as unknown as { connection: { stream: Duplex } }).connection.stream;
  }

  get isBroken(): boolean {
    return this.#stream.destroyed;
  }

  query(text: string, listener: Listener = {}): Promise<void> {
    return talk(this.#stream, messages.query(text), listener);
  }

  /** What a single statement would answer, without running it: also the proof that it is one statement. */
  describe(text: string, listener: Listener): Promise<void> {
    return talk(this.#stream, messages.describe(text), listener);
  }

  /** Both at once, when nothing runs between them: `fields` is told of what both would answer, of the described text last. */
  queryAndDescribe(query: string, text: string, listener: Listener): Promise<void> {
    return talk(this.#stream, Buffer.concat([messages.query(query), messages.describe(text)]), listener, 2);
  }

  /** Asks the server that runs it, not another one behind the same name, to stop what this session runs. */
  cancel(): Promise<void> {
    return cancelOn(toServer(this.#target, (this.#stream as net.Socket).remoteAddress), this.mark);
  }

  /** Which session of which server this is, for a process that has to stop it in our place. */
  get mark(): string {
    const { processID, secretKey } = this.#client as unknown as { processID: number; secretKey: number };
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
