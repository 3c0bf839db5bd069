import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { tokenize } from '@telltale/domain/sql/tokenize.ts';
import { type Connection, QueryError, type SchemaTable, type Statement } from '../connector.ts';
import { nameIn } from '../named-place.ts';
import type { Sink } from '../sink.ts';
import { type Engine, withEngine } from './engine.ts';
import { queryErrorOf } from './faults.ts';
import { requireHarmlessDatabase } from './refused.ts';
import { readSchema } from './schema.ts';
import { type FileTable, findSource, type Source, viewText } from './sources.ts';

/** A read-only DuckDB source; files and tables are looked up again for each statement. */
export class DuckdbConnection implements Connection {
  readonly #filesFolder: string;
  readonly #dbpath: string;

  constructor(filesFolder: string, dbpath: string) {
    this.#filesFolder = filesFolder;
    this.#dbpath = dbpath;
  }

  async run({ query }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    await this.#with(signal, async (engine, { tables, database }) => {
      if (database !== undefined) await requireHarmlessDatabase(engine);
      // Opening a file takes time, so only files whose table name occurs in the text become views.
      const words = new Set(tokenize(query, 'duckdb').flatMap((token) => nameIn(token)?.toLowerCase() ?? []));
      const meant = tables.filter(({ name }) => words.has(name));
      for (const table of meant) await this.#makeView(engine, table);
      await engine.lock(meant.map(({ path }) => path));
      await engine.run({ query }, sink);
    });
  }

  schema(signal: AbortSignal): Promise<SchemaTable[]> {
    return this.#with(signal, async (engine, { tables }) => {
      const broken: SchemaTable[] = [];
      for (const table of tables) {
        await this.#makeView(engine, table).catch((error: Error) =>
          broken.push({ name: table.name, columns: [], description: error.message }),
        );
      }
      await engine.lock();
      return [...(await readSchema(engine)), ...broken].sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  async test(signal: AbortSignal): Promise<void> {
    await this.#with(signal, async (engine) => {
      await engine.lock();
      await engine.execute('select 1');
    });
  }

  async #with<T>(signal: AbortSignal, work: (engine: Engine, source: Source) => Promise<T>): Promise<T> {
    const source = await findSource(this.#filesFolder, this.#dbpath);
    const folder = await realpath(this.#filesFolder);
    return withEngine({ file: source.database, folder }, signal, (engine) => work(engine, source)).catch(async (error: unknown) => {
      throw signal.aborted ? error : await this.#told(error);
    });
  }

  async #makeView(engine: Engine, table: FileTable): Promise<void> {
    await engine.execute(viewText(table)).catch(async (error: unknown) => {
      throw await this.#told(error);
    });
  }

  /** Removes the folder of the machine from error messages: users know files by their path within it. */
  async #told(error: unknown): Promise<unknown> {
    const known = error instanceof QueryError ? error : queryErrorOf(error, '', '', () => 0);
    if (!(known instanceof Error)) return known;
    const folder = await realpath(this.#filesFolder).catch(() => this.#filesFolder);
    return new QueryError(known.message.replaceAll(folder + sep, ''), known instanceof QueryError ? known : {}, known);
  }

  async close(): Promise<void> {}
}
