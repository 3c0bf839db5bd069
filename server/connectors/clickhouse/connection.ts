import { firstKeyword, splitStatements } from '@telltale/domain/sql/statements.ts';
import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';
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
import { findOutwardFunction } from './table-functions.ts';
import { columnOf } from './types.ts';

export interface Rules {
  allowWrites: boolean;
  database: string;
  /** True when PREWHERE of a view must stay before every other condition. */
  keepsPrewhere?: boolean;
}

/** The settings that this server and the profile of this user allow in a request. */
export interface Abilities {
  zone: string;
  settings: ReadonlyMap<string, string>;
}

/** Statements that only read. This check backs up the server's read-only mode, which lets KILL and SYSTEM pass. */
const reading = new Set(['SELECT', 'WITH', 'FROM', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'VALUES']);
/** Other words that begin a statement. */
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

  async run({ query, database, note, time_zone = 'UTC' }: Statement, sink: Sink, signal: AbortSignal): Promise<void> {
    this.#requireReading(query);
    const zone = this.#zoneFor(time_zone);
    const hasAnswer = await this.#server.stoppable(signal, async (id, inner) => {
      try {
        const response = await this.#server.send(query, inner, { id, database, settings: this.#settings(note, zone) });
        return await readCompact(response.body, {
          columns: (columns) => void sink.columns(columns.map((column) => columnOf(column, zone ?? this.#abilities.zone))),
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

  /** Lists the source's own tables by name, and tables of other databases with the database as a prefix. */
  async schema(signal: AbortSignal, database = this.#rules.database): Promise<SchemaTable[]> {
    const rows = await this.#rows(schemaQuery('comment'), signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof QueryError)) throw error;
      return this.#rows(schemaQuery("''"), signal); // servers from before 2019 have no comments
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
    if (this.#rules.allowWrites) return;
    if (reading.has(word)) {
      this.#requireInside(query, statement.tokens);
      return;
    }
    const place = placeOf(query, statement.start);
    if (word === 'SET' || word === 'USE') throw new QueryError(`${word} cannot be used in this data source.`, place);
    if (other.has(word)) throw new QueryError(readOnlyMessage, place);
    throw mistyped(
      statement.tokens.find((token) => !isBlankToken(token)),
      query,
    );
  }

  /** Refuses functions that reach other places. An account with `readonly = 2` cannot set 1, which would close them. */
  #requireInside(query: string, tokens: readonly Token[]): void {
    if (this.#abilities.settings.get('readonly') !== '2') return;
    const found = findOutwardFunction(tokens);
    if (found) throw new QueryError(`${readOnlyMessage} (${found.text} reaches other places.)`, placeOf(query, found.start));
  }

  /** UTC means the server's own zone, as before this option existed. */
  #zoneFor(zone: string): string | undefined {
    if (zone === 'UTC') return undefined;
    const { settings } = this.#abilities;
    if (settings.has(zoneSetting) && settings.get('readonly') !== '1') return zone;
    throw new QueryError('This ClickHouse server or account cannot set a session time zone: use UTC in the settings of this data source.');
  }

  /** `readonly` comes last, because nothing can be set after it. A read-only account can set less or nothing. */
  *#settings(note: string | undefined, zone?: string): Generator<readonly [string, string]> {
    const { settings } = this.#abilities;
    const readonly = settings.get('readonly') ?? '0';
    if (readonly === '1') return;
    const wanted: [string, string | undefined][] = [
      ['date_time_output_format', 'iso'],
      ['cancel_http_readonly_queries_on_client_close', this.#rules.allowWrites ? undefined : '1'],
      ['log_comment', note],
      ['optimize_move_to_prewhere', this.#rules.keepsPrewhere ? '0' : undefined],
      [zoneSetting, zone],
    ];
    for (const [name, value] of wanted) if (value !== undefined && settings.has(name)) yield [name, value];
    // 1 rather than 2 also blocks url(), file(), remote() and similar functions that reach other places (security 6).
    if (readonly === '0' && !this.#rules.allowWrites) yield ['readonly', '1'];
  }
}

const zoneKey = 'timezone()';
const zoneSetting = 'session_timezone';
const abilitiesQuery = `SELECT '${zoneKey}' AS name, timezone() AS value UNION ALL SELECT name, value FROM system.settings
  WHERE name IN ('readonly', 'date_time_output_format', 'cancel_http_readonly_queries_on_client_close', 'log_comment', 'optimize_move_to_prewhere',
    '${zoneSetting}')`;

const schemaQuery = (comment: string) => `SELECT database, table, name, type, ${comment} FROM system.columns
  WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') ORDER BY database, table, name`;

/** Reads the rows of our own queries, whose results are small. */
export async function rowsOf(server: ClickhouseServer, query: string, signal: AbortSignal, request: Request = {}): Promise<unknown[][]> {
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
