import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { quoteText } from '@telltale/domain/sql/quote.ts';
import { type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import type { Encode } from '../../wire/values.ts';
import { QueryError } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { BrokenStream, queryErrorOf } from './faults.ts';
import { asksTheEngine, Hidden } from './places.ts';
import { requireReading } from './reading.ts';
import { requireHarmless } from './refused.ts';
import { makeScratch } from './scratch.ts';
import { meaningOf } from './values.ts';

const settings = {
  /** Larger data goes to the scratch folder; the whole process may use more memory (executor/tasks.ts). */
  memory_limit: '256MB',
  max_temp_directory_size: '4GB',
  threads: '2',
  errors_as_json: 'true',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
};

/** The text as the user wrote it, and as the engine gets it after names were replaced. */
export interface EngineText {
  query: string;
  sent?: string;
  originalOffset?: (offset: number) => number;
}

/**
 * Creates a DuckDB engine for one statement: sets it up, locks it, runs the statement and discards it. No statement affects the next one,
 * and no file stays open while another program writes it.
 */
export async function withEngine<T>(
  { file, folder }: { file?: string | undefined; folder?: string },
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const scratch = await makeScratch();
  let instance: DuckDBInstance | undefined;
  let connection: DuckDBConnection | undefined;
  let nagging: NodeJS.Timeout | undefined;
  const stop = () => {
    connection?.interrupt();
    // An interrupt between two steps has no effect, so it is repeated.
    nagging = setInterval(() => connection?.interrupt(), 50);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const access: Record<string, string> = file === undefined ? {} : { access_mode: 'READ_ONLY' };
    instance = await DuckDBInstance.create(file ?? ':memory:', { ...settings, ...access, temp_directory: scratch.folder });
    connection = await instance.connect();
    await connection.run(`set TimeZone = 'UTC'`);
    return await work(new Engine(connection, signal, new Hidden([...(folder ? [folder] : []), scratch.folder])));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(nagging);
    signal.removeEventListener('abort', stop);
    // Work that still runs for a cancelled reader would delay the close.
    connection?.interrupt();
    connection?.closeSync();
    instance?.closeSync();
    await scratch.remove();
  }
}

export class Engine {
  readonly connection: DuckDBConnection;
  readonly #signal: AbortSignal;
  readonly #hidden: Hidden;
  #isAsked = false;

  constructor(connection: DuckDBConnection, signal: AbortSignal, hidden: Hidden) {
    this.connection = connection;
    this.#signal = signal;
    this.#hidden = hidden;
  }

  /** Runs one of our own statements. */
  async execute(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  /** Runs one of our own statements that returns few and small rows. */
  async rows(sql: string): Promise<unknown[][]> {
    return (await this.connection.run(sql)).getRowsJson();
  }

  /** Locks the engine: only these files can be opened, settings are fixed, and everything is read-only. */
  async lock(files: readonly string[] = []): Promise<void> {
    await this.execute(`set allowed_paths = [${files.map((path) => quoteText(path, 'duckdb')).join()}]`);
    await this.execute('set enable_external_access = false');
    await this.execute('set lock_configuration = true');
    await this.execute('begin transaction read only');
  }

  /** Runs all statements; the last one provides the rows. */
  async run({ query, sent = query, originalOffset = (offset) => offset }: EngineText, sink: Sink): Promise<void> {
    const statements = splitStatements(sent, 'duckdb');
    this.#isAsked = asksTheEngine(sent);
    if (statements.length === 0) throw new QueryError("Can't execute empty query.");
    for (const { tokens } of statements) requireHarmless(tokens);
    for (const [i, statement] of statements.entries()) {
      const isLast = i === statements.length - 1;
      const told = (error: unknown, prefix = '') => {
        const place = (offset: number) => originalOffset(statement.start + Math.max(0, offset - prefix.length));
        throw queryErrorOf(error, query, prefix + statement.text, place);
      };
      await this.#step(statement, isLast ? sink : undefined).catch(async (error: unknown) => {
        if (!(error instanceof BrokenStream)) return told(error);
        const prefix = 'create temp table "what failed" as ';
        await this.#again(statements.slice(0, i), prefix + statement.text).catch((cause: unknown) => told(cause, prefix));
        throw new QueryError('The query failed while its rows were read.', {}, error);
      });
    }
    if (!sink.hasColumns) throw new QueryError('Query completed but it returned no data.');
  }

  async #step(statement: SqlStatement, sink: Sink | undefined): Promise<void> {
    const extracted = await this.connection.extractStatements(statement.text);
    for (let i = 0; i < extracted.count; i++) {
      const prepared = await extracted.prepare(i);
      await requireReading(this.connection, statement, prepared);
      await this.#stream(prepared, i === extracted.count - 1 ? sink : undefined);
    }
  }

  async #stream(prepared: DuckDBPreparedStatement, sink: Sink | undefined): Promise<void> {
    const result = await prepared.stream();
    const meanings = result.columnTypes().map(meaningOf);
    const shown = (json: Encode): Encode => (this.#isAsked ? (value) => this.#hidden.without(json(value)) : json);
    sink?.columns(meanings.map(({ type, json }, i) => ({ name: result.columnName(i), type, encode: shown(json) })));
    for (;;) {
      const chunk = await result.fetchChunk();
      this.#signal.throwIfAborted();
      const rowCount = chunk?.rowCount ?? 0;
      if (!chunk || rowCount === 0) break;
      if (!sink) continue;
      const columns = chunk.getColumns();
      for (let row = 0; row < rowCount; row++) {
        const hasRoom = sink.row(columns.map((column) => column[row]));
        if (!hasRoom) await sink.ready();
      }
    }
    await this.#requireWhole();
  }

  /** An error in the middle of the rows only shows as an aborted transaction. */
  async #requireWhole(): Promise<void> {
    await this.connection.run('select 1').catch((cause: unknown) => {
      throw new BrokenStream('The stream of rows broke.', { cause });
    });
  }

  /** Runs the statements again in a way that reports the error. */
  async #again(before: readonly SqlStatement[], last: string): Promise<void> {
    await this.execute('rollback');
    await this.execute('begin transaction read only');
    for (const statement of before) await this.#step(statement, undefined);
    await this.execute(last);
  }
}
