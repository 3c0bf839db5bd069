import { firstKeyword, splitStatements } from '@telltale/domain/sql/statements.ts';
import { isBlankToken } from '@telltale/domain/sql/tokenize.ts';
import {
  type Connection,
  placeOf,
  QueryError,
  readOnlyMessage,
  type SchemaColumn,
  type SchemaTable,
  type Statement,
} from '../connector.ts';
import { mistyped } from '../mistyped.ts';
import type { Sink } from '../sink.ts';
import { queryErrorOf } from './faults.ts';
import { readCompact, ServerFault } from './json-compact.ts';
import type { ClickhouseServer, Request } from './server.ts';
import { columnOf } from './types.ts';

export interface Rules {
  allowWrites: boolean;
  database: string;
}

/** What this server and this user's profile let a request set. */
export interface Abilities {
  zone: string;
  settings: ReadonlyMap<string, string>;
}

/** The second fence; the first is the server's own read-only mode. KILL and SYSTEM pass that one. */
const reading = new Set(['SELECT', 'WITH', 'FROM', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'VALUES']);
/** What else begins a statement. */
const other = new Set(
  `ALTER ATTACH BACKUP BEGIN CHECK COMMIT COPY CREATE DELETE DETACH DROP EXCHANGE EXECUTE GRANT INSERT KILL MOVE OPTIMIZE PARALLEL RENAME
  REPLACE RESTORE REVOKE ROLLBACK SET START SYSTEM TRUNCATE UNDROP UPDATE USE WATCH`.split(/\s+/),
);

export class ClickhouseConnection implements Connection {
  readonly #server: ClickhouseServer;
  readonly #rules: Rules;
  readonly #abilities: Abilities;

  constructor(server: ClickhouseServer, rules: Rules, abilities: Abilities) {
    this.#server = server;
    this.#rules = rules;
    this.#abilities = abilities;
  }

  static async open(server: ClickhouseServer, rules: Rules, signal: AbortSignal): Promise<ClickhouseConnection> {
    const found = new Map(
      await rowsOf(server, abilitiesQuery, signal).then((rows) =>
        rows.map(([name, value]): [string, string] => [String(name), String(value)]),
      ),
    );
    return new ClickhouseConnection(server, rules, { zone: found.get(zoneKey) ?? 'UTC', settings: found });
  }

  async run({ query, database, note }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    this.#requireReading(query);
    const hasAnswer = await this.#server.stoppable(signal, async (id, inner) => {
      try {
        const response = await this.#server.send(query, inner, { id, database, settings: this.#settings(note) });
        return await readCompact(response.body, {
          columns: (columns) => void sink.columns(columns.map((column) => columnOf(column, this.#abilities.zone))),
          rows: async (rows) => {
            for (const row of rows) if (!sink.row(row)) await sink.ready();
            inner.throwIfAborted();
          },
        });
      } catch (error) {
        throw error instanceof ServerFault ? queryErrorOf(error.message, query, this.#rules.allowWrites) : error;
      }
    });
    if (!hasAnswer) throw new QueryError('Query completed but it returned no data.');
  }

  /** The source's own tables by their name, those of other databases with the database in front. */
  async schema(signal: AbortSignal, database = this.#rules.database): Promise<SchemaTable[]> {
    const rows = await this.#rows(schemaQuery('comment'), signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof QueryError)) throw error;
      return this.#rows(schemaQuery("''"), signal); // servers of before 2019 keep no comments
    });
    const tables = new Map<string, SchemaTable>();
    for (const [home, table, name, type, comment] of rows) {
      const title = home === database ? String(table) : `${home}.${table}`;
      const found = tables.get(title) ?? { name: title, columns: [] };
      tables.set(title, found);
      const column: SchemaColumn = { name: String(name), type: String(type) };
      found.columns.push(comment ? { ...column, description: String(comment) } : column);
    }
    return [...tables.values()];
  }

  async databases(signal: AbortSignal): Promise<string[]> {
    return (await this.#rows('SHOW DATABASES', signal))
      .map(([name]) => String(name))
      .filter((name) => !/^(?:system|information_schema)$/i.test(name));
  }

  async test(signal: AbortSignal): Promise<void> {
    await this.#rows('SELECT 1', signal);
  }

  async close(): Promise<void> {}

  #rows(query: string, signal: AbortSignal): Promise<unknown[][]> {
    return rowsOf(this.#server, query, signal, { settings: this.#settings(undefined) });
  }

  #requireReading(query: string): void {
    const [statement, second] = splitStatements(query, 'clickhouse');
    if (!statement) throw new QueryError("Can't execute empty query.");
    if (second) throw new QueryError('ClickHouse runs one statement at a time.');
    const word = firstKeyword(statement) ?? '';
    if (this.#rules.allowWrites || reading.has(word)) return;
    const place = placeOf(query, statement.start);
    if (word === 'SET' || word === 'USE') throw new QueryError(`${word} cannot be used in this data source.`, place);
    if (other.has(word)) throw new QueryError(readOnlyMessage, place);
    throw mistyped(
      statement.tokens.find((token) => !isBlankToken(token)),
      query,
    );
  }

  /** `readonly` comes last: from then on nothing can be set. A user who is read-only anyway can set less or nothing. */
  *#settings(note: string | undefined): Generator<readonly [string, string]> {
    const { settings } = this.#abilities;
    const readonly = settings.get('readonly') ?? '0';
    if (readonly === '1') return;
    const wanted: [string, string | undefined][] = [
      ['date_time_output_format', 'iso'],
      ['cancel_http_readonly_queries_on_client_close', this.#rules.allowWrites ? undefined : '1'],
      ['log_comment', note],
    ];
    for (const [name, value] of wanted) if (value !== undefined && settings.has(name)) yield [name, value];
    // 1, not 2: it also closes url(), file(), remote() and the like, by which a query would reach other places (security 6).
    if (readonly === '0' && !this.#rules.allowWrites) yield ['readonly', '1'];
  }
}

const zoneKey = 'timezone()';
const abilitiesQuery = `SELECT '${zoneKey}' AS name, timezone() AS value UNION ALL SELECT name, value FROM system.settings
  WHERE name IN ('readonly', 'date_time_output_format', 'cancel_http_readonly_queries_on_client_close', 'log_comment')`;

const schemaQuery = (comment: string) => `SELECT database, table, name, type, ${comment} FROM system.columns
  WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') ORDER BY database, table, name`;

/** For questions of our own, whose answers are small. */
async function rowsOf(server: ClickhouseServer, query: string, signal: AbortSignal, request: Request = {}): Promise<unknown[][]> {
  const found: unknown[][] = [];
  try {
    const response = await server.send(query, signal, request);
    await readCompact(response.body, {
      columns: () => {},
      rows: async (rows) => {
        for (const row of rows) found.push(row);
      },
    });
  } catch (error) {
    throw error instanceof ServerFault ? queryErrorOf(error.message, query, true) : error;
  }
  return found;
}
