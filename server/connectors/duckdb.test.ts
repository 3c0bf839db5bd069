import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckdb } from './duckdb.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { runOnce, runTable, testEnv } from './testing/run-table.ts';

const canary = 'CANARY-91c2';
let home = '';
const env = { filesFolder: '' };
const inFiles = (...names: string[]) => join(env.filesFolder, ...names);

/** Runs statements without the connector, on an engine without any lock. */
async function make(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'telltale-duck-'));
  env.filesFolder = join(home, 'files');
  await mkdir(inFiles('mixed', 'deeper'), { recursive: true });
  await writeFile(join(home, 'canary.csv'), `a,b\n1,${canary}\n`);
  await writeFile(inFiles('readings.csv'), 'id,label,at\n1,żółć,2026-01-31 10:00:00\n2,"温度, 🌡",2026-02-01 10:00:00\n');
  await writeFile(inFiles('neighbour.csv'), `a\n${canary}\n`);
  await writeFile(inFiles('mixed', 'Line 4 (new).csv'), 'a,b\n1,x\n');
  await writeFile(inFiles('mixed', '2024.tsv'), 'a\tb\n2\ty\n');
  await writeFile(inFiles('mixed', 'events.jsonl'), '{"n": 1, "tags": ["a", "b"]}\n{"n": 2, "tags": []}\n');
  await writeFile(inFiles('mixed', 'star*.csv'), `a\n${canary}\n`);
  await writeFile(inFiles('mixed', "it's.csv"), 'a\n1\n');
  await writeFile(inFiles('mixed', 'notes.md'), '# nothing to read');
  await writeFile(inFiles('mixed', 'broken.parquet'), 'no parquet at all');
  await symlink(join(home, 'canary.csv'), inFiles('mixed', 'link.csv'));
  await make(':memory:', `copy (select 7 as n, 1.5::decimal(10, 2) as d) to '${inFiles('mixed', 'numbers.parquet')}'`);
  await make(
    inFiles('plant.duckdb'),
    'create table reading (id bigint, label varchar)',
    `comment on table reading is 'what was read'`,
    `comment on column reading.id is 'its number'`,
    `insert into reading values (1, 'one'), (2, 'two')`,
    'create schema other',
    'create table other.elsewhere (a int)',
    'create table "o""dd.name" (a int)',
  );
  await make(inFiles('small.duckdb'), 'create table reading (id bigint)');
  await make(
    inFiles('hostile.duckdb'),
    `create view stolen as select * from read_csv('${join(home, 'canary.csv')}')`,
    `create macro stealing() as table select * from read_text('${join(home, 'canary.csv')}')`,
  );
});
afterAll(() => rm(home, { recursive: true }));

const filesOf = async (folder: string) =>
  Promise.all(
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, (await readFile(path)).toString('base64')];
      }),
  );
const state = async () => [await filesOf(home), (await readdir(tmpdir())).filter((name) => name.startsWith('telltale-out'))];

describeConnector(duckdb, {
  options: () => ({ dbpath: 'plant.duckdb' }),
  env: () => env,
  sql: {
    one: 'select 1 as one',
    values: {
      'integers of all sizes, exactly': {
        query:
          'select 127::tinyint a, 9007199254740993 b, 170141183460469231731687303715884105727 c, 18446744073709551615::ubigint d, sum(id) e from reading',
        columns: { a: 'integer', b: 'integer', c: 'integer', d: 'integer', e: 'integer' },
        rows: [{ a: 127, b: '9007199254740993', c: '170141183460469231731687303715884105727', d: '18446744073709551615', e: 3 }],
      },
      'decimals exactly, floats as they are meant': {
        query: `select 1.10 a, 12345678901234567890.123456789 b, -0.05 c, 0.1::float d, 0.1::double + 0.2::double e, 'nan'::double f, 1e300::double g, 5::decimal(9, 0) h`,
        columns: { a: 'float', b: 'float', c: 'float', d: 'float', e: 'float', f: 'float', g: 'float', h: 'integer' },
        rows: [{ a: 1.1, b: '12345678901234567890.123456789', c: -0.05, d: 0.1, e: 0.30000000000000004, f: null, g: 1e300, h: 5 }],
      },
      'moments with and without a zone': {
        query: `select timestamptz '2026-01-31 10:00:00.123456+05:30' a, timestamp '2026-01-31 10:00:00' b, date '2026-01-31' c, time '10:00:00.5' d,
          interval '1 day 5 seconds' e, timestamp '1969-12-31 23:59:59.5' f, 'infinity'::timestamp g, 'infinity'::date h, timestamp_ns '2026-01-31 10:00:00.123456789' i,
          timestamptz '9999-12-31 23:59:59.999999+00' j, timestamp '0044-03-15 (BC) 10:00:00' k, timestamp '2026-01-31 10:00:00.0001' l`,
        columns: {
          a: 'datetime',
          b: 'datetime',
          c: 'date',
          d: 'string',
          e: 'string',
          f: 'datetime',
          g: 'datetime',
          h: 'date',
          i: 'datetime',
          j: 'datetime',
          k: 'datetime',
          l: 'datetime',
        },
        rows: [
          {
            ...{ a: '2026-01-31T04:30:00.123Z', b: '2026-01-31T10:00:00', c: '2026-01-31', d: '10:00:00.500', e: '1 day, 0:00:05' },
            ...{ f: '1969-12-31T23:59:59.500', g: 'infinity', h: 'infinity', i: '2026-01-31T10:00:00.123' },
            ...{ j: '9999-12-31T23:59:59.999Z', k: '0044-03-15 (BC) 10:00:00', l: '2026-01-31T10:00:00.000' },
          },
        ],
      },
      'texts, binary, booleans, nulls': {
        query: `select 'żółć 温度 🌡 "q" \\' a, 'ab'::blob b, true c, null d, 'x'::enum('x', 'y') e, uuid '0190163d-8694-739b-aea5-966c26f8ad90' f, '101'::bit g`,
        rows: [{ a: 'żółć 温度 🌡 "q" \\', b: '6162', c: true, d: null, e: 'x', f: '0190163d-8694-739b-aea5-966c26f8ad90', g: '101' }],
      },
      'nested values as JSON': {
        query: `select [1, null, 9007199254740993] a, {'x': 1, 'y': [{'t': date '2026-01-31'}]} b, map {'k': 1.5} c, '{"j": [1, null]}'::json d,
          union_value(num := 2) e, [1, 2]::int[2] f, ['a"b'] g`,
        columns: { a: null, b: null, c: null, d: null, e: null, f: null, g: null },
        rows: [
          {
            ...{
              a: [1, null, '9007199254740993'],
              b: { x: 1, y: [{ t: '2026-01-31' }] },
              c: { k: 1.5 },
              d: { j: [1, null] },
              e: 2,
              f: [1, 2],
            },
            g: ['a"b'],
          },
        ],
      },
      'design 8: numbers inside JSON keep their digits': {
        query: `select '{"big": 12345678901234567890, "d": [1.5]}'::json as j`,
        rows: [{ j: { big: '12345678901234567890', d: [1.5] } }],
      },
      'several statements, temporary tables among them': {
        query: `create temp table t as select ';' as a; select 1; -- ;\nselect * from t`,
        rows: [{ a: ';' }],
      },
      'PIVOT, SUMMARIZE, DESCRIBE and FROM first': {
        query: `describe reading; summarize reading; from reading; pivot reading on label using sum(id) group by id order by id`,
        rows: [
          { id: 1, one: 1, two: null },
          { id: 2, one: null, two: 2 },
        ],
      },
      'equal names': { query: 'select 1 as a, 2 as a', rows: [{ a: 1, a1: 2 }] },
    },
    empty: { query: 'select id, label from reading where false', columns: { id: 'integer', label: 'string' } },
    wide: (columns) => `select ${Array.from({ length: columns }, (_, i) => `${i} as c${i}`).join()}`,
    many: {
      query: `select i, i * 1.5 as x, 'text ' || i as t, timestamp '2026-01-01' + i * interval 1 second as at from range(1000000) r(i)`,
      rows: 1_000_000,
    },
    errors: {
      'a word too many': {
        query: `select id\n from reading where\n where id = 1`,
        line: 3,
        column: 2,
        message: 'Parser Error: syntax error at or near "where"',
      },
      'in a later statement, behind unicode': { query: `select '温度 🌡';\nselect 'ż🌡', nope from reading`, line: 2, column: 15 },
      'inside a CTE': {
        query: 'with x as (\n  select 1 from nowhere\n) select * from x',
        line: 2,
        column: 17,
        message: /Catalog Error: Table with name nowhere/,
      },
      'the end came too soon': { query: 'select 1 +', line: 1, column: 11 },
      'a function nobody wrote': { query: 'select\n  nofunc(1)', line: 2, column: 3 },
      'nothing at all': { query: '-- nothing', message: "Can't execute empty query." },
      'a fault among the rows, far behind the first': {
        query: `select i,\n  case when i = 900000 then ('x' || i)::int else i end as v from range(1000000) r(i)`,
        line: 2,
        column: 39,
        message: /Could not convert string 'x900000'/,
      },
      'the same behind another statement': {
        query: `create temp table last as select 900000 as n;\nselect case when i = n then ('x' || i)::int else i end as v from range(1000000) r(i), last`,
        line: 2,
        column: 39,
        message: /Could not convert string 'x900000'/,
      },
      'more memory than there may be': {
        query: 'select list(i) as l from range(500000000) r(i)',
        message: 'This query needs more memory than one query may use.',
      },
    },
    slow: { query: 'select count(*) as n from range(100000000) a, range(1000000) b where a.range + b.range = 7' },
    writes: {
      state,
      message:
        /^(This data source is read-only\.|\w+ cannot be used in this data source\.|Permission Error: .*|Invalid Input Error: .*|Parser Error: .*CTE.*|Binder Error: .*)$/s,
      attempts: [
        `insert into reading values (3, 'x')`,
        'delete from reading',
        'update reading set id = 5',
        `with x as (insert into reading values (9, 'x') returning *) select * from x`,
        'create table made (a int)',
        'create or replace view reading as select 1',
        'create macro made() as 1',
        'drop table reading',
        'alter table reading add column c int',
        'truncate reading',
        'begin; delete from reading',
        'commit; delete from reading',
        'rollback; delete from reading',
        'checkpoint',
        'vacuum',
        `call enable_logging(storage := 'file', storage_path := '/tmp/telltale-out')`,
        `attach '/tmp/telltale-out.db' as other`,
        `attach ':memory:' as other`,
        'detach plant',
        'use system',
        `copy reading to '/tmp/telltale-out.csv'`,
        `copy (select 1) to '/tmp/telltale-out.csv'`,
        `explain analyze copy (select 1) to '/tmp/telltale-out.csv'`,
        `explain analyze insert into reading values (3, 'x')`,
        `explain (analyze, format json) delete from reading`,
        `export database '/tmp/telltale-out'`,
        'install httpfs',
        'load httpfs',
        `load '/tmp/telltale-out.so'`,
        'update extensions',
        `create secret s (type s3)`,
        `create persistent secret s (type http)`,
        'set enable_external_access = true',
        'set lock_configuration = false',
        'reset enable_external_access',
        `set allowed_paths = ['/etc/passwd']`,
        `pragma memory_limit = '100GB'`,
        `set temp_directory = '/tmp/telltale-out'`,
        `pragma enable_profiling = 'json'`,
        `set log_query_path = '/tmp/telltale-out.log'`,
        'prepare p as select 1; execute p',
        `comment on table reading is 'x'`,
      ],
    },
  },
  schema: {
    tables: [
      {
        name: 'reading',
        description: 'what was read',
        columns: [
          { name: 'id', type: 'BIGINT', description: 'its number' },
          { name: 'label', type: 'VARCHAR' },
        ],
      },
      { name: 'other.elsewhere', columns: [{ name: 'a', type: 'INTEGER' }] },
      { name: '"o""dd.name"', columns: [{ name: 'a' }] },
    ],
    large: {
      columns: 20_000,
      withinMs: 20_000,
      prepare: () => {
        const columns = Array.from({ length: 500 }, (_, i) => `c${i} int`).join();
        return make(inFiles('plant.duckdb'), ...Array.from({ length: 40 }, (_, i) => `create table large${i} (${columns})`));
      },
    },
  },
});

const run = (query: string, dbpath: string) => runOnce(duckdb, { dbpath }, query, { env });

describe('data files', () => {
  test('a CSV file is a table of its name', async () => {
    const { columns, rows } = await run('select * from readings order by id', 'readings.csv');
    expect(columns.map(({ type }) => type)).toEqual(['integer', 'string', 'datetime']);
    expect(rows).toEqual([
      { id: 1, label: 'żółć', at: '2026-01-31T10:00:00' },
      { id: 2, label: '温度, 🌡', at: '2026-02-01T10:00:00' },
    ]);
  });

  test('a folder is a table for each file that can be read, and they can be joined', async () => {
    const connection = await duckdb.open({ dbpath: 'mixed' }, testEnv(env), new AbortController().signal);
    const schema = await connection.schema(new AbortController().signal);
    expect(schema.map(({ name }) => name)).toEqual(['_2024', 'broken', 'events', 'it_s', 'line_4_new_', 'numbers']);
    expect(schema.find(({ name }) => name === 'broken')).toMatchObject({ columns: [], description: expect.not.stringContaining(home) });
    const { rows } = await runTable(
      connection,
      'select n, d, tags, b from numbers join events e on e.n <> numbers.n, LINE_4_NEW_ where e.n = 1'.replace(
        'select n',
        'select numbers.n',
      ),
    );
    expect(rows).toEqual([{ n: 7, d: 1.5, tags: ['a', 'b'], b: 'x' }]);
    expect((await runTable(connection, 'select a from _2024 union all select a from it_s')).rows).toEqual([{ a: 2 }, { a: 1 }]);
  });

  test('a file that cannot be read fails with a sentence that names no place of the machine', async () => {
    const error = await run('select * from broken', 'mixed/broken.parquet').catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain('mixed/broken.parquet');
    expect((error as Error).message).not.toContain(home);
    await expect(run('select 1', 'mixed/notes.md')).rejects.toThrow(/no DuckDB database and no CSV/);
    await expect(run('select 1', 'readings')).rejects.toThrow(/There is no 'readings'/);
  });

  test('the file of the source itself is not written either', async () => {
    const before = await state();
    for (const query of [
      `copy (select 1 from readings) to '${inFiles('readings.csv')}'`,
      `explain analyze copy (select 1 from readings) to '${inFiles('readings.csv')}'`,
      `EXPLAIN /* x */ (ANALYZE, FORMAT json) COPY (select 1 from readings) to '${inFiles('readings.csv')}'`,
    ]) {
      await expect(run(query, 'readings.csv')).rejects.toThrow(/read-only|Permission/);
    }
    expect(await state()).toEqual(before);
  });
});

/** Attempts to read outside of the source. */
const attacksOn = (file: string) => [
  `select * from read_csv('${file}')`,
  `select * from read_csv_auto(['${file}'])`,
  `select * from '${file}'`,
  `select * from "${file}"`,
  `select * from read_text('${file}')`,
  `select * from read_blob('${file}')`,
  `select * from read_json('${file}')`,
  `select * from read_parquet('${file}')`,
  `select * from parquet_metadata('${file}')`,
  `select * from sniff_csv('${file}')`,
  `select * from glob('${file}')`,
  `select * from query('select * from read_text(''${file}'')')`,
  `create temp view v as select * from read_text('${file}'); select * from v`,
  `create temp macro m() as table select * from read_text('${file}'); select * from m()`,
  `create temp table t as select * from read_text('${file}'); select * from t`,
  `copy reading from '${file}'`,
  `import database '${file}'`,
];
const otherAttacks = (address: string) => [
  'select * from stolen',
  'select * from stealing()',
  `select * from read_csv('${address}/canary')`,
  `select * from '${address}/canary.csv'`,
  `select * from read_text('s3://bucket/canary')`,
  `select getenv('HOME')`,
  `select * from sqlite_scan('${join(home, 'canary.csv')}', 't')`,
  `select * from postgres_scan('${address}', 'public', 't')`,
  'select * from duckdb_secrets()',
];

test('security 7: no file and no address but the source’s own can be reached', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(canary);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = await state();
  try {
    const outside = [join(home, 'canary.csv'), '/etc/passwd', '/proc/self/environ', inFiles('*.csv'), inFiles('mixed', 'link.csv')];
    for (const [dbpath, files] of [
      ['hostile.duckdb', outside],
      ['readings.csv', [inFiles('neighbour.csv'), inFiles('mixed', '..', 'neighbour.csv')]],
      ['mixed', [inFiles('neighbour.csv')]],
    ] as const) {
      const connection = await duckdb.open({ dbpath }, testEnv(env), new AbortController().signal);
      for (const text of [...files.flatMap(attacksOn), ...otherAttacks(address)]) {
        const answer = await runTable(connection, text).catch((error: Error) => error.message);
        expect(JSON.stringify([text, answer])).not.toMatch(/CANARY|root:|PATH=/);
      }
    }
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(asked).toEqual([]);
  expect(await state()).toEqual(before);
});

test('security 27: the engine tells about itself, but not where its files lie', async () => {
  const asking = [
    'pragma database_list',
    'from duckdb_databases()',
    `create temp table t as select * from duckdb_databases(); select * from t`,
    `select * from query('from duckdb_' || 'databases()')`,
    'from duckdb_settings()',
    'from pg_catalog.pg_settings',
    `select current_setting('temp_directory') as a, current_setting('allowed_paths') as b, current_setting('allowed_directories') as c`,
    'select sql from duckdb_views() union all select sql from sqlite_master -- readings',
    'select view_definition from information_schema.views -- readings',
    'explain (format json) select * from readings',
    'from duckdb_extensions()',
    'from duckdb_secrets()',
  ];
  for (const dbpath of ['small.duckdb', 'readings.csv']) {
    for (const query of asking) {
      const answer = await run(query, dbpath).catch((error: Error) => error.message);
      expect(JSON.stringify([query, answer])).not.toMatch(/telltale-duck|\.duckdb\/|\/root/);
    }
  }
  const { rows: values } = await run(`select '${home}' as place`, 'small.duckdb');
  expect(values).toEqual([{ place: home }]);
});

test('a SQLite file is sent to where it belongs', async () => {
  const database = new DatabaseSync(inFiles('lite.db'));
  database.exec('create table t (a)');
  database.close();
  await expect(run('select 1', 'lite.db')).rejects.toThrow('This is a SQLite database. Use a data source of the type SQLite for it.');
});

test('SET and USE are refused by their name, not as writes', async () => {
  for (const query of [`set timezone = 'UTC'`, 'use main', 'reset timezone'])
    await expect(run(query, 'small.duckdb')).rejects.toThrow(/^(SET|USE|RESET) cannot be used in this data source\.$/);
});

test('what does not fit into memory goes to a folder that is gone afterwards', async () => {
  const { rows } = await run(
    'select count(*) as n from (select i, md5(i::varchar) as m from range(3000000) r(i) order by m offset 10)',
    'hostile.duckdb',
  );
  expect(rows).toEqual([{ n: 2_999_990 }]);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith(`telltale-duckdb-${process.pid}-`))).toEqual([]);
});

test('a result that is too large ends with a sentence', async () => {
  const connection = await duckdb.open({ dbpath: 'plant.duckdb' }, testEnv(env), new AbortController().signal);
  const running = runTable(connection, 'select * from range(100000000)', { chunks: { limits: { rows: 5000 } } });
  await expect(running).rejects.toThrow('The result has more than 5,000 rows.');
  expect((await runTable(connection, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
});
