import pg from 'pg';
import { connectionSettings } from '../../platform/database.ts';
import type { Logger } from '../../platform/log.ts';
import { backendOf, hangUp, submit } from '../../platform/pg-internals.ts';

/** A database fault as PostgreSQL reports it, or a broken connection: then the outcome of the statement is unknown. */
export class WriteFault extends Error {
  readonly code: string | undefined;
  /** The connection is gone; the outcome of the statement has to be looked up. */
  readonly isUnknown: boolean;
  constructor(cause: Error, isUnknown: boolean) {
    super(cause.message, { cause });
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
    this.isUnknown = isUnknown;
  }
}

/** A connection for writes: opened when needed, replaced when it broke. */
export class WriteConnection {
  readonly #databaseUrl: string;
  readonly #log: Logger;
  #client: pg.Client | undefined;
  #pid = 0;

  constructor(databaseUrl: string, log: Logger) {
    this.#databaseUrl = databaseUrl;
    this.#log = log;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Runs statements separated by semicolons as one transaction, with the rows for each COPY in them. All of it is one round trip. */
  async write(text: string, copies: readonly Buffer[], timeoutMs: number): Promise<void> {
    const client = await this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const lost = (error?: Error) => reject(new WriteFault(error ?? new Error('The connection to the database was lost.'), true));
    const timer = setTimeout(() => {
      lost(new Error('The database did not answer in time.'));
      this.#drop(client);
    }, timeoutMs);
    client.once('end', lost);
    submit(client, {
      // The server reads the rows when it comes to their COPY; after a fault it ignores them (protocol, COPY operations).
      send(wire) {
        wire.stream.cork();
        wire.query(text);
        for (const rows of copies) {
          wire.sendCopyFromChunk(rows);
          wire.endCopyFrom();
        }
        wire.stream.uncork();
      },
      done: resolve,
      // The server reports a statement's fault after the rollback; anything else ends the connection.
      failed: (error, isLost) => (isLost ? lost(error) : reject(new WriteFault(error, false))),
    });
    try {
      await promise;
    } catch (error) {
      if (error instanceof WriteFault && error.isUnknown) this.#drop(client);
      throw error;
    } finally {
      clearTimeout(timer);
      client.off('end', lost);
    }
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.#open();
    try {
      return (await client.query<Row>({ text, values, query_timeout: 30_000 } as pg.QueryConfig)).rows;
    } catch (error) {
      const isFault = error instanceof Error && 'severity' in error && error.severity !== 'FATAL';
      if (!isFault) this.#drop(client);
      throw new WriteFault(error instanceof Error ? error : new Error(String(error)), !isFault);
    }
  }

  async #open(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({
      ...connectionSettings(this.#databaseUrl, 'uplinks'),
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    client.on('error', (error) => {
      this.#log.debug({ err: error.message }, 'a connection that writes uplinks was lost');
      this.#drop(client);
    });
    try {
      await client.connect();
      // Points whose device-given time may exist already go through this table.
      await client.query(`create temp table staged_point (like telemetry.metric_point, ord integer not null) on commit delete rows`);
      // A statement of an abandoned connection may still be waiting for a lock; it is ended, so that its outcome can be known.
      if (this.#pid) await client.query('select pg_terminate_backend($1)', [this.#pid]).catch(() => {});
    } catch (error) {
      client.end().catch(() => {});
      throw new WriteFault(error instanceof Error ? error : new Error(String(error)), false);
    }
    this.#pid = backendOf(client).processID;
    this.#client = client;
    return client;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
    hangUp(client);
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    client?.removeAllListeners('end');
    await client?.end().catch(() => {});
  }
}
