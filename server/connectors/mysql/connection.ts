import { quoteName, quoteText } from '@telltale/domain/sql/quote.ts';
import { type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import { type Connection, QueryError, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { queryErrorOf } from './faults.ts';
import { requireReading } from './reading.ts';
import { readDatabases, readSchema } from './schema.ts';
import { isServerFault, type MysqlSession } from './session.ts';
import { columnOf } from './types.ts';

export interface Rules {
  /** Otherwise everything runs in a read-only transaction. */
  allowWrites: boolean;
  /** The source's own database, to which every statement returns. */
  database: string;
}

/** They move the ends of texts and names to other places than our splitting knows (domain/sql/dialect.ts). */
const foreignModes = new Set(['NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES', 'ANSI', 'DB2', 'MAXDB', 'MSSQL', 'ORACLE', 'POSTGRESQL']);

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
    await this.#alone(signal, database, async () => {
      const isPlaced = (statement: SqlStatement) => (error: unknown) => {
        throw queryErrorOf(query, statement, error);
      };
      for (const statement of statements.slice(0, -1)) await this.#session.query(statement.text).catch(isPlaced(statement));
      await this.#runLast(last, note, sink).catch(isPlaced(last));
    });
    if (!sink.hasColumns) throw new QueryError('No data was returned.');
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

  databases(signal: AbortSignal): Promise<string[]> {
    return this.#alone(signal, undefined, () => readDatabases(this.#session));
  }

  /** Work in a transaction of its own, on a session that knows nothing of the work before. */
  async #alone<T>(signal: AbortSignal, database: string | undefined, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let isDone = false;
    const stop = () => {
      void this.#session.kill().catch(() => {});
      setTimeout(() => !isDone && this.#session.destroy(), 2000).unref();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#clean;
      if (database && database !== this.#rules.database) await this.#session.query(`use ${quoteName(database, 'mysql')}`);
      if (!this.#rules.allowWrites) await this.#session.query('start transaction read only');
      const done = await work();
      // A stopped SLEEP() is no fault to the server.
      signal.throwIfAborted();
      return done;
    } catch (error) {
      throw isServerFault(error) ? new QueryError(error.sqlMessage, {}, error) : error;
    } finally {
      isDone = true;
      signal.removeEventListener('abort', stop);
      this.#clean = this.#reset();
      this.#clean.catch(() => {});
    }
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

  get isBroken(): boolean {
    return this.#session.isBroken;
  }
}
