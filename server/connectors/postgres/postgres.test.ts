import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { splitStatements } from '@telltale/domain/sql/statements.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { cloneDatabase } from '../../testing/postgres.ts';
import { quickest } from '../../testing/until.ts';
import type { Connection, Connector } from '../connector.ts';
import { iotData } from '../iot-data.ts';
import { cockroach, postgres, redshift, timescale } from '../postgres.ts';
import { activeStatements } from '../testing/active-statements.ts';
import { type ConnectorSuite, describeConnector } from '../testing/describe-connector.ts';
import { runTable, testEnv } from '../testing/run-table.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { tlsFront } from '../testing/tls-front.ts';

const never = () => new AbortController().signal;
let database: { url: string; drop(): Promise<void> } | undefined;
const address = () => new URL(database?.url ?? 'postgres://none');
/** A superuser has far more rights than a source should have, so refusals hold for every account. */
const superuser = () => {
  const url = new URL(inject('postgres').superuserUrl);
  url.pathname = address().pathname;
  return url;
};

const options = (at: { host: string; port: number } = { host: address().hostname, port: Number(address().port) }) => ({
  host: at.host,
  port: at.port,
  user: decodeURIComponent(superuser().username),
  password: decodeURIComponent(superuser().password),
  dbname: address().pathname.slice(1),
});

async function administer(...statements: string[]): Promise<unknown[][]> {
  const client = new pg.Client(superuser().toString());
  await client.connect();
  try {
    let rows: unknown[][] = [];
    for (const text of statements) rows = (await client.query({ text, rowMode: 'array' })).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const isRunning = (mark: string) => async () => (await administer(activeStatements(mark))).length > 0;

const state = () =>
  administer(
    `select (select count(*) from plant.reading), (select count(*) from plant.log), (select last_value from plant.counter),
      (select count(*) from pg_largeobject_metadata), (select count(*) from pg_class), (select count(*) from pg_proc),
      (select count(*) from pg_roles where rolname not like 'telltale_reader_%'), (select array_agg(setting) from pg_file_settings)`,
  );

beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'), `connector_postgres_${process.pid}`);
  await administer(
    'create schema plant',
    'create table plant.reading (id int primary key, label text)',
    `insert into plant.reading values (1, 'one'), (2, 'two')`,
    'create table plant.log (at timestamptz)',
    'create sequence plant.counter',
    `create function plant.sneaky() returns int language plpgsql as $$ begin insert into plant.log values (now()); return 1; end $$`,
    `create procedure plant.ends() language plpgsql as $$ begin commit; insert into plant.log values (now()); end $$`,
    'create materialized view plant.summary as select count(*) as n from plant.reading',
    'create table public."odd.name" ("a ""b" int)',
    'create schema "s.""t"',
    'create table "s.""t"."o""dd.name" (id int)',
    'create table public.reading_elsewhere (id int)',
    'create schema _timescaledb_internal',
    'create table _timescaledb_internal._hyper_1_1_chunk (id int)',
    'create table plant.parted (id int) partition by list (id)',
    'create table plant.parted_1 partition of plant.parted for values in (1)',
    // These views replace those of Redshift; only svv_columns knows the tables of an external schema.
    'create schema spectrum',
    `create view public.svv_external_schemas as select 'spectrum'::text as schemaname`,
    `create view public.svv_columns as select nspname::text as table_schema, relname::text as table_name, attname::text as column_name,
        format_type(atttypid, atttypmod) as data_type
      from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute a on attrelid = c.oid and attnum > 0 and relkind in ('r', 'v', 'm')
      union all select 'spectrum', 'event', 'at', 'timestamp'`,
  );
});
afterAll(() => database?.drop());

const suite: ConnectorSuite = {
  options,
  server: () => ({ host: address().hostname, port: Number(address().port) }),
  sql: {
    one: 'select 1 as one',
    values: {
      'integers and decimals, exactly': {
        query: `select 32767::int2 as a, 9007199254740993 as b, (-9223372036854775808)::int8 as c, 12345678901234567890.5 as d, 1.10 as e, 'NaN'::numeric as f,
          0.1::float4 as g, 0.1::float8 + 0.2::float8 as h, 'infinity'::float8 as i`,
        columns: { a: 'integer', b: 'integer', c: 'integer', d: 'float', e: 'float', f: 'float', g: 'float', h: 'float', i: 'float' },
        rows: [
          {
            ...{ a: 32767, b: '9007199254740993', c: '-9223372036854775808', d: '12345678901234567890.5', e: 1.1, f: null, g: 0.1 },
            ...{ h: 0.30000000000000004, i: null },
          },
        ],
      },
      'moments with and without a zone': {
        query: `select timestamptz '2026-01-31 10:00:00.123456+05:30' as a, timestamp '2026-01-31 10:00:00' as b, date '2026-01-31' as c,
          time '10:00:00.5' as d, interval '1 day 5 seconds' as e, 'infinity'::timestamptz as f`,
        columns: { a: 'datetime', b: 'datetime', c: 'date', d: 'string', e: 'string', f: 'datetime' },
        rows: [
          {
            a: '2026-01-31T04:30:00.123Z',
            b: '2026-01-31T10:00:00',
            c: '2026-01-31',
            d: '10:00:00.500',
            e: '1 day, 0:00:05',
            f: 'infinity',
          },
        ],
      },
      'texts, binary, nested values and nulls': {
        query: `select E'żółć 温度 🌡 "q" \\\\ \\n\\t' as a, '\\x00ff'::bytea as b, '{"k": [1, null]}'::jsonb as c, array[1, null] as d, array['a"b', null] as e,
          true as f, null as g, int4range(1, 5) as h, '0190163d-8694-739b-aea5-966c26f8ad90'::uuid as i`,
        rows: [
          {
            ...{ a: 'żółć 温度 🌡 "q" \\ \n\t', b: '00ff', c: { k: [1, null] }, d: [1, null], e: ['a"b', null], f: true, g: null },
            ...{ h: '[1, 5)', i: '0190163d-8694-739b-aea5-966c26f8ad90' },
          },
        ],
      },
      'equal names': { query: 'select 1 as a, 2 as a', columns: { a: 'integer', a1: 'integer' }, rows: [{ a: 1, a1: 2 }] },
      'VALUES, TABLE, parentheses, a comment at the end': { query: `(values (1, 'x')) -- done`, rows: [{ column1: 1, column2: 'x' }] },
      'several statements, the last one counts': { query: `select ';'; /* ; */ table plant.reading; select 2 as two;`, rows: [{ two: 2 }] },
      'settings that are a script’s own': {
        query: `set search_path to plant, public; set local time zone 'Asia/Tokyo'; SET enable_seqscan = off;
          select label, to_char(timestamptz '2026-01-31 10:00:00+00', 'HH24') as hour from reading where id = 1`,
        rows: [{ label: 'one', hour: '19' }],
      },
      'SHOW and EXPLAIN': {
        query: 'explain (costs off) select 1; show standard_conforming_strings',
        rows: [{ standard_conforming_strings: 'on' }],
      },
    },
    empty: { query: 'select id, label from plant.reading where false', columns: { id: 'integer', label: 'string' } },
    wide: (columns) => `select ${Array.from({ length: columns }, (_, i) => `${i} as c${i}`).join()}`,
    many: {
      query: `select i, i * 1.5 as x, 'text ' || i as t, now() as n from generate_series(1, 1000000) i`,
      rows: 1_000_000,
    },
    errors: {
      'a word too many': {
        query: 'select id\n from plant.reading where\n where id = 1',
        line: 3,
        column: 2,
        message: /syntax error at or near "where"/,
      },
      'in a later statement, behind unicode': { query: `select '温度 🌡';\nselect 'ż🌡', nope from plant.reading`, line: 2, column: 15 },
      'in an earlier statement': { query: `select nope;\nselect 1`, line: 1, column: 8 },
      'inside a CTE': {
        query: 'with x as (\n  select 1 from nowhere\n) select * from x',
        line: 2,
        column: 17,
        message: /"nowhere" does not exist/,
      },
      'the end came too soon': { query: 'select 1 +', line: 1, column: 11 },
      'a fault among the rows': { query: 'select 1 / (i - 900000) as x from generate_series(1, 1000000) i', message: 'division by zero' },
      'nothing at all': { query: '-- nothing', message: "Can't execute empty query." },
      'a first word that is mistyped': { query: 'selec 1', line: 1, column: 1, message: 'syntax error at or near "selec"' },
      'the same in a later statement, behind unicode': {
        query: `select '温度 🌡';\n /* 🌡 */ wiht x as (select 1) select * from x`,
        line: 2,
        column: 11,
        message: 'syntax error at or near "wiht"',
      },
      'no word at the beginning': { query: `'select 1'`, line: 1, column: 1, message: /syntax error/ },
      'a parenthesis that would end the COPY': { query: 'select 1) to stdout; select (2', line: 1, column: 9 },
    },
    slow: { query: `select count(*) from (select generate_series(1, 100000000000)) slow_one`, isRunning: isRunning('slow_one') },
    long: `select repeat('x', 1000) as x from generate_series(1, 20000)`,
    writes: {
      state,
      message:
        /read-only|syntax error|cannot insert multiple commands|invalid transaction termination|not exist|cannot be executed|not supported/,
      attempts: [
        `insert into plant.reading values (3, 'x')`,
        `insert into plant.reading values (3, 'x') returning id`,
        'with x as (delete from plant.reading returning *) select * from x',
        'with x as (update plant.reading set id = 9 returning *) select * from x',
        'select plant.sneaky()',
        `select nextval('plant.counter')`,
        `select setval('plant.counter', 100)`,
        'select lo_create(0)',
        `select lo_from_bytea(0, 'x')`,
        'create table made (a int)',
        'create temp table made (a int); insert into plant.log values (now())',
        'select * into made from plant.reading',
        'drop table plant.reading',
        'truncate plant.reading',
        'alter table plant.reading add column c int',
        'refresh materialized view plant.summary',
        'do $$ begin insert into plant.log values (now()); end $$',
        'do $$ begin commit; insert into plant.log values (now()); end $$',
        'call plant.ends()',
        'explain analyze insert into plant.log values (now())',
        'explain (analyze) delete from plant.reading',
        `copy plant.log from stdin`,
        `copy plant.reading to '/tmp/telltale-out.csv'`,
        `copy (select 1) to program 'cat > /tmp/telltale-out.csv'`,
        "copy plant.reading from program 'echo 9'",
        'commit; insert into plant.log values (now())',
        'select 1; end; insert into plant.log values (now())',
        'rollback; insert into plant.log values (now())',
        'abort; insert into plant.log values (now())',
        'begin; insert into plant.log values (now())',
        'start transaction read write; insert into plant.log values (now())',
        'savepoint a; insert into plant.log values (now())',
        'set transaction read write; insert into plant.log values (now())',
        'set session characteristics as transaction read write; insert into plant.log values (now())',
        'reset all; insert into plant.log values (now())',
        'set transaction_read_only = off; insert into plant.log values (now())',
        `set local "transaction_read_only" to 'off'; insert into plant.log values (now())`,
        'set search_path = plant; insert into log values (now())',
        `set search_path = plant, "x; commit; insert into plant.log values (now())"; insert into plant.log values (now())`,
        `set standard_conforming_strings = off; select '\\''; commit; insert into plant.log values (now()); --'; select 1`,
        `set search_path = 'a\\'; commit; insert into plant.log values (now()); --'`,
        'set role pg_monitor; insert into plant.log values (now())',
        'set session authorization default; insert into plant.log values (now())',
        // A mistyped statement is only parsed, even if others follow it.
        'selec 1; insert into plant.log values (now())',
        'insrt into plant.log values (now())',
        `selec '\\'; commit; insert into plant.log values (now()); --'`,
        '"select" 1; insert into plant.log values (now())',
        '1) to stdout; insert into plant.log values (now())',
        'merge into plant.reading r using plant.log l on true when matched then delete',
        'discard all',
        `select set_config('transaction_read_only', 'off', false); insert into plant.log values (now())`,
        `select set_config('default_transaction_read_only', 'off', false); insert into plant.log values (now())`,
        'prepare p as insert into plant.log values (now())',
        'execute p',
        // With backslash escapes on, the server sees the end of the text elsewhere than we do.
        `select set_config('standard_conforming_strings', 'off', false); select '\\''; commit; insert into plant.log values (now()); --'; select 1`,
        'create role made',
        `alter system set work_mem = '8MB'`,
        'vacuum plant.reading',
        'lock table plant.reading in exclusive mode',
        'select * from plant.reading for update',
        `security label on table plant.reading is 'x'`,
        `comment on table plant.reading is 'x'`,
      ],
    },
    allowedWrite: { query: `insert into plant.log values (now()) returning at`, state },
  },
  schema: {
    tables: [
      {
        name: 'plant.reading',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'label', type: 'text' },
        ],
      },
      { name: 'plant.summary', columns: [{ name: 'n', type: 'bigint' }] },
      { name: '"odd.name"', columns: [{ name: 'a "b' }] },
      { name: '"s.""t"."o""dd.name"', columns: [{ name: 'id' }] },
      { name: 'reading_elsewhere', columns: [{ name: 'id' }] },
    ],
    large: {
      columns: 20_000,
      withinMs: 20_000,
      prepare: async () => {
        const columns = Array.from({ length: 500 }, (_, i) => `c${i} int`).join();
        await administer('create schema large', ...Array.from({ length: 40 }, (_, i) => `create table large.t${i} (${columns})`));
      },
    },
  },
};

/** The rest of the family runs on the same server and only reads rows differently. One test of a million rows is enough. */
const { many, ...quickSql } = suite.sql;
const quick: ConnectorSuite = { ...suite, sql: quickSql, schema: { tables: suite.schema?.tables ?? [] } };
for (const connector of [timescale, cockroach]) describeConnector(connector, quick);
describeConnector(redshift, {
  ...quick,
  schema: { tables: [...(suite.schema?.tables ?? []), { name: 'spectrum.event', columns: [{ name: 'at', type: 'timestamp' }] }] },
});

const isOneStatement = ({ query }: { query: string }) => splitStatements(query, 'postgres').length === 1;
const onlyOne = <T extends { query: string }>(cases: Record<string, T> = {}) =>
  Object.fromEntries(Object.entries(cases).filter(([, one]) => isOneStatement(one)));
const { allowedWrite, writes, values, errors, ...readingSql } = quickSql;
describeConnector(iotData, {
  ...quick,
  options: (at) => {
    const url = superuser();
    if (at) url.host = `${at.host}:${at.port}`;
    return { url: String(url), pass: 'none' };
  },
  // Names include their schema, whatever the search path is.
  schema: {
    tables: (suite.schema?.tables ?? []).map((table) =>
      ['"odd.name"', 'reading_elsewhere'].includes(table.name) ? { ...table, name: `public.${table.name}` } : table,
    ),
  },
  sql: {
    ...readingSql,
    values: onlyOne(values),
    errors: onlyOne(errors),
    ...(writes && { writes: { ...writes, message: /IoT data answers one SELECT at a time|read-only|syntax error/ } }),
  },
});

describeConnector(postgres, suite);

/** Returns the bytes sent to the server through this port. */
async function sniffed(work: (port: number) => Promise<void>): Promise<string> {
  let seen = '';
  const server = createServer((near) => {
    const far = connect(Number(address().port), address().hostname);
    near.on('data', (bytes) => (seen += bytes.toString('latin1')));
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await work((server.address() as AddressInfo).port).finally(() => new Promise((resolve) => server.close(resolve)));
  return seen;
}

async function withConnection<T>(work: (connection: Connection) => Promise<T>, more = {}): Promise<T> {
  const connection = await postgres.open({ ...options(), ...more }, testEnv(), never());
  return work(connection).finally(() => connection.close());
}

describe('pg alone', () => {
  test('1,600 columns, the most there can be', async () => {
    await withConnection(async (connection) => {
      const query = `select ${Array.from({ length: 1600 }, (_, i) => `${i} as c${i}`).join()}`;
      expect(Object.keys((await runTable(connection, query)).rows[0] ?? {})).toHaveLength(1600);
    });
  });

  test('nothing of one statement is left for the next: locks, settings, temporary tables, prepared statements, listening', async () => {
    const left = `select pg_backend_pid() as pid, current_setting('work_mem') as work_mem, current_setting('search_path') as path,
      (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
      (select count(*) from pg_prepared_statements) as prepared, (select count(*) from pg_listening_channels()) as channels,
      (select count(*) from pg_class where relname = 'scratch') as tables, (select count(*) from pg_cursors) as cursors`;
    for (const allow_writes of [false, true]) {
      await withConnection(
        async (connection) => {
          const before = (await runTable(connection, left)).rows;
          const marks = allow_writes
            ? `set work_mem = '77MB'; set search_path = plant; create temp table scratch (a int); prepare p as select 1; listen somebody; set role pg_monitor; select set_config('search_path', 'plant', false);`
            : 'set search_path = plant; set enable_seqscan = off;';
          await runTable(connection, `${marks} select pg_advisory_lock(5)`);
          expect((await runTable(connection, left)).rows).toEqual(before);
        },
        { allow_writes },
      );
    }
  });

  test('a backend that is ended in the middle of the rows is a loss, not a short result', async () => {
    await withConnection(async (connection) => {
      const running = runTable(connection, `select repeat('lost', 1000) as x, generate_series(1, 100000000) as lost`, {
        chunks: { limits: { rows: 1e9, bytes: 1e12 } },
      });
      running.catch(() => {});
      await expect.poll(isRunning('lost')).toBe(true);
      await administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%lost%' and pid <> pg_backend_pid()`,
      );
      await expect(running).rejects.toThrow(/terminating connection|lost/);
      expect(connection.isBroken).toBe(true);
    });
  });

  test('another database of the server, for one statement', async () => {
    await withConnection(async (connection) => {
      expect(await connection.databases?.(never())).toContain('postgres');
      expect((await runTable(connection, 'select current_database() as db', { database: 'postgres' })).rows).toEqual([{ db: 'postgres' }]);
      await expect(runTable(connection, 'insert into x values (1)', { database: 'postgres' })).rejects.toThrow();
    });
  });

  test('W35: a result that is too large ends with a sentence, and the server stops', async () => {
    await withConnection(async (connection) => {
      const query = `select repeat('much', 1000) as x, generate_series(1, 100000000) as much`;
      await expect(runTable(connection, query, { chunks: { limits: { rows: 1000 } } })).rejects.toThrow(
        'The result has more than 1,000 rows.',
      );
      await expect.poll(isRunning('much')).toBe(false);
    });
  });

  test('a member of the family without COPY gives the same rows', async () => {
    const query = `select i, i * 1.5 as x, 'ż🌡 ' || i as t, null as n, timestamptz '2026-01-31 10:00:00+01' as at, array[i] as a, '{"k": 1}'::jsonb as j
      from generate_series(1, 20000) i`;
    const connection = await redshift.open(options(), testEnv(), never());
    try {
      expect(await runTable(connection, query)).toEqual(await withConnection((other) => runTable(other, query)));
      await expect(runTable(connection, 'unload (select 1) to x')).rejects.toThrow(/read-only/);
    } finally {
      await connection.close();
    }
  });

  test('security 6: functions that reach files, programs and other servers are refused', async () => {
    await withConnection(async (connection) => {
      for (const call of [
        `pg_read_file('/etc/passwd')`,
        `pg_catalog."pg_read_file" ('/etc/passwd')`,
        `pg_ls_dir('/')`,
        `U&"pg_read\\005ffile"('/etc/passwd')`,
        `lo_import('/etc/passwd')`,
        `query_to_xml('select pg_read_file(''/etc/passwd'')', true, true, '')`,
        `dblink('dbname=x', 'delete from y')`,
        `PG_TERMINATE_BACKEND(1)`,
        // These functions run a text that the check cannot see.
        `* from ts_stat('select to_tsvector(pg_read_file(''/etc/passwd''))')`,
        `ts_rewrite('a'::tsquery, 'select t, s from aliases')`,
        `ts_rewrite('a'::tsquery, array['select t, s from aliases', 'x'][1])`,
        `public.ts_rewrite ( 'a & b'::tsquery , concat('select t,', 's from aliases') )`,
        `* from crosstab('select 1, 2, 3') as x (a int, b int)`,
        `* from crosstab4('select 1, 2, 3')`,
        `* from connectby('tree', 'id', 'parent', '1', 0)`,
        `* from xpath_table('id', 'doc', 'docs', '/a', 'true') as x (id int)`,
        // This function changes settings that `SET` is refused for.
        `set_config('standard_conforming_strings', 'off', false)`,
        `* from pg_catalog.set_config('client_encoding', 'SJIS', true)`,
        // These functions reach other servers.
        `dblink_get_result('c')`,
        `dblink_fdw_validator(array['a'], 1)`,
        `http_get('http://169.254.169.254/')`,
        `(http(('GET', 'http://x', null, null, null)::http_request)).status`,
        `net.http_post('http://x')`,
        `aws_s3.query_export_to_s3('select 1', 'x')`,
        `query_export_to_s3('select 1', 'x')`,
        `* from "aws_lambda" . invoke('f', '{}')`,
        `cron.schedule('* * * * *', 'delete from x')`,
        // These functions control the server itself.
        `pg_drop_replication_slot('s')`,
        `pg_create_logical_replication_slot('s', 'test_decoding')`,
        `pg_create_physical_replication_slot('s')`,
        `pg_copy_logical_replication_slot('s', 't')`,
        `* from pg_logical_slot_get_changes('s', null, null)`,
        `pg_logical_slot_peek_binary_changes('s', null, null)`,
        `pg_replication_slot_advance('s', '0/0')`,
        `pg_replication_origin_drop('o')`,
        `pg_switch_wal()`,
        `pg_create_restore_point('p')`,
        `pg_backup_start('b')`,
        `pg_wal_replay_pause()`,
        `pg_stat_reset()`,
        `pg_stat_reset_shared('bgwriter')`,
        `pg_stat_statements_reset()`,
        `pg_ls_logicalsnapdir()`,
        `get_raw_page('plant.reading', 0)`,
      ]) {
        await expect(runTable(connection, `select ${call}`)).rejects.toThrow(/cannot be used in a read-only data source/);
      }
      expect((await runTable(connection, `select 'pg_read_file(x)' as pg_ls_dir -- lo_import()`)).rows).toEqual([
        { pg_ls_dir: 'pg_read_file(x)' },
      ]);
      // Harmless uses of similar names are allowed.
      const harmless = `select ts_rewrite('a & b'::tsquery, 'a'::tsquery, to_tsquery(concat('c', '|', 'd')))::text as rewritten, 1 as crosstab, 2 as cron,
        (select count(*) > 0 from pg_replication_slots cron where false) as slots, table_to_xml('plant.reading', true, true, '')::text <> '' as xml`;
      expect((await runTable(connection, harmless)).rows).toEqual([
        { rewritten: `'b' & ( 'c' | 'd' )`, crosstab: 1, cron: 2, slots: false, xml: true },
      ]);
    });
  });

  test('security 5: no statement moves the ends of texts, so that a later one hides a call in a text', async () => {
    const hidden = `select '\\''||pg_read_file($a$/etc/passwd$a$)--' as read`;
    await administer('drop role if exists file_reader', `create role file_reader login password 'x' in role pg_read_server_files`);
    await administer('grant execute on function pg_read_file(text) to file_reader');
    const reader = { user: 'file_reader', password: 'x' };
    try {
      await withConnection(async (connection) => {
        for (const change of [
          `select set_config('standard_conforming_strings', 'off', false)`,
          `select pg_catalog . "set_config" ('standard_conforming_strings', 'off', true)`,
          'set standard_conforming_strings = off',
          'set local standard_conforming_strings to off',
          'set session standard_conforming_strings = off',
          'reset standard_conforming_strings',
          'reset all',
        ])
          await expect(runTable(connection, `${change}; ${hidden}`), change).rejects.toThrow(/read-only/);
      }, reader);
      // A default of the role, which the connection overrules.
      await administer('alter role file_reader set standard_conforming_strings = off');
      await withConnection(async (connection) => {
        expect((await runTable(connection, hidden)).rows).toEqual([{ read: `\\'||pg_read_file($a$/etc/passwd$a$)--` }]);
      }, reader);
    } finally {
      await administer('revoke execute on function pg_read_file(text) from file_reader', 'drop role file_reader');
    }
  });

  test('SET that is refused is named, and is no write', async () => {
    await withConnection(async (connection) => {
      for (const [query, message] of [
        [`set datestyle = 'German'; select 1`, 'SET datestyle cannot be used in a read-only data source.'],
        ['set local transaction read write', 'SET transaction cannot be used in a read-only data source.'],
        ['set search_path', 'SET search_path cannot be used in a read-only data source.'],
        ['set', 'SET cannot be used in a read-only data source.'],
      ] as const) {
        await expect(runTable(connection, query)).rejects.toMatchObject({ message, line: 1, column: 1 });
      }
    });
  });

  test('security 5: refused statements do not reach the server, and mistyped ones are only parsed', async () => {
    const seen = await sniffed(async (port) => {
      await withConnection(
        async (connection) => {
          for (const query of ['drop table plant.reading', 'copy plant.log from stdin', 'unload (select 1) to x', 'vacuum plant.reading'])
            await expect(runTable(connection, query)).rejects.toThrow(/read-only/);
          await expect(runTable(connection, 'dorp table plant.reading')).rejects.toThrow('syntax error at or near "dorp"');
        },
        { host: '127.0.0.1', port },
      );
    });
    expect(seen).not.toMatch(/drop table|from stdin|unload|vacuum/);
    // The statement is sent as a Parse of the extended protocol, never as a Query.
    expect(seen).toContain('\0dorp table');
    expect(seen).not.toMatch(/Q.{4}dorp table/s);
  });

  test('only columns that the role may select are listed, and no chunks of TimescaleDB, no partitions', async () => {
    const role = `columns_${process.pid}`;
    await administer(
      `create role ${role} login password 'x'`,
      'create table plant.secret (a int, b int)',
      `grant usage on schema plant, _timescaledb_internal to ${role}`,
      `grant select (a) on plant.secret to ${role}`,
      `grant select on plant.parted, plant.parted_1, _timescaledb_internal._hyper_1_1_chunk to ${role}`,
    );
    try {
      const tables = await withConnection((connection) => connection.schema(never()), { user: role, password: 'x' });
      const names = tables.map(({ name }) => name);
      expect(tables.find(({ name }) => name === 'plant.secret')?.columns.map(({ name }) => name)).toEqual(['a']);
      expect(names).toContain('plant.parted');
      expect(names).not.toContain('plant.parted_1');
      expect(names.filter((name) => name.includes('_timescaledb_'))).toEqual([]);
    } finally {
      await administer(`drop owned by ${role}`, `drop role ${role}`);
    }
  });

  test('a host that is silent is left at once when somebody stops, and named when nobody does', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    try {
      for (const sslmode of ['disable', 'prefer']) {
        const took = await quickest(2000, async () => async () => {
          const opening = postgres.open({ ...options({ host: '127.0.0.1', port }), sslmode }, testEnv(), AbortSignal.timeout(300));
          await expect(opening).rejects.toThrow(/aborted due to timeout/);
        });
        expect(took).toBeLessThan(2000);
      }
      const opening = postgres.open(options({ host: '127.0.0.1', port }), testEnv(), never());
      await expect(opening).rejects.toThrow(/^127\.0\.0\.1:\d+ did not answer in time\.$/);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    }
  });

  test('the line is encrypted where the server can, and checked where that is asked for', async () => {
    const certificate = selfSigned('localhost');
    const front = await tlsFront({ host: address().hostname, port: Number(address().port) }, certificate);
    const [ca, key] = [certificate.cert, certificate.key].map((pem) => Buffer.from(pem).toString('base64'));
    const broken = Buffer.from('-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----').toString('base64');
    const line = (more: object, at = front.port) =>
      withConnection(async (connection) => (await runTable(connection, 'select 1 as one')).rows, { host: '127.0.0.1', port: at, ...more });
    const plainPort = Number(address().port);
    try {
      const rows = [{ one: 1 }];
      for (const sslmode of ['disable', 'allow', 'prefer', 'require']) expect(await line({ sslmode })).toEqual(rows);
      expect(await line({ sslmode: 'verify-ca', sslrootcertFile: ca })).toEqual(rows);
      expect(await line({ sslmode: 'verify-full', sslrootcertFile: ca, host: 'localhost' })).toEqual(rows);
      expect(await line({ sslmode: 'require', sslcertFile: ca, sslkeyFile: key })).toEqual(rows);
      expect(front.encrypted()).toBe(6);
      await expect(line({ sslmode: 'verify-full', sslrootcertFile: ca })).rejects.toThrow(/does not match certificate/);
      await expect(line({ sslmode: 'verify-ca' })).rejects.toThrow(/^No safe connection to 127\.0\.0\.1:\d+: self-signed certificate\.$/);
      await expect(line({ sslmode: 'verify-ca', sslrootcertFile: broken })).rejects.toThrow(
        /^The SSL root certificate is not a certificate/,
      );
      await expect(line({ sslcertFile: broken })).rejects.toThrow(/^The SSL client certificate is not a certificate/);
      await expect(line({ sslcertFile: ca, sslkeyFile: broken })).rejects.toThrow(/^The SSL client key cannot be read/);
      // The test server has no certificate.
      for (const sslmode of ['allow', 'prefer']) expect(await line({ sslmode }, plainPort)).toEqual(rows);
      for (const sslmode of ['require', 'verify-full']) await expect(line({ sslmode }, plainPort)).rejects.toThrow(/does not support SSL/);
      const stopped = withConnection((connection) => runTable(connection, 'select pg_sleep(30)', { signal: AbortSignal.timeout(500) }), {
        ...{ host: '127.0.0.1', port: front.port, sslmode: 'require' },
      });
      await expect(stopped).rejects.toThrow('canceling statement due to user request');
    } finally {
      await front.close();
    }
  });

  test('each of the family has its usual port', () => {
    const portOf = ({ options: fields }: Connector) => fields.parse({ dbname: 'x' }).port;
    expect([postgres, timescale, redshift, cockroach].map(portOf)).toEqual([5432, 5432, 5439, 26_257]);
  });

  test('a link-local address and a path to a socket are refused', async () => {
    await expect(withConnection(async () => {}, { host: '169.254.169.254' })).rejects.toThrow(/Link-local/);
    await expect(withConnection(async () => {}, { host: '/var/run/postgresql' })).rejects.toThrow(/not the name of a host/);
  });
});
