import net from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { type Listener, messages, talk } from './protocol.ts';

export type SessionConfig = pg.ClientConfig & { host: string; port: number };

/** How values are printed, so that they can be read (wire/copy), and how a dead client is noticed (design 8). */
const printing =
  '-c standard_conforming_strings=on -c datestyle=iso -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c timezone=UTC';

/** Signed in by the driver, spoken to by us. */
export class PostgresSession {
  readonly #client: pg.Client;
  readonly #target: { host: string; port: number };

  private constructor(client: pg.Client, target: { host: string; port: number }) {
    this.#client = client;
    this.#target = target;
  }

  /** Not every server of the family knows every setting: the ones it refuses are left out at the second try. */
  static async open(config: SessionConfig, signal: AbortSignal): Promise<PostgresSession> {
    try {
      return await PostgresSession.#connect({ ...config, options: `${printing} -c client_connection_check_interval=5s` }, signal);
    } catch (error) {
      if (!(error instanceof Error) || !/unrecognized configuration parameter|unsupported startup parameter/i.test(error.message))
        throw error;
      return PostgresSession.#connect(config, signal);
    }
  }

  static async #connect(config: SessionConfig, signal: AbortSignal): Promise<PostgresSession> {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000, keepAlive: true });
    client.on('error', () => {});
    const stop = () => void client.end().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    const session = new PostgresSession(client, { host: config.host, port: config.port });
    try {
      await client.connect();
      return session;
    } catch (error) {
      // A sign-in that fails on our side (no password) would leave the server waiting for it.
      session.destroy();
      throw error;
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

  /** Asks the server, on a connection of its own, to stop what this session runs. */
  cancel(): Promise<void> {
    const { processID, secretKey } = this.#client as unknown as { processID: number; secretKey: number };
    return new Promise((resolve) => {
      // The server that runs it, not another one behind the same name.
      const socket = net.connect(this.#target.port, (this.#stream as net.Socket).remoteAddress ?? this.#target.host, () => {
        const request = Buffer.alloc(16);
        request.writeInt32BE(16, 0);
        request.writeInt32BE(80_877_102, 4);
        request.writeInt32BE(processID, 8);
        request.writeInt32BE(secretKey, 12);
        socket.end(request);
      });
      socket.setTimeout(3000, () => socket.destroy());
      socket.on('error', () => resolve()).on('close', () => resolve());
    });
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
