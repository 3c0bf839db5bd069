import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import type { ColumnType, ResultRow } from '@telltale/domain/results/contract.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, type Connector, type ConnectorEnv, QueryError, readOnlyMessage, type SchemaTable } from '../connector.ts';
import { Sink } from '../sink.ts';
import { closedPort, cuttingProxy, type Endpoint } from './cutting-proxy.ts';
import { runTable, testEnv } from './run-table.ts';

/** A statement and its expected result: columns by name and type, in order, and the rows as a reader sees them. */
interface Expected {
  query: string;
  columns?: Record<string, ColumnType>;
  rows: ResultRow[];
}

export interface Statements {
  /** Returns one row of any kind. */
  one: string;
  /** By test name: nulls, big integers, decimals, time zones, unicode … */
  values?: Record<string, Expected>;
  /** Returns columns but no rows. */
  empty?: { query: string; columns: Record<string, ColumnType> };
  /** Returns one row with that many columns. */
  wide?: (columns: number) => string;
  /** Returns more rows than may be held in memory at once. */
  many?: { query: string; rows: number };
  /** By test name: each one fails, at this place when the source reports it. */
  errors?: Record<string, { query: string; line?: number; column?: number; message?: RegExp | string }>;
  /** Runs for about a minute; `isRunning` asks the server itself. */
  slow?: { query: string; isRunning?: () => Promise<boolean> };
  /** Returns several megabytes, for the test with a broken connection: after half a megabyte, or after `cutAfterBytes`. */
  long?: string | { query: string; cutAfterBytes: number };
  /** Each attempt is refused, and `state` (a count, a list) is the same before and after. */
  writes?: { attempts: string[]; state?: () => Promise<unknown>; message?: RegExp | string };
  /** Runs with the source's option `allow_writes`, and `state` differs afterwards. */
  allowedWrite?: { query: string; state: () => Promise<unknown> };
}

interface SchemaExpectation {
  /** Tables that must exist, with their columns in any order. */
  tables: SchemaTable[];
  /** A schema with that many columns in all, read within the time. */
  large?: { prepare: () => Promise<void>; columns: number; withinMs: number };
}

export interface ConnectorSuite {
  /** The missing program: the suite is skipped, and its name says what it needs. */
  missing?: string | undefined;
  /** The reason why it cannot be installed on this platform (unbuilt.ts). */
  unbuilt?: string | undefined;
  /** Called when a test runs, after `beforeAll`. With an endpoint, the source connects there. */
  options: (at?: Endpoint) => Record<string, unknown>;
  env?: () => Partial<ConnectorEnv>;
  /** The endpoint of the real server, for the tests with broken connections. */
  server?: () => Endpoint;
  sql: Statements;
  schema?: SchemaExpectation;
  setUp?: () => Promise<void>;
  tearDown?: () => Promise<void>;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The memory in use after a garbage collection. */
function liveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const never = () => new AbortController().signal;

/**
 * Tests what every connector must do, against a real server. A suite leaves out what its source lacks; everything it states is tested in
 * full.
 */
export function describeConnector(connector: Connector, suite: ConnectorSuite): void {
  const { missing, unbuilt, options, sql, schema, server } = suite;
  const env = () => testEnv(suite.env?.());
  const opened: Connection[] = [];
  const open = async (given = options()) => {
    const connection = await connector.open(given, env(), never());
    opened.push(connection);
    return connection;
  };
  /** Like the executor, it replaces a broken connection. */
  const usable = async (connection: Connection) => (connection.isBroken ? open() : connection);
  const secrets = () =>
    typeSchemaOf(connector.options)
      .secret?.flatMap((name) => options()[name] ?? [])
      .map(String) ?? [];
  const failureOf = async (work: Promise<unknown>): Promise<Error> => {
    const error = await work.then(
      () => expect.unreachable('it should have failed'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    // Security 26 and 27: an error message never contains a saved secret.
    for (const secret of secrets()) expect((error as Error).message).not.toContain(secret);
    return error as Error;
  };

  const reason = unbuilt ?? (missing === undefined ? undefined : `needs ${missing}`);
  describe.skipIf(reason !== undefined)(reason === undefined ? connector.type : `${connector.type} (${reason})`, () => {
    beforeAll(async () => suite.setUp?.());
    afterAll(async () => suite.tearDown?.());
    afterEach(async () => {
      for (const connection of opened.splice(0)) await connection.close();
    });

    test('security 8: an option nobody declared is refused before anything is opened', async () => {
      for (const key of ['init_script', 'constructor', 'dsn_extra']) {
        await expect(connector.open({ ...options(), [key]: 'x' }, env(), never())).rejects.toThrow();
      }
    });

    test('A3: the form names its fields, and what opens doors is secret', () => {
      const { properties, secret = [], order } = typeSchemaOf(connector.options);
      expect(order).toEqual(Object.keys(properties));
      for (const [name, { title }] of Object.entries(properties)) {
        expect(title, name).toBeTruthy();
        if (/passw|passwd|token|secret|api_?key/i.test(name)) expect(secret).toContain(name);
      }
    });

    test('a source that answers passes its test', async () => {
      await (await open()).test(never());
    });

    test('a statement gives its rows, one statement after the other on one connection', async () => {
      const connection = await open();
      const first = await runTable(connection, sql.one);
      expect(first.rows).toHaveLength(1);
      expect(first.columns.length).toBeGreaterThan(0);
      expect((await runTable(connection, sql.one)).columns).toEqual(first.columns);
    });

    for (const [name, { query, columns, rows }] of Object.entries(sql.values ?? {})) {
      test(`values: ${name}`, async () => {
        const table = await runTable(await open(), query);
        expect(table.rows).toEqual(rows);
        if (columns) expect(Object.fromEntries(table.columns.map((column) => [column.name, column.type]))).toEqual(columns);
        if (columns) expect(table.columns.map((column) => column.name)).toEqual(Object.keys(columns));
      });
    }

    const { empty, wide, many, slow, long, writes, allowedWrite } = sql;

    if (empty) {
      test('no rows still have columns', async () => {
        const { columns, rows } = await runTable(await open(), empty.query);
        expect(rows).toEqual([]);
        expect(columns.map((column) => [column.name, column.type])).toEqual(Object.entries(empty.columns));
      });
    }

    if (wide) {
      test('a row of a thousand columns', async () => {
        const { columns, rows } = await runTable(await open(), wide(1000));
        expect(columns).toHaveLength(1000);
        expect(Object.keys(rows[0] ?? {})).toEqual(columns.map(({ name }) => name));
      });
    }

    if (many) {
      test(`${many.rows.toLocaleString('en')} rows pass through with flat memory`, async () => {
        const before = liveBytes();
        let largest = 0;
        let chunks = 0;
        const sink = new Sink(async () => {
          if (++chunks % 10 === 0) largest = Math.max(largest, liveBytes());
          await new Promise((resolve) => setImmediate(resolve));
        });
        await (await open()).run({ query: many.query }, sink, never());
        expect((await sink.finish()).size.rows).toBe(many.rows);
        expect(largest - before).toBeLessThan(64 * 1024 ** 2);
      }, 120_000);
    }

    for (const [name, { query, line, column, message }] of Object.entries(sql.errors ?? {})) {
      test(`error: ${name}`, async () => {
        const connection = await open();
        const error = await failureOf(runTable(connection, query));
        expect(error).toBeInstanceOf(QueryError);
        expect({ line: (error as QueryError).line, column: (error as QueryError).column }).toEqual({ line, column });
        if (message !== undefined) expect(error.message).toMatch(message);
        expect((await runTable(await usable(connection), sql.one)).rows).toHaveLength(1);
      });
    }

    test('a statement that was cancelled before it began is not begun', async () => {
      const connection = await open();
      await failureOf(runTable(connection, sql.one, { signal: AbortSignal.abort(new Error('stopped')) }));
      expect((await runTable(await usable(connection), sql.one)).rows).toHaveLength(1);
    });

    if (slow) {
      const stopped = async () => {
        if (slow.isRunning) await expect.poll(slow.isRunning, { interval: 100 }).toBe(false);
      };

      test('a cancelled statement stops on the server, and the source is usable at once', async () => {
        const connection = await open();
        const controller = new AbortController();
        const running = failureOf(runTable(connection, slow.query, { signal: controller.signal }));
        if (slow.isRunning) await expect.poll(slow.isRunning, { interval: 50 }).toBe(true);
        else await new Promise((resolve) => setTimeout(resolve, 300));
        const since = performance.now();
        controller.abort(new Error('stopped'));
        await running;
        expect(performance.now() - since).toBeLessThan(5000);
        await stopped();
        expect((await runTable(await usable(connection), sql.one)).rows).toHaveLength(1);
      });

      test('a time limit stops it the same way', async () => {
        const since = performance.now();
        await failureOf(runTable(await open(), slow.query, { signal: AbortSignal.timeout(500) }));
        expect(performance.now() - since).toBeLessThan(6000);
        await stopped();
      });
    }

    if (long && server) {
      test('a line that breaks in the middle of the rows is a failure, never a short result', async () => {
        const { query, cutAfterBytes } = typeof long === 'string' ? { query: long, cutAfterBytes: 512 * 1024 } : long;
        const proxy = await cuttingProxy(server(), cutAfterBytes);
        try {
          const connection = await open(options(proxy));
          const error = await failureOf(runTable(connection, query));
          expect(proxy.wasCut()).toBe(true);
          expect(error).toBeInstanceOf(QueryError);
          expect(error.message).toMatch(/connection|lost|interrupted|closed/i);
        } finally {
          await proxy.close();
        }
      });
    }

    if (server) {
      test('a source that is not there says so', async () => {
        const nowhere = options({ host: '127.0.0.1', port: await closedPort() });
        const error = await failureOf(open(nowhere).then((connection) => connection.test(never())));
        expect(error.message).not.toBe('');
      });
    }

    if (writes) {
      test('security 5: writes are refused, whatever they are dressed as', async () => {
        const before = await writes.state?.();
        for (const attempt of writes.attempts) {
          const connection = await open();
          const error = await failureOf(runTable(connection, attempt));
          expect(error, attempt).toBeInstanceOf(QueryError);
          expect(error.message, attempt).toMatch(writes.message ?? readOnlyMessage);
        }
        expect(await writes.state?.()).toEqual(before);
      });
    }

    if (allowedWrite) {
      test('an administrator can allow writes', async () => {
        const before = await allowedWrite.state();
        // A statement that returns no columns fails with "no data".
        await runTable(await open({ ...options(), allow_writes: true }), allowedWrite.query).catch((error: Error) =>
          expect(error.message).toMatch(/no data/i),
        );
        expect(await allowedWrite.state()).not.toEqual(before);
      });
    }

    if (schema) {
      test('the schema has the tables and their columns', async () => {
        const found = await (await open()).schema(never());
        for (const wanted of schema.tables) {
          const table = found.find(({ name }) => name === wanted.name);
          expect(table, wanted.name).toBeDefined();
          for (const column of wanted.columns) expect(table?.columns).toContainEqual(expect.objectContaining(column));
        }
      });
    }

    const large = schema?.large;
    if (large) {
      test(`a schema of ${large.columns.toLocaleString('en')} columns is read in time`, async () => {
        await large.prepare();
        const connection = await open();
        const since = performance.now();
        const found = await connection.schema(never());
        expect(performance.now() - since).toBeLessThan(large.withinMs);
        expect(found.reduce((sum, { columns }) => sum + columns.length, 0)).toBeGreaterThanOrEqual(large.columns);
      }, 120_000);
    }
  });
}
