import { firstKeyword, type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import { CopyBinaryToJson, canCopyBinary } from '../../wire/copy/copy-binary.ts';
import { CopyTextToJson } from '../../wire/copy/copy-text.ts';
import { pgType } from '../../wire/copy/pg-types.ts';
import { ResultLimitError } from '../../wire/limits.ts';
import { type Connection, placeOf, QueryError, readOnlyMessage, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { readExcess } from './excess.ts';
import { type Field, type Listener, ServerFault } from './protocol.ts';
import { isMistyped, requireReading } from './reading.ts';
import { type Catalog, readSchema } from './schema.ts';
import type { PostgresSession } from './session.ts';

export interface Rules {
  /** Otherwise everything runs in a read-only transaction. */
  allowWrites: boolean;
  /** One SELECT or VALUES, nothing else (design 8, IoT data). */
  onlySelect: boolean;
  /** Redshift copies to S3 only, so its rows come one by one; CockroachDB copies out as text only. */
  copy: 'none' | 'text' | 'binary';
  /** Where it tells what tables there are. */
  catalog?: Catalog;
}

/** What COPY (…) can carry; everything else that answers rows is small (SHOW, EXPLAIN …). */
const copyable = new Set(['select', 'with', 'values', 'table', 'insert', 'update', 'delete', 'merge', '(']);

/** After the first query of a transaction its read-only mode cannot be lifted any more, so there is one before the user's. */
const beginReading = 'begin read only; select 1';

const oneSelectMessage = 'IoT data answers one SELECT at a time.';
const syntaxError = '42601';

export class PostgresConnection implements Connection {
  readonly #session: PostgresSession;
  readonly #rules: Rules;
  #cleaned: Promise<void> = Promise.resolve();

  constructor(session: PostgresSession, rules: Rules) {
    this.#session = session;
    this.#rules = rules;
  }

  async run({ query, note }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const statements = splitStatements(query, 'postgres');
    this.#requireAllowed(query, statements);
    const mistyped = this.#rules.allowWrites ? undefined : statements.find(isMistyped);
    await this.#guarded(signal, async () => {
      if (mistyped) return this.#refuse(query, mistyped);
      const earlier = statements.slice(0, -1);
      if (earlier.length > 0) await this.#begin();
      else await this.#cleaned;
      try {
        for (const statement of earlier) await this.#runEarlier(statement).catch(told(query, statement.start));
        const last = statements.at(-1);
        if (last) await this.#runLast(query, last, note, sink, earlier.length === 0);
      } finally {
        this.#cleanUp();
      }
    });
  }

  /** Complaint 5: where the server's own grammar stumbles, it is the server that says so. It is never asked to run this. */
  async #refuse(query: string, { text, start }: SqlStatement): Promise<never> {
    await this.#begin();
    try {
      await this.#session.describe(text, {});
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      if (error.code === syntaxError) told(query, start)(error);
    } finally {
      this.#cleanUp();
    }
    throw new QueryError(this.#rules.onlySelect ? oneSelectMessage : readOnlyMessage, placeOf(query, start));
  }

  /** A setting can move the end of a text, and with it what the server takes for one statement: the Parse proves that it is one. */
  async #runEarlier({ text }: SqlStatement): Promise<void> {
    if (!this.#rules.allowWrites) await this.#session.describe(text, {});
    await this.#session.query(text);
  }

  /** design 9: described by Parse first, or `) to stdout; …` would inject; then copied, which is three times faster than rows. */
  async #runLast(query: string, statement: SqlStatement, note: string | undefined, sink: Sink, isFirst: boolean): Promise<void> {
    let fields: Field[] = [];
    const listen: Listener = {
      fields: (found) => {
        fields = found;
      },
    };
    const described =
      isFirst && !this.#rules.allowWrites
        ? this.#session.queryAndDescribe(beginReading, statement.text, listen)
        : this.#session.describe(statement.text, listen);
    await described.catch(told(query, statement.start));
    if (fields.length === 0) {
      await this.#session.query(statement.text).catch(told(query, statement.start));
      throw new QueryError('Query completed but it returned no data.');
    }
    const columns = sink.columns(
      fields.map(({ name, oid }) => ({ name, type: pgType(oid).type, encode: (value) => pgType(oid).json(String(value)) })),
    );
    const comment = note ? `/* ${note.replace(/[^\w .=:-]/g, '')} */ ` : '';
    if (this.#rules.copy === 'none' || !copyable.has(firstKeyword(statement)?.toLowerCase() ?? '(')) {
      return this.#session
        .query(statement.text, { row: (values) => sink.row(values), ready: () => sink.ready() })
        .catch(told(query, statement.start));
    }
    const isBinary = this.#rules.copy === 'binary' && canCopyBinary(fields.map(({ oid }) => oid));
    const copied = fields.map(({ oid }, i) => ({ name: columns[i]?.name ?? '', oid }));
    const copier = isBinary ? new CopyBinaryToJson(copied, sink.writer) : new CopyTextToJson(copied, sink.writer);
    const prefix = `${comment}copy (`;
    await this.#session
      .query(`${prefix}${statement.text}\n) to stdout${isBinary ? ' (format binary)' : ''}`, {
        copied: (bytes, start, end) => copier.push(bytes, start, end),
        ...(copier instanceof CopyBinaryToJson && { copiedMessages: (bytes, at) => copier.pushMessages(bytes, at) }),
        copyDone: () => copier.finish(),
        ready: () => sink.ready(),
      })
      .catch(told(query, statement.start, prefix.length));
  }

  #requireAllowed(query: string, statements: SqlStatement[]): void {
    if (statements.length === 0) throw new QueryError("Can't execute empty query.");
    const words = statements.map((statement) => firstKeyword(statement)?.toLowerCase() ?? '(');
    if (this.#rules.onlySelect) {
      const isSelect = ['select', 'with', 'values', 'table', '('].includes(words[0] ?? '') || statements.every(isMistyped);
      if (statements.length > 1 || !isSelect) throw new QueryError(oneSelectMessage);
    }
    if (!this.#rules.allowWrites) requireReading(query, statements);
  }

  async #begin(): Promise<void> {
    await this.#cleaned;
    if (!this.#rules.allowWrites) await this.#session.query(beginReading);
  }

  /** Nothing of one statement is left for the next one: settings, locks, temporary tables. Nobody waits for it but the next one. */
  #cleanUp(): void {
    if (this.#session.isBroken) return;
    const end = async () => {
      if (!this.#rules.allowWrites) await this.#session.query('rollback');
      // Who cannot forget (Redshift) loses the connection.
      await this.#session.forget().catch(() => this.#session.destroy());
    };
    this.#cleaned = end().catch(() => this.#session.destroy());
  }

  async #guarded<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let isDone = false;
    let again: NodeJS.Timeout | undefined;
    const stop = () => {
      void this.#session.cancel();
      // Between two exchanges it hits nothing, so it is said until it is heard.
      again = setInterval(() => void this.#session.cancel(), 200);
      setTimeout(() => !isDone && this.#session.destroy(), 2000).unref();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServerFault && error.code === '25006') throw new QueryError(readOnlyMessage, {}, error);
      if (error instanceof ServerFault) throw new QueryError(error.message, {}, error);
      throw error;
    } finally {
      isDone = true;
      clearInterval(again);
      signal.removeEventListener('abort', stop);
    }
  }

  schema(signal: AbortSignal): Promise<SchemaTable[]> {
    return this.#guarded(signal, async () => {
      await this.#begin();
      try {
        return await readSchema(this.#session, this.#rules.catalog ?? 'postgres');
      } finally {
        this.#cleanUp();
      }
    });
  }

  async test(signal: AbortSignal): Promise<void> {
    await this.#cleaned;
    await this.#guarded(signal, () => this.#session.query('select 1'));
  }

  excess(signal: AbortSignal): Promise<string | undefined> {
    return this.#guarded(signal, async () => {
      await this.#cleaned;
      return readExcess(this.#session);
    });
  }

  async databases(signal: AbortSignal): Promise<string[]> {
    const names: string[] = [];
    await this.#cleaned;
    await this.#guarded(signal, () =>
      this.#session.query(
        `select datname from pg_database where datallowconn and not datistemplate and has_database_privilege(datname, 'connect') order by datname`,
        {
          row: ([name]) => {
            names.push(name ?? '');
            return true;
          },
        },
      ),
    );
    return names;
  }

  async close(): Promise<void> {
    await this.#cleaned;
    await this.#session.close();
  }

  get mark(): string {
    return this.#session.mark;
  }

  get isBroken(): boolean {
    return this.#session.isBroken;
  }
}

/** Turns the server's position in what was sent into line and column of what was written; it counts characters, we UTF-16 units. */
const told =
  (query: string, start: number, prefixLength = 0) =>
  (error: unknown): never => {
    if (error instanceof ResultLimitError) throw new QueryError(error.message, {}, error);
    if (!(error instanceof ServerFault)) throw error;
    if (error.code === '25006') throw new QueryError(readOnlyMessage, {}, error);
    if (error.position === undefined) throw new QueryError(error.message, {}, error);
    const before = [...query.slice(start)].slice(0, error.position - 1 - prefixLength).join('');
    throw new QueryError(error.message, placeOf(query, start + before.length), error);
  };
