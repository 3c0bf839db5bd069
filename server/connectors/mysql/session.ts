import type { Socket } from 'node:net';
import type { ConnectionOptions, Connection as Driver } from 'mysql2';
import { QueryError } from '../connector.ts';
import { type Host, unreached } from '../hosts.ts';
import type { Field } from './types.ts';

export type SessionConfig = Pick<ConnectionOptions, 'port' | 'user' | 'password' | 'ssl' | 'connectTimeout'> & {
  host: Host;
  port: number;
  database: string;
};

export interface Listener {
  fields?(fields: Field[]): void;
  /** Returns false when the session should wait for `ready()`. */
  row?(values: (Buffer | null)[]): boolean;
  ready?(): Promise<void>;
}

/** An error reported by the server. */
export interface ServerFault extends Error {
  errno: number;
  sqlMessage: string;
}

export const isServerFault = (error: unknown): error is ServerFault =>
  error instanceof Error && 'sqlMessage' in error && typeof error.sqlMessage === 'string';

const lost = (cause?: unknown) => new QueryError('The connection to the database was lost.', {}, cause);

/** A connection that returns rows as bytes, no faster than the reader takes them. */
export class MysqlSession {
  readonly #driver: Driver;
  readonly #socket: Socket;
  readonly #config: SessionConfig;
  /** The address that answered, because several servers may share a name. */
  #address: string | undefined;
  #isBroken = false;

  private constructor(driver: Driver, socket: Socket, config: SessionConfig) {
    this.#driver = driver;
    this.#socket = socket;
    this.#config = config;
  }

  static async open(config: SessionConfig, signal: AbortSignal): Promise<MysqlSession> {
    signal.throwIfAborted();
    const { createConnection } = (await import('mysql2')).default;
    const { host, ...rest } = config;
    const socket = host.socket().connect(config.port).setNoDelay(true).setKeepAlive(true);
    const driver = createConnection({
      ...rest,
      host: host.name,
      stream: socket,
      charset: 'utf8mb4',
      rowsAsArray: true,
      // Values stay bytes, and the driver compiles no code from column names.
      typeCast: false,
      disableEval: true,
      multipleStatements: false,
      // The server must not request files of ours.
      flags: ['-LOCAL_FILES', '-IGNORE_SPACE'],
    });
    const session = new MysqlSession(driver, socket, config);
    driver.on('error', () => session.destroy());
    driver.on('end', () => session.destroy());
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    // A destroyed driver reports nothing itself.
    driver.once('end', () => reject(new Error('Connection terminated before the handshake')));
    driver.connect((error) => (error ? reject(error) : resolve()));
    try {
      await connected;
      session.#address = socket.remoteAddress;
      return session;
    } catch (error) {
      session.destroy();
      throw unreached(error, { host: host.name, port: config.port });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Runs one statement; several at once are not allowed. Only the first result of a procedure is returned. */
  query(sql: string, listener: Listener = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      const driver = this.#driver;
      if (this.#isBroken) return reject(lost());
      const leave = (end: () => void) => {
        driver.off('error', onLost).off('end', onLost);
        end();
      };
      const onLost = (error?: Error) => leave(() => reject(isServerFault(error) ? error : lost(error)));
      const giveUp = (error: unknown) => {
        leave(() => reject(error));
        this.destroy();
      };
      let results = 0;
      const onFields = (fields: Field[] | undefined) => {
        if (fields && ++results === 1) listener.fields?.(fields);
      };
      const onRow = (values: unknown) => {
        if (!Array.isArray(values) || results > 1 || this.#isBroken) return;
        try {
          if (listener.row?.(values as (Buffer | null)[]) !== false || !listener.ready) return;
          driver.pause();
          listener.ready().then(() => driver.resume(), giveUp);
        } catch (error) {
          giveUp(error);
        }
      };
      driver.on('error', onLost).on('end', onLost);
      driver
        .query({ sql, values: [] })
        .on('fields', (fields: unknown) => onFields(fields as Field[] | undefined))
        .on('result', onRow)
        .on('error', (error) => leave(() => reject(error)))
        .on('end', () => leave(resolve));
    });
  }

  /** Lets the server parse a statement without running it. */
  prepare(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isBroken) return reject(lost());
      const onLost = (error?: Error) => reject(lost(error));
      this.#driver.once('error', onLost).once('end', onLost);
      this.#driver.prepare(sql, (error, statement) => {
        this.#driver.off('error', onLost).off('end', onLost);
        if (error) return reject(error);
        statement.close();
        resolve();
      });
    });
  }

  /** Returns few and small rows, as texts. */
  async rows(sql: string): Promise<(string | null)[][]> {
    const rows: (string | null)[][] = [];
    await this.query(sql, {
      row: (values) => {
        rows.push(values.map((value) => value?.toString('utf8') ?? null));
        return true;
      },
    });
    return rows;
  }

  /** Asks the server, on another connection, to stop this session's statement or to end the session. */
  async kill(what: 'query' | 'connection'): Promise<void> {
    const { host, ...rest } = this.#config;
    const other = await MysqlSession.open({ ...rest, host: host.at(this.#address), connectTimeout: 3000 }, AbortSignal.timeout(3000));
    try {
      await other.query(`kill ${what} ${Number(this.#driver.threadId)}`);
    } finally {
      other.destroy();
    }
  }

  /** Identifies the session and its server, so that another process can end it. */
  get mark(): string {
    return `${Number(this.#driver.threadId)}@${this.#address ?? ''}`;
  }

  /** Clears the variables, settings, locks, temporary tables and prepared statements of the session. */
  async reset(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#driver.reset((error) => (error ? reject(error) : resolve())));
  }

  async close(): Promise<void> {
    if (this.#isBroken) return;
    const ended = new Promise<void>((resolve) => this.#driver.end(() => resolve()));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    this.destroy();
  }

  destroy(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#driver.destroy();
    // The driver only sends a farewell, and the server would go on sending rows.
    this.#socket.destroy();
  }
}
