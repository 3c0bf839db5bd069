import pg from 'pg';
import { connectionSettings } from '../../platform/database.ts';
import type { Logger } from '../../platform/log.ts';

/** What pg's connection can do and its types do not say. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  stream: { cork(): void; uncork(): void; destroy(): void };
}

/** A database fault as PostgreSQL tells it, or a connection that broke: then nobody knows what became of the statement. */
export class WriteFault extends Error {
  readonly code: string | undefined;
  /** The connection is gone; whether the statement was carried out has to be looked up. */
  readonly isUnknown: boolean;
  constructor(cause: Error, isUnknown: boolean) {
    super(cause.message, { cause });
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
    this.isUnknown = isUnknown;
  }
}

/** One connection that writes: opened when needed, replaced when it broke. */
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

  /** Statements separated by semicolons are one transaction; for each COPY in them, its rows. All of it is one round trip. */
  async write(text: string, copies: readonly Buffer[], patienceMs: number): Promise<void> {
    const client = await this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // The server reads the rows when it comes to their COPY; after a fault it ignores them (protocol, COPY operations).
    const submit = (wire: Wire) => {
      wire.stream.cork();
      wire.query(text);
      for (const rows of copies) {
        wire.sendCopyFromChunk(rows);
        wire.endCopyFrom();
      }
      wire.stream.uncork();
    };
    const lost = (error?: Error) => reject(new WriteFault(error ?? new Error('The connection to the database was lost.'), true));
    const timer = setTimeout(() => {
      lost(new Error('The database did not answer in time.'));
      this.#drop(client);
    }, patienceMs);
    client.once('end', lost);
    client.query({
      submit,
      handleCopyInResponse() {},
      handleCommandComplete() {},
      handleRowDescription() {},
      handleDataRow() {},
      handleEmptyQuery() {},
      handleReadyForQuery: resolve,
      // The server tells of a statement's fault after it has undone it; anything else is the end of the connection.
      handleError: (error: Error) =>
        'severity' in error && error.severity === 'ERROR' ? reject(new WriteFault(error, false)) : lost(error),
    } as unknown as pg.Submittable);
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
      // Where a time of the device's own may meet itself again, rows go through here.
      await client.query(`create temp table staged_point (like telemetry.metric_point, ord integer not null) on commit delete rows`);
      // A statement of a connection that was given up may still be waiting for something; its outcome has to be known.
      if (this.#pid) await client.query('select pg_terminate_backend($1)', [this.#pid]).catch(() => {});
    } catch (error) {
      client.end().catch(() => {});
      throw new WriteFault(error instanceof Error ? error : new Error(String(error)), false);
    }
    this.#pid = (client as unknown as { processID: number }).processID;
    this.#client = client;
    return client;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
    (client as unknown as { connection: Wire }).connection.stream.destroy();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    client?.removeAllListeners('end');
    await client?.end().catch(() => {});
  }
}
