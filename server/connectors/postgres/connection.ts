import { quoteText } from '@telltale/domain/sql/quote.ts';
import { firstKeyword, type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import { CopyBinaryToJson, canCopyBinary } from '../../wire/copy/copy-binary.ts';
import { CopyTextToJson } from '../../wire/copy/copy-text.ts';
import { pgType } from '../../wire/copy/pg-types.ts';
import { ResultLimitError } from '../../wire/limits.ts';
import { withoutCommentMarks } from '../annotation.ts';
import { type Connection, placeOf, QueryError, readOnlyMessage, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { readExcess } from './excess.ts';
import { type Field, type Listener, ServerFault } from './protocol.ts';
import { isMistyped, requireReading } from './reading.ts';
import { type Catalog, readSchema } from './schema.ts';
import type { PostgresSession } from './session.ts';

export interface Rules {
  /** Without it everything runs in a read-only transaction. */
  allowWrites: boolean;
  /** Allows only one SELECT or VALUES (design 8, IoT data). */
  onlySelect: boolean;
  /** Redshift copies to S3 only, so its rows arrive one by one; CockroachDB copies as text only. */
  copy: 'none' | 'text' | 'binary';
  /** The catalog that lists the tables. */
  catalog?: Catalog;
  /** Tables are always listed with their schema, as users write them. */
  fullNames?: boolean;
}

/** The first words of statements that COPY (…) accepts; all others return few rows (SHOW, EXPLAIN …). */
const copyable = new Set(['select', 'with', 'values', 'table', 'insert', 'update', 'delete', 'merge', '(']);

/** Runs a query first: after the first query of a transaction its read-only mode cannot be lifted. */
const beginReading = (zone: string) =>
  zone === 'UTC' ? 'begin read only; select 1' : `begin read only; set local timezone = ${quoteText(zone, 'postgres')}; select 1`;

const oneSelectMessage = 'IoT data answers one SELECT at a time.';
const outOfMemory = '53200';
const memoryMessage = 'This query needs more memory than one query may use.';
const syntaxError = '42601';

export class PostgresConnection implements Connection {
  readonly #session: PostgresSession;
  readonly #rules: Rules;
  #cleaned: Promise<void> = Promise.resolve();

  constructor(session: PostgresSession, rules: Rules) {
    this.#session = session;
    this.#rules = rules;
  }

  async run({ query, note, time_zone = 'UTC' }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const statements = splitStatements(query, 'postgres');
    this.#requireAllowed(query, statements);
    const mistyped = this.#rules.allowWrites ? undefined : statements.find(isMistyped);
    await this.#guarded(signal, async () => {
      if (mistyped) return this.#refuse(query, mistyped);
      const earlier = statements.slice(0, -1);
      if (earlier.length > 0 || this.#rules.allowWrites) await this.#begin(time_zone);
      else await this.#cleaned;
      try {
        for (const statement of earlier) await this.#runEarlier(statement).catch(told(query, statement.start));
        const last = statements.at(-1);
        if (last) await this.#runLast(query, last, note, sink, earlier.length === 0 ? time_zone : undefined);
      } finally {
        this.#cleanUp();
      }
    });
  }

  /** Complaint 5: lets the server report syntax errors in its own words; the statement is only parsed, never run. */
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

  /** Parses an earlier statement first: a setting can change where texts end, and Parse proves that it is still one statement. */
  async #runEarlier({ text }: SqlStatement): Promise<void> {
    if (!this.#rules.allowWrites) await this.#session.describe(text, {});
    await this.#session.query(text);
  }

  /**
   * Runs the last statement. `zone` is set when no transaction has begun yet. design 9: Parse describes it first, or `) to stdout; …` would
   * inject; COPY then is three times faster than rows.
   */
  async #runLast(query: string, statement: SqlStatement, note: string | undefined, sink: Sink, zone: string | undefined): Promise<void> {
    let fields: Field[] = [];
    const listen: Listener = {
      fields: (found) => {
        fields = found;
      },
    };
    const described =
      zone !== undefined && !this.#rules.allowWrites
        ? this.#session.queryAndDescribe(beginReading(zone), statement.text, listen)
        : this.#session.describe(statement.text, listen);
    await described.catch(told(query, statement.start));
    const comment = note ? `/* ${withoutCommentMarks(note)} */ ` : '';
    if (fields.length === 0) {
      await this.#session.query(comment + statement.text).catch(told(query, statement.start, comment.length));
      throw new QueryError('Query completed but it returned no data.');
    }
    const columns = sink.columns(
      fields.map(({ name, oid }) => ({ name, type: pgType(oid).type, encode: (value) => pgType(oid).json(String(value)) })),
    );
    if (this.#rules.copy === 'none' || !copyable.has(firstKeyword(statement)?.toLowerCase() ?? '(')) {
      return this.#session
        .query(comment + statement.text, { row: (values) => sink.row(values), ready: () => sink.ready() })
        .catch(told(query, statement.start, comment.length));
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

  async #begin(zone = 'UTC'): Promise<void> {
    await this.#cleaned;
    if (!this.#rules.allowWrites) await this.#session.query(beginReading(zone));
    // Without a transaction of ours, the zone lasts until the `discard all` after the statement.
    else if (zone !== 'UTC') await this.#session.query(`set timezone = ${quoteText(zone, 'postgres')}`);
  }

  /** Removes settings, locks and temporary tables of a statement. Only the next statement waits for it. */
  #cleanUp(): void {
    if (this.#session.isBroken) return;
    const end = async () => {
      if (!this.#rules.allowWrites) await this.#session.query('rollback');
      // A server that cannot reset (Redshift) loses the connection.
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
      // A cancel request between two exchanges has no effect, so it is repeated.
      again = setInterval(() => void this.#session.cancel(), 200);
      setTimeout(() => !isDone && this.#session.destroy(), 2000).unref();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } catch (error) {
      const fault = error instanceof QueryError ? error.cause : error;
      // Only our own server has a memory limit that we set (start/memory-bound.ts).
      if (this.#rules.onlySelect && fault instanceof ServerFault && fault.code === outOfMemory)
        throw new QueryError(memoryMessage, {}, error);
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
        return await readSchema(this.#session, this.#rules.catalog ?? 'postgres', this.#rules.fullNames);
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

/**
 * Converts the server's position in the sent text to a line and column in the user's text; the server counts characters, we count UTF-16
 * units.
 */
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
