import { isTimeZone } from '@telltale/domain/organization/settings.ts';
import { ClickhouseConnection, rowsOf } from '../clickhouse/connection.ts';
import { ClickhouseServer } from '../clickhouse/server.ts';
import { type Connection, type ConnectorEnv, QueryError, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import type { HistoryAddress } from './history-address.ts';
import { gate, type ServerNames, writtenPlace } from './history-gate.ts';
import { pushDown } from './history-pushdown.ts';
import { type Reach, readerDatabase, readerViews } from './history-views.ts';

/** IoT data in ClickHouse: one SELECT on views that show the channels of this reader, with `readonly = 1`. */
export class HistoryConnection implements Connection {
  readonly #server: ClickhouseServer;
  readonly #inner: ClickhouseConnection;
  readonly #store: string;
  readonly #channelPks: readonly number[] | null;
  readonly #made = new Set<string>();

  constructor(server: ClickhouseServer, inner: ClickhouseConnection, store: string, channelPks: readonly number[] | null) {
    this.#server = server;
    this.#inner = inner;
    this.#store = store;
    this.#channelPks = channelPks;
  }

  static async open(
    { database, ...address }: HistoryAddress,
    channelPks: readonly number[] | null,
    { http }: ConnectorEnv,
    signal: AbortSignal,
  ): Promise<HistoryConnection> {
    const server = new ClickhouseServer(http, { ...address, dbname: 'default', verify: true, timeout: 0 });
    const rules = { allowWrites: false, database: 'default', keepsPrewhere: channelPks !== null };
    return new HistoryConnection(server, await ClickhouseConnection.open(server, rules, signal), database, channelPks);
  }

  async run({ query, note, time_zone = 'UTC' }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const reach = this.#reach(time_zone);
    const database = await this.#ready(reach, signal);
    const gated = gate(query, database, await this.#names(signal));
    const pushed = pushDown(gated.query, database, (relation, conditions) => readerViews(reach, conditions).get(relation) ?? relation);
    const named = (message: string) => message.replaceAll(database, 'app');
    if (pushed !== undefined) {
      try {
        return await this.#inner.run({ query: pushed, note, database }, sink, signal);
      } catch (error) {
        if (!(error instanceof QueryError) || signal.aborted) throw error;
        if (sink.hasColumns) throw new QueryError(named(error.message), {}, error);
        // The text as it was written says what is wrong with it, and where; or it runs, and nobody need know.
      }
    }
    try {
      await this.#inner.run({ query: gated.query, note, database }, sink, signal);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      throw new QueryError(named(error.message), writtenPlace(error, query, gated.replaced, database.length - 'app'.length), error);
    }
  }

  async schema(signal: AbortSignal): Promise<SchemaTable[]> {
    const database = await this.#ready(this.#reach('UTC'), signal);
    const rows = await rowsOf(this.#server, columnsQuery(database), signal);
    const tables = new Map<string, SchemaTable>();
    for (const [table, name, type] of rows) {
      const title = `app.${table}`;
      const found = tables.get(title) ?? { name: title, columns: [] };
      tables.set(title, found);
      found.columns.push({ name: String(name), type: String(type) });
    }
    return [...tables.values()];
  }

  async test(signal: AbortSignal): Promise<void> {
    await this.#ready(this.#reach('UTC'), signal);
  }

  async close(): Promise<void> {}

  #reach(zone: string): Reach {
    if (!isTimeZone(zone) || !/^[\w+/-]+$/.test(zone)) throw new QueryError(`${zone} is not a time zone.`);
    return { store: this.#store, channelPks: this.#channelPks, zone };
  }

  /** Makes the views of this reader where they are missing; making them twice at one moment does no harm. */
  async #ready(reach: Reach, signal: AbortSignal): Promise<string> {
    const database = readerDatabase(reach);
    if (this.#made.has(database)) return database;
    await this.#do(`CREATE DATABASE IF NOT EXISTS ${database}`, signal);
    for (const [name, text] of readerViews(reach)) await this.#do(`CREATE VIEW IF NOT EXISTS ${database}.${name} AS ${text}`, signal);
    this.#made.add(database);
    return database;
  }

  async #do(statement: string, signal: AbortSignal): Promise<void> {
    await (await this.#server.send(statement, signal)).text();
  }

  /** Asked before every statement: an administrator may have made another database since the last one. */
  async #names(signal: AbortSignal): Promise<ServerNames> {
    const rows = await rowsOf(this.#server, namesQuery, signal);
    const listed = (kind: string) => new Set(rows.filter(([found]) => found === kind).map(([, name]) => String(name).toLowerCase()));
    return { databases: listed('database'), tableFunctions: listed('function') };
  }
}

const namesQuery = `SELECT 'database' AS kind, name FROM system.databases UNION ALL SELECT 'function' AS kind, name FROM system.table_functions`;

const columnsQuery = (database: string) =>
  `SELECT table, name, type FROM system.columns WHERE database = '${database}' ORDER BY table, name`;
