import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as breath } from 'node:timers/promises';
import { quoteName } from '@telltale/domain/sql/quote.ts';
import { type Statement as SqlStatement, splitStatements } from '@telltale/domain/sql/statements.ts';
import { defaultLimits } from '../../wire/limits.ts';
import { type Connection, QueryError, type SchemaTable, type Statement } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { queryErrorOf } from './faults.ts';
import { authorizer, ownTablesOf } from './reading.ts';
import { readerOf, type Value } from './values.ts';

const busyMs = 2000;
/** The longest work without a check for an abort. */
const turnMs = 25;

/** Opens the file again for each statement, so that nothing carries over and a replaced file is noticed. */
export class SqliteConnection implements Connection {
  readonly #path: () => Promise<string>;

  constructor(path: () => Promise<string>) {
    this.#path = path;
  }

  async run({ query }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const statements = splitStatements(query, 'sqlite');
    if (statements.length === 0) throw new QueryError("Can't execute empty query.");
    await this.#with(signal, async (database) => {
      for (const [i, statement] of statements.entries()) {
        const isLast = i === statements.length - 1;
        await stepThrough(database, statement, isLast ? sink : undefined, signal).catch((error: unknown) => {
          throw queryErrorOf(query, statement, database, error);
        });
      }
    });
    if (!sink.hasColumns) throw new QueryError('Query completed but it returned no data.');
  }

  schema(signal: AbortSignal): Promise<SchemaTable[]> {
    return this.#with(signal, async (database) => {
      const names = database.prepare(
        `select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'`,
      );
      const tables = (names.all() as unknown[] as [string][]).map(([name]) => ({ name, columns: columnsOf(database, name) }));
      return tables.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  /** server-behaviour 19: checks the whole file, as far as that is cheap. */
  async test(signal: AbortSignal): Promise<void> {
    await this.#with(signal, async (database) => {
      const [found] = database.prepare('pragma quick_check(1)').all() as unknown[] as [string][];
      if (found?.[0] !== 'ok') throw new QueryError(`The file is damaged: ${found?.[0]}`);
    });
  }

  async #with<T>(signal: AbortSignal, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const database = await this.#open();
    try {
      database.setAuthorizer(authorizer(ownTablesOf(database)));
      return await work(database);
    } catch (error) {
      // The error message must not contain the path.
      throw error instanceof Error && 'errcode' in error ? new QueryError(error.message, {}, error) : error;
    } finally {
      database.close();
    }
  }

  async #open(): Promise<DatabaseSync> {
    const path = await this.#path();
    const database = new DatabaseSync(path, {
      readOnly: true,
      allowExtension: false,
      readBigInts: true,
      returnArrays: true,
      timeout: busyMs,
      limits: { attach: 0, length: defaultLimits.rowBytes, sqlLength: 1_000_000 },
    });
    return database;
  }

  async close(): Promise<void> {}
}

async function stepThrough(database: DatabaseSync, { text }: SqlStatement, sink: Sink | undefined, signal: AbortSignal): Promise<void> {
  const prepared = database.prepare(text);
  const columns = prepared.columns();
  if (columns.length > 0) sink?.columns(columns.map(({ name }) => ({ name, type: null })));
  const readers = columns.map(({ type }) => readerOf(type));
  let turn = performance.now();
  for (const row of rowsOf(prepared)) {
    const hasRoom = sink?.row(row.map((value, i) => readers[i]?.(value))) ?? true;
    if (!hasRoom) await sink?.ready();
    if (performance.now() - turn > turnMs) {
      await breath();
      signal.throwIfAborted();
      turn = performance.now();
    }
  }
}

const rowsOf = (prepared: StatementSync) => prepared.iterate() as unknown as Iterable<Value[]>;

/** A view on a missing table has no columns, but does not break the rest. */
function columnsOf(database: DatabaseSync, table: string) {
  try {
    const found = database.prepare(`pragma table_xinfo(${quoteName(table, 'sqlite')})`).all() as unknown[] as [bigint, string, string][];
    return found.map(([, name, type]) => ({ name, type: type || null })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
