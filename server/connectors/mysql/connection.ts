import { setTimeout as sleep } from 'node:timers/promises';
import { quoteName, quoteText } from '@telltale/domain/sql/quote.ts';
import { type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import { type Connection, placeOf, QueryError, readOnlyMessage, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { readExcess } from './excess.ts';
import { queryErrorOf } from './faults.ts';
import { isMistyped, requireReading } from './reading.ts';
import { readDatabases, readSchema } from './schema.ts';
import { isServerFault, type MysqlSession } from './session.ts';
import { columnOf } from './types.ts';

export interface Rules {
  /** Otherwise everything runs in a read-only transaction. */
  allowWrites: boolean;
  /** The source's own database, to which every statement returns. */
  database: string;
}

const syntaxError = 1064;

/** They move the ends of texts and names to other places than our splitting knows (domain/sql/dialect.ts). */
const foreignModes = new Set(['NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES', 'ANSI', 'DB2', 'MAXDB', 'MSSQL', 'ORACLE', 'POSTGRESQL']);

/** Together less than the executor's own patience (executor/pool.ts). */
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
  /** What the last statement left is being cleared away. */
  #clean: Promise<void>;

  constructor(session: MysqlSession, rules: Rules) {
    this.#session = session;
    this.#rules = rules;
    this.#clean = this.#prepare();
    this.#clean.catch(() => {});
  }

  async run({ query, database, note }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const statements = splitStatements(query, 'mysql');
    const last = statements.at(-1);
    if (!last) throw new QueryError("Can't execute empty query.");
    if (!this.#rules.allowWrites) requireReading(query, statements);
    const mistyped = this.#rules.allowWrites ? undefined : statements.find(isMistyped);
    await this.#alone(signal, database, async () => {
      if (mistyped) return this.#refuse(query, mistyped);
      const isPlaced = (statement: SqlStatement) => (error: unknown) => {
        throw queryErrorOf(query, statement, error);
      };
      for (const statement of statements.slice(0, -1)) {
        await this.#session.query(statement.text).catch(isPlaced(statement));
        // A stopped BENCHMARK() is no fault to the server, nor is a stopped SLEEP() to MySQL.
        signal.throwIfAborted();
      }
      await this.#runLast(last, note, sink).catch(isPlaced(last));
    });
    if (!sink.hasColumns) throw new QueryError('No data was returned.');
  }

  /** Complaint 5: where the server's own grammar stumbles, it is the server that says so. It is never asked to run this. */
  async #refuse(query: string, statement: SqlStatement): Promise<never> {
    await this.#session.prepare(statement.text).catch((error: unknown) => {
      if (!isServerFault(error) || error.errno === syntaxError) throw queryErrorOf(query, statement, error);
    });
    throw new QueryError(readOnlyMessage, placeOf(query, statement.start));
  }

  #runLast({ text }: SqlStatement, note: string | undefined, sink: Sink): Promise<void> {
    const comment = note ? `/* ${note.replace(/[^\w .=:-]/g, '')} */ ` : '';
    return this.#session.query(comment + text, {
      fields: (fields) => sink.columns(fields.map(columnOf)),
      row: (values) => sink.row(values),
      ready: () => sink.ready(),
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

  /** Work in a transaction of its own, on a session that knows nothing of the work before. */
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
      // A KILL that is still on its way may not hit what comes next.
      this.#clean = stopping ? stopping.then(() => this.#reset()) : this.#reset();
      this.#clean.catch(() => {});
    }
  }

  /**
   * A KILL between two statements hits nothing, so it is said until it is heard. A server that computes does not notice that
   * nobody listens any more: what does not obey loses its connection at the server before it loses it here.
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

  /** Nothing of one statement is left for the next one. An old server that cannot forget loses the connection. */
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

  /** How texts are read and values are printed. */
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
