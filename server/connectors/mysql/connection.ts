import { setTimeout as sleep } from 'node:timers/promises';
import { quoteName, quoteText } from '@telltale/domain/sql/quote.ts';
import { type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import { type Connection, placeOf, QueryError, readOnlyMessage, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { commentOf } from './comment.ts';
import { readExcess } from './excess.ts';
import { queryErrorOf } from './faults.ts';
import { isMistyped, requireReading } from './reading.ts';
import { readDatabases, readSchema } from './schema.ts';
import { isServerFault, type MysqlSession } from './session.ts';
import { columnOf } from './types.ts';

export interface Rules {
  /** Without it everything runs in a read-only transaction. */
  allowWrites: boolean;
  /** The source's own database, which is selected again after every statement. */
  database: string;
}

const syntaxError = 1064;

/** Modes that change where texts and names end, which our splitter does not support (domain/sql/dialect.ts). */
const foreignModes = new Set(['NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES', 'ANSI', 'DB2', 'MAXDB', 'MSSQL', 'ORACLE', 'POSTGRESQL']);

/** Together they are shorter than the executor's own time limit (executor/pool.ts). */
const [obeyWithinMs, heardWithinMs] = [1500, 500];
const repeatMs = 200;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export class MysqlConnection implements Connection {
  readonly #session: MysqlSession;
  readonly #rules: Rules;
  #sqlMode: string | undefined;
  /** Resolves when the traces of the last statement are removed. */
  #clean: Promise<void>;

  constructor(session: MysqlSession, rules: Rules) {
    this.#session = session;
    this.#rules = rules;
    this.#clean = this.#prepare();
    this.#clean.catch(() => {});
  }

  async run({ query, database, note, time_zone = 'UTC' }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const statements = splitStatements(query, 'mysql');
    const last = statements.at(-1);
    if (!last) throw new QueryError("Can't execute empty query.");
    if (!this.#rules.allowWrites) requireReading(query, statements);
    const mistyped = this.#rules.allowWrites ? undefined : statements.find(isMistyped);
    await this.#alone(signal, database, async () => {
      if (mistyped) return this.#refuse(query, mistyped);
      if (time_zone !== 'UTC') await this.#enterZone(time_zone);
      const isPlaced = (statement: SqlStatement) => (error: unknown) => {
        throw queryErrorOf(query, statement, error);
      };
      for (const statement of statements.slice(0, -1)) {
        await this.#session.query(statement.text).catch(isPlaced(statement));
        // The server reports no error for a stopped BENCHMARK(), nor MySQL for a stopped SLEEP().
        signal.throwIfAborted();
      }
      await this.#runLast(last, note, sink, time_zone).catch(isPlaced(last));
    });
    if (!sink.hasColumns) throw new QueryError('No data was returned.');
  }

  /** Complaint 5: lets the server report syntax errors in its own words; the statement is only prepared, never run. */
  async #refuse(query: string, statement: SqlStatement): Promise<never> {
    await this.#session.prepare(statement.text).catch((error: unknown) => {
      if (!isServerFault(error) || error.errno === syntaxError) throw queryErrorOf(query, statement, error);
    });
    throw new QueryError(readOnlyMessage, placeOf(query, statement.start));
  }

  #runLast({ text }: SqlStatement, note: string | undefined, sink: Sink, zone: string): Promise<void> {
    const comment = note ? `${commentOf(note)} */ ` : '';
    return this.#session.query(comment + text, {
      fields: (fields) => sink.columns(fields.map((field) => columnOf(field, zone))),
      row: (values) => sink.row(values),
      ready: () => sink.ready(),
    });
  }

  /** Servers only know zones by name after their zone tables are loaded. */
  async #enterZone(zone: string): Promise<void> {
    await this.#session.query(`set time_zone = ${quoteText(zone, 'mysql')}`).catch((error: unknown) => {
      if (!isServerFault(error)) throw error;
      const message = `The database server does not know the time zone ${zone}: load its time zone tables, or use UTC in the settings of this data source.`;
      throw new QueryError(message, {}, error);
    });
  }

  schema(signal: AbortSignal, database?: string): Promise<SchemaTable[]> {
    return this.#alone(signal, database, () => readSchema(this.#session));
  }

  async test(signal: AbortSignal): Promise<void> {
    await this.#alone(signal, undefined, () => this.#session.query('select 1'));
  }

  excess(signal: AbortSignal): Promise<string | undefined> {
    return this.#alone(signal, undefined, () => readExcess(this.#session));
  }

  databases(signal: AbortSignal): Promise<string[]> {
    return this.#alone(signal, undefined, () => readDatabases(this.#session));
  }

  /** Runs work in a transaction of its own, on a session without traces of earlier work. */
  async #alone<T>(signal: AbortSignal, database: string | undefined, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const done = new AbortController();
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping = this.#stop(done.signal);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#clean;
      signal.throwIfAborted();
      if (database && database !== this.#rules.database) await this.#session.query(`use ${quoteName(database, 'mysql')}`);
      if (!this.#rules.allowWrites) await this.#session.query('start transaction read only');
      signal.throwIfAborted();
      const answer = await work();
      signal.throwIfAborted();
      return answer;
    } catch (error) {
      throw isServerFault(error) ? new QueryError(error.sqlMessage, {}, error) : error;
    } finally {
      signal.removeEventListener('abort', stop);
      done.abort();
      // A KILL in progress must not hit the next statement.
      this.#clean = stopping ? stopping.then(() => this.#reset()) : this.#reset();
      this.#clean.catch(() => {});
    }
  }

  /**
   * Repeats the KILL until the statement ends, because a KILL between two statements has no effect. A computing server does not notice a
   * lost client, so a statement that does not stop in time loses its connection on the server first, then here.
   */
  async #stop(isDone: AbortSignal): Promise<void> {
    const deadline = AbortSignal.timeout(obeyWithinMs);
    const [end, isLate] = [AbortSignal.any([isDone, deadline]), aborted(deadline)];
    while (!end.aborted) {
      await Promise.race([this.#session.kill('query').catch(() => {}), isLate]);
      await sleep(repeatMs, undefined, { signal: end, ref: false }).catch(() => {});
    }
    if (isDone.aborted) return;
    await Promise.race([this.#session.kill('connection').catch(() => {}), sleep(heardWithinMs, undefined, { ref: false })]);
    this.#session.destroy();
  }

  /** Resets the session, so that nothing carries over to the next statement. A server that cannot reset loses the connection. */
  async #reset(): Promise<void> {
    if (this.#session.isBroken) return;
    try {
      await this.#session.reset();
      await this.#prepare();
    } catch (error) {
      this.#session.destroy();
      throw error;
    }
  }

  /** Sets how the session reads texts and prints values. */
  async #prepare(): Promise<void> {
    const session = this.#session;
    this.#sqlMode ??= (await session.rows('select @@sql_mode'))[0]?.[0] ?? '';
    const modes = this.#sqlMode.split(',').filter((mode) => !foreignModes.has(mode));
    await session.query(`set names utf8mb4, time_zone = '+00:00', sql_mode = ${quoteText(modes.join(), 'mysql')}`);
    await session.query(`use ${quoteName(this.#rules.database, 'mysql')}`);
    if (!this.#rules.allowWrites) await session.query('set session transaction read only');
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  get mark(): string {
    return this.#session.mark;
  }

  get isBroken(): boolean {
    return this.#session.isBroken;
  }
}
