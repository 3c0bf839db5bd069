import { describe, expect, test } from 'vitest';
import { clickhouse } from './clickhouse.ts';
import { readOnlyMessage } from './connector.ts';
import { missingChdb, startChdb, unbuiltChdb } from './testing/chdb.ts';
import { askClickhouse, missingClickhouse, startClickhouse } from './testing/clickhouse-server.ts';
import { type ConnectorSuite, describeConnector, type Statements } from './testing/describe-connector.ts';
import type { LocalServer } from './testing/local-server.ts';
import type { Program } from './testing/program.ts';
import { runOnce, testEnv } from './testing/run-table.ts';

/** The engine decides how long tables last: chdb forgets those in memory between two requests. */
const setUpStatements = (engine: string) => [
  `CREATE TABLE reading (id UInt64, device String, value Nullable(Float64)) ENGINE = ${engine}`,
  "INSERT INTO reading VALUES (1, 'a', 1.5), (2, 'b', NULL)",
  'CREATE DATABASE other',
  `CREATE TABLE other.place (name String) ENGINE = ${engine}`,
];

/** Statements that work on every server since 2018. */
const common: Statements = {
  one: 'SELECT 1 AS one',
  values: {
    'numbers, texts, nulls': {
      query:
        "SELECT toUInt8(1) AS u, toInt32(-2) AS i, 1.5 AS f, 'x' AS s, CAST(NULL, 'Nullable(Int32)') AS n, value AS v FROM reading ORDER BY id",
      columns: { u: 'integer', i: 'integer', f: 'float', s: 'string', n: 'integer', v: 'float' },
      rows: [
        { u: 1, i: -2, f: 1.5, s: 'x', n: null, v: 1.5 },
        { u: 1, i: -2, f: 1.5, s: 'x', n: null, v: null },
      ],
    },
    'big integers and decimals without loss': {
      query:
        "SELECT toUInt64(18446744073709551615) AS u, toInt64(-9223372036854775808) AS i, toDecimal128('12345678901234567890.123456789', 9) AS d, toDecimal32('1.5', 2) AS e",
      columns: { u: 'integer', i: 'integer', d: 'float', e: 'float' },
      rows: [{ u: '18446744073709551615', i: '-9223372036854775808', d: '12345678901234567890.123456789', e: 1.5 }],
    },
    'days and moments, in their own zone': {
      query: `SELECT toDate('2026-07-01') AS d, toDateTime('2026-07-01 12:00:00', 'UTC') AS u, toDateTime('2026-07-01 12:00:00', 'Asia/Tokyo') AS t,
        CAST(toDateTime('2026-07-01 12:00:00', 'Asia/Tokyo'), 'Nullable(DateTime(\\'Asia/Tokyo\\'))') AS n`,
      columns: { d: 'date', u: 'datetime', t: 'datetime', n: 'datetime' },
      rows: [{ d: '2026-07-01', u: '2026-07-01T12:00:00Z', t: '2026-07-01T03:00:00Z', n: '2026-07-01T03:00:00Z' }],
    },
    'lists and tuples': {
      query: "SELECT [1, 2] AS l, ['a', NULL] AS m, [toUInt64(18446744073709551615)] AS b",
      columns: { l: null, m: null, b: null },
      rows: [{ l: [1, 2], m: ['a', null], b: ['18446744073709551615'] }],
    },
    'not a number is null': { query: 'SELECT nan AS a, inf AS b', columns: { a: 'float', b: 'float' }, rows: [{ a: null, b: null }] },
    unicode: {
      query: "SELECT 'Ωμέγα 🚀 \\n \\t \\\\ \" \\'' AS `größe`",
      columns: { größe: 'string' },
      rows: [{ größe: 'Ωμέγα 🚀 \n \t \\ " \'' }],
    },
    'a text that looks like a failure': {
      query: "SELECT arrayJoin(['Code: 62. DB::Exception: x', 'Code: 395, e.displayText() = DB::Exception: y']) AS exception",
      columns: { exception: 'string' },
      rows: [{ exception: 'Code: 62. DB::Exception: x' }, { exception: 'Code: 395, e.displayText() = DB::Exception: y' }],
    },
    'totals are the last row': {
      query: 'SELECT device, sum(id) + 9007199254740992 AS s FROM reading GROUP BY device WITH TOTALS ORDER BY device',
      columns: { device: 'string', s: 'integer' },
      rows: [
        { device: 'a', s: '9007199254740993' },
        { device: 'b', s: 9007199254740994 },
        { device: '', s: '9007199254740995' },
      ],
    },
    'a comment at the end and a semicolon': { query: 'SELECT 1 AS a; -- so far', columns: { a: 'integer' }, rows: [{ a: 1 }] },
  },
  empty: { query: 'SELECT id, device FROM reading WHERE id = 99', columns: { id: 'integer', device: 'string' } },
  wide: (columns) => `SELECT ${Array.from({ length: columns }, (_, i) => `${i} AS c${i}`).join(', ')}`,
  many: { query: 'SELECT number, toString(number) AS text, number / 7 AS f FROM system.numbers LIMIT 1000000', rows: 1_000_000 },
  errors: {
    'a mistake in the grammar has its place': {
      query: "SELECT 'Ω' AS a,\n  foo bar baz\nFROM reading",
      line: 2,
      column: 11,
      message: /^Syntax error/,
    },
    'an unknown name has its place': { query: 'SELECT\n  nope\nFROM reading', line: 2, column: 3, message: /nope/ },
    'an unknown function has its place': { query: 'SELECT\n  nofunc(1)', line: 2, column: 3, message: /nofunc/ },
    'a first word that is mistyped': {
      query: '-- Ω\n selec 1',
      line: 2,
      column: 2,
      message: /^Syntax error: no statement begins with selec\.$/,
    },
    'two statements': { query: 'SELECT 1; SELECT 2', message: /^ClickHouse runs one statement at a time\.$/ },
    nothing: { query: '-- nothing', message: /^Can't execute empty query\.$/ },
  },
};

const attempts = [
  "INSERT INTO reading VALUES (3, 'c', 1)",
  'INSERT INTO reading SELECT * FROM reading',
  'DROP TABLE reading',
  'TRUNCATE TABLE reading',
  'CREATE TABLE more (a UInt8) ENGINE = Memory',
  'ALTER TABLE reading ADD COLUMN more UInt8',
  'OPTIMIZE TABLE reading',
  "KILL QUERY WHERE query_id != ''",
  'SYSTEM FLUSH LOGS',
  'SET readonly = 0',
  'SELECT 1 SETTINGS readonly = 0',
  'SELECT 1 SETTINGS max_threads = 1',
  'USE other',
  'FROM reading INSERT INTO reading SELECT *',
  'dorp TABLE reading',
  "(INSERT INTO reading VALUES (3, 'c', 1))",
  "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
  "SELECT * FROM file('../../../../etc/passwd', 'TabSeparated', 'a String')",
  "SELECT * FROM remote('127.0.0.1', system.one)",
];
const refused = new RegExp(
  `${readOnlyMessage.replaceAll('.', '\\.')}|^(SET|USE) cannot be used|^SETTINGS cannot be used in a read-only data source|^Syntax error`,
);
const tables: NonNullable<ConnectorSuite['schema']>['tables'] = [
  {
    name: 'reading',
    columns: [
      { name: 'id', type: 'UInt64' },
      { name: 'value', type: 'Nullable(Float64)' },
    ],
  },
  { name: 'other.place', columns: [{ name: 'name', type: 'String' }] },
];

describe('a server of 2018, the real door', () => {
  let program: Program;
  const ask = (query: string) => askClickhouse(program.port, query);
  const options = (at?: { port: number }) => ({ url: `http://127.0.0.1:${at?.port ?? program.port}`, dbname: 'default' });

  const running = {
    missing: missingClickhouse,
    setUp: async () => {
      program = await startClickhouse();
      for (const statement of setUpStatements('Memory')) await ask(statement);
    },
    tearDown: () => program.stop(),
  };

  describeConnector(clickhouse, {
    ...running,
    server: () => ({ host: '127.0.0.1', port: program.port }),
    options,
    sql: {
      ...common,
      errors: {
        ...common.errors,
        'a failure in the middle of the rows': {
          query: 'SELECT number, throwIf(number = 500000) FROM system.numbers LIMIT 1000000',
          message: /throwIf/,
        },
        'another format': { query: 'SELECT 1 FORMAT TSV', message: /leave the FORMAT clause out/ },
      },
      slow: {
        query: 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1',
        isRunning: async () =>
          (await ask("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%processes%'")) !== '0',
      },
      long: 'SELECT number, toString(number) FROM system.numbers LIMIT 2000000',
      writes: { attempts, state: () => ask('SELECT count() FROM reading'), message: refused },
      allowedWrite: { query: "INSERT INTO reading VALUES (9, 'allowed', 1)", state: () => ask('SELECT count() FROM reading') },
    },
    schema: {
      tables,
      large: {
        prepare: async () => {
          for (let table = 0; table < 100; table++) {
            await ask(`CREATE TABLE wide_${table} (${Array.from({ length: 200 }, (_, i) => `c${i} UInt8`).join(', ')}) ENGINE = Memory`);
          }
        },
        columns: 20_000,
        withinMs: 10_000,
      },
    },
  });

  describeConnector(clickhouse, {
    ...running,
    options: () => ({ ...options(), user: 'reader', password: 'canary-7f3a' }),
    sql: {
      one: 'SELECT 1 AS one',
      values: {
        'moments of the server’s zone': {
          query: "SELECT toDateTime('2026-07-01 12:00:00') AS t",
          columns: { t: 'datetime' },
          rows: [{ t: '2026-07-01T10:00:00Z' }],
        },
      },
      writes: { attempts, state: () => ask('SELECT count() FROM reading'), message: refused },
    },
  });
});

describe('today’s engine', () => {
  let server: LocalServer;
  const post = async (query: string) => (await fetch(server.origin, { method: 'POST', body: query })).text();

  describeConnector(clickhouse, {
    missing: missingChdb,
    unbuilt: unbuiltChdb,
    setUp: async () => {
      server = await startChdb();
      for (const statement of setUpStatements('MergeTree ORDER BY tuple()')) await post(statement);
      await post("ALTER TABLE reading COMMENT COLUMN device 'who'");
    },
    tearDown: () => server.close(),
    options: () => ({ url: server.origin, dbname: 'default', password: 'canary-7f3a' }),
    sql: {
      ...common,
      many: undefined,
      values: {
        ...common.values,
        'numbers beyond 64 bits': {
          query:
            "SELECT toInt256('-57896044618658097711785492504343953926634992332820282019728792003956564819968') AS i, toUInt128('340282366920938463463374607431768211455') AS u, toDecimal256('1.000000000000000000000000000000000001', 36) AS d",
          columns: { i: 'integer', u: 'integer', d: 'float' },
          rows: [
            {
              i: '-57896044618658097711785492504343953926634992332820282019728792003956564819968',
              u: '340282366920938463463374607431768211455',
              d: '1.000000000000000000000000000000000001',
            },
          ],
        },
        'newer types': {
          query: `SELECT true AS b, toDate32('1900-01-01') AS d, toDateTime64('2026-07-01 12:00:00.123456', 6, 'Asia/Tokyo') AS t, map('a', 1) AS m,
            CAST((1, 'x'), 'Tuple(n UInt8, s String)') AS u, toLowCardinality('lc') AS l, toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') AS g, '{"a": {"b": 1}}'::JSON AS j, toIPv4('10.0.0.1') AS ip`,
          columns: { b: 'boolean', d: 'date', t: 'datetime', m: null, u: null, l: 'string', g: 'string', j: null, ip: 'string' },
          rows: [
            {
              ...{ b: true, d: '1900-01-01', t: '2026-07-01T03:00:00.123Z', m: { a: 1 }, u: { n: 1, s: 'x' }, l: 'lc' },
              ...{ g: '61f0c404-5cb3-11e7-907b-a6006ad3dba0', j: { a: { b: 1 } }, ip: '10.0.0.1' },
            },
          ],
        },
        'a query of several parts': {
          query: 'WITH 1 AS x SELECT a FROM (SELECT x AS a UNION ALL SELECT 2 AS a) ORDER BY a',
          columns: { a: 'integer' },
          rows: [{ a: 1 }, { a: 2 }],
        },
      },
      errors: { ...common.errors, 'an unknown table': { query: 'SELECT 1\nFROM nowhere', line: 2, column: 6, message: /nowhere/ } },
      writes: {
        attempts: [...attempts, "INSERT INTO FUNCTION file('x.csv') SELECT 1"],
        state: () => post('SELECT count() FROM reading'),
        message: refused,
      },
      allowedWrite: { query: "INSERT INTO reading VALUES (9, 'allowed', 1)", state: () => post('SELECT count() FROM reading') },
    },
    schema: { tables: [...tables, { name: 'reading', columns: [{ name: 'device', type: 'String', description: 'who' }] }] },
  });
});

test('a saved server may be private, a metadata service is out of reach', async () => {
  await expect(runOnce(clickhouse, { url: 'http://169.254.169.254', dbname: 'x' }, 'SELECT 1')).rejects.toThrow(
    "Can't query private addresses.",
  );
  await expect(clickhouse.open({ url: 'file:///etc/passwd', dbname: 'x' }, testEnv(), new AbortController().signal)).rejects.toThrow(
    'Only http and https addresses are allowed.',
  );
});
