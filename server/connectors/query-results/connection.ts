import { findQueryNames } from '@telltale/domain/queries/query-names.ts';
import { type Connection, QueryError, type ResultReader, type SchemaTable, type Statement } from '../connector.ts';
import { type Engine, withEngine } from '../duckdb/engine.ts';
import { queryErrorOf } from '../duckdb/faults.ts';
import type { Sink } from '../sink.ts';
import { loadResult } from './load.ts';

export class QueryResultsConnection implements Connection {
  readonly #results: ResultReader;

  constructor(results: ResultReader) {
    this.#results = results;
  }

  async run({ query }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    const { results, text, originalOffset } = findQueryNames(query);
    await this.#with(signal, async (engine) => {
      for (const { name, table } of results) await loadResult(engine, table, this.#results(name), signal);
      await engine.lock();
      await engine.run({ query, sent: text, originalOffset }, sink);
    });
  }

  /** The list is empty: the tables are queries, which are listed elsewhere. */
  async schema(): Promise<SchemaTable[]> {
    return [];
  }

  async test(signal: AbortSignal): Promise<void> {
    await this.#with(signal, (engine) => engine.execute('select 1'));
  }

  #with<T>(signal: AbortSignal, work: (engine: Engine) => Promise<T>): Promise<T> {
    return withEngine({}, signal, work).catch((error: unknown) => {
      if (signal.aborted || error instanceof QueryError) throw error;
      const told = queryErrorOf(error, '', '', () => 0);
      throw told instanceof QueryError ? told : new QueryError(error instanceof Error ? error.message : String(error), {}, error);
    });
  }

  async close(): Promise<void> {}
}
