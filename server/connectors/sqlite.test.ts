import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlite } from './sqlite.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { runOnce, runTable, testEnv } from './testing/run-table.ts';

const canary = 'CANARY-7f3a';
let home = '';
const files = () => join(home, 'files');
const env = { filesFolder: '' };

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'telltale-sqlite-'));
  env.filesFolder = files();
  await mkdir(files());
  await writeFile(join(home, 'canary.txt'), canary);
  await writeFile(join(files(), 'text.db'), 'this is a letter, not a database. '.repeat(200));
  await symlink(join(home, 'other.db'), join(files(), 'link.db'));
  const other = new DatabaseSync(join(home, 'other.db'));
  other.exec(`create table secret (a); insert into secret values ('${canary}')`);
  other.close();
  const database = new DatabaseSync(join(files(), 'plant.db'));
  database.exec(`
    create table reading (id integer primary key, label text, at datetime, ok boolean, raw blob, value real, anything);
    insert into reading values
      (9007199254740993, 'żółć 温度 🌡 "q" \\', '2026-01-31 10:00:00.123456', 1, x'00ff', 0.1, 'text'),
      (-5, null, '2026-01-31', 0, x'', 1e300, 7);
    create index by_label on reading (label);
    create view latest as select max(id) as id from reading;
    create view broken as select * from gone;
    create table "odd ""name" ("a b" int);
  `);
  database.close();
});
afterAll(() => rm(home, { recursive: true }));

const state = async () => [(await readdir(files())).sort(), (await readFile(join(files(), 'plant.db'))).toString('base64').length];

describeConnector(sqlite, {
  options: () => ({ dbpath: 'plant.db' }),
  env: () => env,
  sql: {
    one: 'select 1 as one',
    values: {
      'every kind of value, big integers exactly': {
        query: 'select * from reading order by id desc',
        columns: { id: 'integer', label: 'string', at: 'datetime', ok: 'boolean', raw: 'string', value: 'float', anything: 'string' },
        rows: [
          {
            ...{ id: '9007199254740993', label: 'żółć 温度 🌡 "q" \\', at: '2026-01-31T10:00:00.123', ok: true, raw: '00ff', value: 0.1 },
            anything: 'text',
          },
          { id: -5, label: null, at: '2026-01-31', ok: false, raw: '', value: 1e300, anything: 7 },
        ],
      },
      'numbers that are none': { query: 'select 1e400 as a, null as b', columns: { a: 'float', b: null }, rows: [{ a: null, b: null }] },
      'equal names': { query: 'select 1 as a, 2 as a', rows: [{ a: 1, a1: 2 }] },
      'the last of several statements': { query: `select ';'; -- ;\nselect 2 as two;`, rows: [{ two: 2 }] },
      'JSON and pragmas that only tell': {
        query: `select json_extract('{"a": 5}', '$.a') as a, (select count(*) from pragma_table_info('reading')) as columns`,
        rows: [{ a: 5, columns: 7 }],
      },
    },
    empty: { query: 'select id, label from reading where 0', columns: { id: null, label: null } },
    wide: (columns) => `select ${Array.from({ length: columns }, (_, i) => `${i} as c${i}`).join()}`,
    many: {
      query: `with recursive n(i) as (select 1 union all select i + 1 from n limit 1000000) select i, i * 1.5 as x, 'text ' || i as t from n`,
      rows: 1_000_000,
    },
    errors: {
      'a word too many': {
        query: `select id\n from reading where\n where id = 1`,
        line: 3,
        column: 2,
        message: 'near "where": syntax error',
      },
      'in a later statement, behind unicode': { query: `select '温度 🌡';\nselect 'ż🌡', nope from reading`, line: 2, column: 15 },
      'inside a CTE': {
        query: 'with x as (\n  select 1 from nowhere\n) select * from x',
        line: 2,
        column: 17,
        message: 'no such table: nowhere',
      },
      'the end came too soon': { query: 'select 1 from', line: 1, column: 14, message: 'incomplete input' },
      'a function nobody wrote': { query: 'select\n  nofunc(1)', line: 2, column: 3 },
      'nothing at all': { query: '-- nothing', message: "Can't execute empty query." },
      'a fault among the rows': { query: `select json('{')`, message: 'malformed JSON' },
    },
    slow: { query: `with recursive n(i) as (select 1 union all select i + 1 from n) select i from n` },
    writes: {
      state,
      message: /^This data source is read-only\.$/,
      attempts: [
        'insert into reading (id) values (1)',
        'with x as (select 1) delete from reading',
        'create table made (a)',
        'create temp table made (a)',
        'drop table reading',
        'vacuum',
        `vacuum into 'made.db'`,
        `attach 'made.db' as other`,
        `attach ':memory:' as other`,
        `attach '/etc/passwd' as other`,
        'detach main',
        'reindex',
        'analyze',
        'begin',
        'begin exclusive; select 1',
        'savepoint a',
        'commit',
        'explain insert into reading (id) values (1)',
        'pragma writable_schema = 1',
        'pragma user_version = 5',
        'pragma journal_mode = wal',
        `pragma temp_store_directory = '/'`,
        'pragma mmap_size = 100000000000',
        'pragma hard_heap_limit = 1',
        'pragma query_only = 0',
        `select load_extension('/tmp/x.so')`,
        `select fts3_tokenizer('simple', x'00')`,
        'create virtual table v using fts5(a)',
        'select 1; delete from reading',
      ],
    },
  },
  schema: {
    tables: [
      {
        name: 'reading',
        columns: [
          { name: 'id', type: 'INTEGER' },
          { name: 'at', type: 'datetime' },
        ],
      },
      { name: 'latest', columns: [{ name: 'id' }] },
      { name: 'broken', columns: [] },
      { name: 'odd "name', columns: [{ name: 'a b' }] },
    ],
    large: {
      columns: 20_000,
      withinMs: 10_000,
      prepare: async () => {
        const database = new DatabaseSync(join(files(), 'plant.db'));
        const columns = Array.from({ length: 500 }, (_, i) => `c${i}`).join();
        for (let i = 0; i < 40; i++) database.exec(`create table large${i} (${columns})`);
        database.close();
      },
    },
  },
});

const run = (query: string, dbpath = 'plant.db') => runOnce(sqlite, { dbpath }, query, { env });

test('files with full-text and R-tree tables can be tested and read, and written no more than others', async () => {
  const path = join(files(), 'search.db');
  const database = new DatabaseSync(path);
  database.exec(`
    create virtual table letter using fts5(body);
    insert into letter values ('hello world'), ('good night');
    create virtual table place using rtree(id, west, east);
    insert into place values (1, 0, 10), (2, 20, 30);
    create virtual table note using fts4(body);
    insert into note values ('hello note');
  `);
  database.close();
  const before = await readFile(path);
  const connection = await sqlite.open({ dbpath: 'search.db' }, testEnv(env), new AbortController().signal);
  await connection.test(new AbortController().signal);
  expect((await runTable(connection, `select body from letter where letter match 'hello'`)).rows).toEqual([{ body: 'hello world' }]);
  expect((await runTable(connection, `select highlight(letter, 0, '<', '>') as h from letter('night')`)).rows).toEqual([
    { h: 'good <night>' },
  ]);
  expect((await runTable(connection, 'select id from place where east >= 25')).rows).toEqual([{ id: 2 }]);
  expect((await runTable(connection, `select body from note where body match 'note'`)).rows).toEqual([{ body: 'hello note' }]);
  expect((await connection.schema(new AbortController().signal)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['letter', 'place', 'note']),
  );
  for (const query of [
    `insert into place values (3, 0, 1)`,
    'delete from place',
    `insert into place_node values (9, x'00')`,
    'delete from place_node',
    'delete from place_rowid; select 1',
    'update place_node set data = null',
    `insert into letter values ('more')`,
    `insert into letter (letter) values ('optimize')`,
    'delete from letter_content',
    'drop table place_node',
    'create temp table other_node (a)',
    'pragma data_version = 5',
  ]) {
    await expect(runTable(connection, query), query).rejects.toThrow(/^This data source is read-only\.$/);
  }
  expect((await readFile(path)).equals(before)).toBe(true);
  expect((await readdir(files())).filter((name) => name.startsWith('search.db'))).toEqual(['search.db']);
});

test('security 27: nobody learns where the file lies', async () => {
  for (const query of ['pragma database_list', 'select * from pragma_database_list', 'select file from pragma_database_list()']) {
    await expect(run(query)).rejects.toThrow(/^This data source is read-only\.$/);
  }
});

test('security 7: files outside the folder stay closed, whatever asks for them', async () => {
  for (const dbpath of ['/etc/passwd', '../other.db', 'link.db', 'missing.db', 'sub/../../other.db', `file:${join(home, 'other.db')}`]) {
    await expect(run('select * from secret', dbpath)).rejects.toThrow(/folder for files/);
  }
  for (const query of [
    `select readfile('${home}/canary.txt')`,
    `select * from fsdir('${home}')`,
    `select * from csv('${home}/canary.txt')`,
  ]) {
    await expect(run(query)).rejects.toThrow(/no such/);
  }
});

test('a file that is no database says so, without its place', async () => {
  await expect(run('select * from sqlite_schema', 'text.db')).rejects.toThrow(/^file is not a database$/);
});

test('a value larger than a row may be is refused before it is made', async () => {
  await expect(run(`select zeroblob(600000000)`)).rejects.toThrow(/too big/);
});

test('a file that is replaced is seen by the next statement', async () => {
  const write = (value: number) => {
    const database = new DatabaseSync(join(files(), 'changing.db'));
    database.exec(`create table t (a); insert into t values (${value})`);
    database.close();
  };
  write(1);
  const connection = await sqlite.open({ dbpath: 'changing.db' }, testEnv(env), new AbortController().signal);
  expect((await runTable(connection, 'select a from t')).rows).toEqual([{ a: 1 }]);
  await rm(join(files(), 'changing.db'));
  write(2);
  expect((await runTable(connection, 'select a from t')).rows).toEqual([{ a: 2 }]);
});
