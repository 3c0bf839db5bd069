import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from './connector.ts';
import { mysql, rdsMysql } from './mysql.ts';
import { type ConnectorSuite, describeConnector } from './testing/describe-connector.ts';
import { isAlive, startDoomedWorker } from './testing/doom.ts';
import { startExecutors } from './testing/executors.ts';
import { missingMariadb, startMariadb } from './testing/mariadb.ts';
import type { Program } from './testing/program.ts';
import { runTable, testEnv } from './testing/run-table.ts';
import { selfSigned } from './testing/self-signed.ts';

let server: Program | undefined;
const at = () => ({ host: '127.0.0.1', port: server?.port ?? 0 });
const options = ({ host, port } = at()) => ({ host, port, user: 'analyst', passwd: 'correct-horse', db: 'plant' });

/** Runs statements as an administrator of the server, without the connector; returns the rows of the last one. */
async function administer(...statements: string[]): Promise<unknown[][]> {
  const connection = await createConnection({ ...at(), user: 'root', rowsAsArray: true });
  try {
    let rows: unknown = [];
    for (const statement of statements) [rows] = await connection.query(statement);
    return rows as unknown[][];
  } finally {
    await connection.end();
  }
}

const isRunning = (text: string) => async () =>
  (await administer(`select id from information_schema.processlist where info like '%${text}%' and id <> connection_id()`)).length > 0;

const state = () =>
  administer(
    `select (select count(*) from plant.reading), (select count(*) from plant.plain), (select count(*) from mysql.proc),
      (select group_concat(table_name) from information_schema.tables where table_schema = 'plant'),
      (select next_not_cached_value from plant.counter), @@global.max_connections`,
  );

async function withConnection<T>(work: (connection: Connection) => Promise<T>, more = {}): Promise<T> {
  const connection = await mysql.open({ ...options(), ...more }, testEnv(), new AbortController().signal);
  return work(connection).finally(() => connection.close());
}

beforeAll(async () => {
  if (missingMariadb) return;
  server = await startMariadb(
    '--max-allowed-packet=1G',
    '--character-set-server=utf8mb4',
    '--sql-mode=ANSI,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES',
  );
  await administer(
    `set sql_mode = ''`,
    'create database plant',
    'create database other',
    // The account has far more rights than a source should have, so that refusals hold for every account.
    `create user analyst identified by 'correct-horse'`,
    'grant all on *.* to analyst',
    `create table plant.reading (id int primary key comment 'its number', label varchar(20)) comment 'what was read'`,
    `insert into plant.reading values (1, 'one'), (2, 'two')`,
    'create table plant.plain (id int) engine = MyISAM',
    'create sequence plant.counter',
    'create table other.elsewhere (id bigint unsigned)',
    `create table plant.kinds (flag bit(1), bits bit(12), bool boolean, y year, t text, b blob, v varbinary(4), e enum('a', 'b'), j json,
      d date, dt datetime(6), ts timestamp(3) null, tm time(3), f float, big bigint unsigned)`,
    `insert into plant.kinds values (b'1', b'111100001111', true, 2026, 'żółć 温度 🌡 "q" \\\\ \\n', x'00ff', x'cafe', 'b', '{"a": [1, null]}',
      '2026-01-31', '2026-01-31 10:00:00.123456', '2026-01-31 10:00:00.5', '-26:00:00.25', 1.5, 18446744073709551615)`,
    `insert into plant.kinds (d, dt, ts, flag) values ('0000-00-00', '0000-00-00 00:00:00', null, b'0')`,
    `create table plant.parts (d date, dt datetime, j json)`,
    `insert into plant.parts values ('2026-00-00', '2026-00-00 00:00:00', '{"big": 12345678901234567890, "d": 1.5}'), ('2026-01-00', '2026-01-00 10:00:00', null)`,
    'create table plant.`odd.name` (`a b` int, `c``d` int)',
    'create function plant.sneaky() returns int begin insert into plant.reading values (90, "f"); return 1; end',
    'create function plant.sneaky_plain() returns int begin insert into plant.plain values (90); return 1; end',
    'create procedure plant.ends() begin commit; insert into plant.reading values (91, "p"); end',
    'create procedure plant.two() begin select 1 as a; select 2 as b; end',
  );
});
afterAll(async () => server?.stop());

const suite: ConnectorSuite = {
  missing: missingMariadb,
  options,
  server: at,
  sql: {
    one: 'select 1 as one',
    values: {
      'integers of all sizes, exactly': {
        query: `select cast(-9223372036854775808 as signed) as small, cast(18446744073709551615 as unsigned) as big, 9007199254740991 as safe,
          true as yes, sum(id) as total from reading`,
        columns: { small: 'integer', big: 'integer', safe: 'integer', yes: 'integer', total: 'integer' },
        rows: [{ small: '-9223372036854775808', big: '18446744073709551615', safe: 9007199254740991, yes: 1, total: 3 }],
      },
      'decimals exactly, doubles as they are': {
        query: 'select 1.10 as a, 12345678901234567890.123456789 as b, 0.1e0 + 0.2e0 as c, 1e300 as d, null as e',
        columns: { a: 'float', b: 'float', c: 'float', d: 'float', e: null },
        rows: [{ a: 1.1, b: '12345678901234567890.123456789', c: 0.30000000000000004, d: 1e300, e: null }],
      },
      'every kind of column, and the dates that are none': {
        query: 'select * from kinds',
        columns: {
          ...{
            flag: 'boolean',
            bits: 'integer',
            bool: 'integer',
            y: 'integer',
            t: 'string',
            b: 'string',
            v: 'string',
            e: 'string',
            j: null,
          },
          ...{ d: 'date', dt: 'datetime', ts: 'datetime', tm: 'string', f: 'float', big: 'integer' },
        },
        rows: [
          {
            ...{ flag: true, bits: 0b111100001111, bool: 1, y: 2026, t: 'żółć 温度 🌡 "q" \\ \n', b: '00ff', v: 'cafe', e: 'b' },
            ...{ j: { a: [1, null] }, d: '2026-01-31', dt: '2026-01-31T10:00:00.123', ts: '2026-01-31T10:00:00.500Z' },
            ...{ tm: '-26:00:00.250', f: 1.5, big: '18446744073709551615' },
          },
          {
            ...{ flag: false, bits: null, bool: null, y: null, t: null, b: null, v: null, e: null, j: null, d: null, dt: null, ts: null },
            ...{ tm: null, f: null, big: null },
          },
        ],
      },
      'dates without a month or a day are none, and numbers inside JSON keep their digits': {
        query: 'select * from parts',
        columns: { d: 'date', dt: 'datetime', j: null },
        rows: [
          { d: null, dt: null, j: { big: '12345678901234567890', d: 1.5 } },
          { d: null, dt: null, j: null },
        ],
      },
      'equal names are made unique': { query: 'select 1 as a, 2 as a', columns: { a: 'integer', a1: 'integer' }, rows: [{ a: 1, a1: 2 }] },
      'the last result counts, and a script has its variables': {
        query: `set @limit = 2, @none = null; select 'ignored'; select id from reading where id >= @limit`,
        rows: [{ id: 2 }],
      },
      'settings that are a script’s own': {
        query: `set names utf8mb4; set session group_concat_max_len = 4, @@local.div_precision_increment := 2, @a = (1 + 2), @@lc_time_names = 'de_DE';
          select group_concat(label separator '') as g, 1 / 3 as q, @a as a, dayname('2026-02-02') as d from reading`,
        rows: [{ g: 'onet', q: 0.33, a: 3, d: 'Montag' }],
      },
      'semicolons in texts, names and comments end nothing': {
        query: "select 'a;\\';b' as a, `label` as `x;y` -- ; drop\n from reading /* ; */ where id = 1;",
        rows: [{ a: "a;';b", 'x;y': 'one' }],
      },
      'EXPLAIN, SHOW and a running ANALYZE are reading': {
        query: `explain select 1; analyze select 1; show tables like 'plain'`,
        rows: [{ 'Tables_in_plant (plain)': 'plain' }],
      },
    },
    empty: { query: 'select id, label from reading where false', columns: { id: 'integer', label: 'string' } },
    wide: (columns) => `select ${Array.from({ length: columns }, (_, i) => `${i} as c${i}`).join()}`,
    many: { query: `select seq, seq * 1.5 as x, concat('text ', seq) as t, now() as n from seq_1_to_1000000`, rows: 1_000_000 },
    errors: {
      'a word too many': {
        query: 'select id\nfrom reading\n where where id = 1',
        line: 3,
        column: 8,
        message: /near 'where id = 1' at line 3/,
      },
      'in a later statement, behind unicode': {
        query: "select '温度 🌡';\nselect 'ż🌡', nope from reading",
        line: 2,
        column: 15,
        message: /Unknown column 'nope'/,
      },
      'inside a CTE': {
        query: 'with x as (\n  select 1 from nowhere\n) select * from x',
        line: 2,
        column: 17,
        message: /nowhere' doesn't exist/,
      },
      'the end came too soon': { query: 'select 1 +', line: 1, column: 11 },
      'a long rest after the fault': { query: `select 1 fro 'm' ${'x'.repeat(200)}`, line: 1, column: 14 },
      'behind letters the message cannot hold': { query: `select '🌡' as a,\n '🌡' b c, '🌡'`, line: 2, column: 9 },
      'a function nobody wrote': { query: 'select\n  nofunc(1)', line: 2, column: 3 },
      'a first word that is mistyped': {
        query: 'selec 1',
        line: 1,
        column: 1,
        message: /^You have an error in your SQL syntax.* near 'selec 1' at line 1$/,
      },
      'the same in a later statement, behind unicode': {
        query: "select '温度 🌡';\n /* 🌡 */ wiht x as (select 1) select * from x",
        line: 2,
        column: 11,
      },
      'nothing at all': { query: ' -- nothing\n', message: "Can't execute empty query." },
      'no rows to show': { query: 'set @a = 1', message: 'No data was returned.' },
      'a fault among the rows': { query: `select json_extract('{', '$.a'), (select id from reading) as x`, message: /more than 1 row/ },
    },
    slow: { query: `select benchmark(4000000000, md5('slow one'))`, isRunning: isRunning('slow one') },
    long: `select repeat('x', 1000) as x from seq_1_to_20000`,
    writes: {
      state,
      attempts: [
        `insert into reading values (3, 'x')`,
        'update reading set id = 5',
        'delete from reading',
        'replace into reading values (1, 2)',
        'with x as (select 1) update reading set id = 7',
        'select sneaky()',
        'select sneaky_plain()',
        'select nextval(counter)',
        'select setval(counter, 100)',
        'select next value for counter',
        `analyze insert into reading values (3, 'x')`,
        'analyze format=json delete from reading',
        'explain delete from reading',
        'create table made (a int)',
        'create temporary table made (a int)',
        'create table made as select * from reading',
        'drop table reading',
        'truncate table reading',
        'alter table reading add column c int',
        'rename table reading to gone',
        'call ends()',
        'commit; delete from reading',
        'select 1; rollback; delete from reading',
        'start transaction; delete from reading',
        'set transaction read write; delete from reading',
        'set session transaction read write; delete from reading',
        'set @a = 1, session tx_read_only = 0',
        'set @@session.tx_read_only = 0',
        'set autocommit = 1',
        'set session group_concat_max_len = 5, global max_connections = 10',
        'set group_concat_max_len = 5, autocommit = 1',
        'set @@global.max_connections = 10',
        'set @@session.group_concat_max_len = 5, @@global.max_connections = 10',
        'set local transaction read write; delete from reading',
        'set statement max_statement_time = 5 for delete from reading',
        'set group_concat_max_len = sneaky()',
        'set names gbk',
        `set names utf8mb4 collate utf8mb4_bin, autocommit = 1`,
        `set sql_mode = 'NO_BACKSLASH_ESCAPES'; select '\\'; delete from reading; -- '`,
        `set character_set_client = 'gbk'`,
        // A mistyped statement is only prepared, even if others follow it.
        'selec 1; delete from reading',
        'delet from reading',
        'x: begin not atomic delete from reading; end',
        'x: begin not atomic delete from reading',
        `selec /*! 1 */ 1`,
        '`delete` from reading',
        'set global max_connections = 10',
        `execute immediate 'commit'`,
        `prepare p from 'commit'; execute p`,
        'begin not atomic delete from reading; end',
        'lock tables reading write',
        'flush tables',
        'analyze table reading',
        'optimize table reading',
        'handler reading open',
        'do sneaky()',
        `kill 1`,
        `load data local infile '/etc/passwd' into table reading`,
        `load data infile '/etc/passwd' into table reading`,
        `select 'x' into outfile '/tmp/telltale-outfile'`,
        `select 'x' from reading limit 1 into dumpfile '/tmp/telltale-outfile'`,
        'install soname "x"',
      ],
      message: /read-only|error in your SQL syntax/,
    },
    allowedWrite: { query: `insert into plain values (80); select 1`, state },
  },
  schema: {
    tables: [
      {
        name: 'reading',
        description: 'what was read',
        columns: [
          { name: 'id', type: 'int(11)', description: 'its number' },
          { name: 'label', type: 'varchar(20)' },
        ],
      },
      { name: 'other.elsewhere', columns: [{ name: 'id', type: 'bigint(20) unsigned' }] },
      { name: '`odd.name`', columns: [{ name: 'a b' }, { name: 'c`d' }] },
    ],
    large: {
      columns: 20_000,
      withinMs: 20_000,
      prepare: async () => {
        const columns = Array.from({ length: 500 }, (_, i) => `c${i} int`).join();
        await administer('create database large', ...Array.from({ length: 40 }, (_, i) => `create table large.t${i} (${columns})`));
      },
    },
  },
};

/** The same code runs on the same server, so the test of a million rows runs once. */
const { many, ...quickSql } = suite.sql;
describeConnector(rdsMysql, { ...suite, sql: quickSql, schema: { tables: suite.schema?.tables ?? [] } });
describeConnector(mysql, suite);

describe.skipIf(missingMariadb !== undefined)(missingMariadb ? `mysql alone (needs ${missingMariadb})` : 'mysql alone', () => {
  test('nothing of one statement is left for the next: locks, variables, settings, temporary tables, database', async () => {
    await withConnection(
      async (connection) => {
        const [{ id }] = (await runTable(connection, 'select connection_id() as id')).rows as [{ id: number }];
        const marks = `set @mark = 1; set session group_concat_max_len = 5; set names latin1; create temporary table scratch (a int); use other;`;
        await runTable(connection, `${marks} select get_lock('mine', 0)`);
        const { rows } = await runTable(
          connection,
          `select connection_id() as id, @mark as mark, @@group_concat_max_len > 5 as setting, @@character_set_client as letters, database() as db,
            is_free_lock('mine') as free`,
        );
        expect(rows).toEqual([{ id, mark: null, setting: 1, letters: 'utf8mb4', db: 'plant', free: 1 }]);
        await expect(runTable(connection, 'select * from scratch')).rejects.toThrow(/doesn't exist/);
      },
      { allow_writes: true },
    );
  });

  test('security 6: an account that can read files or rule the server is warned of', async () => {
    await administer(
      'create user reader_only',
      'grant select on plant.* to reader_only',
      'create user filer',
      'grant file, process on *.* to filer',
      'grant select on plant.* to filer',
    );
    const warningOf = (more = {}) => withConnection(async (connection) => connection.excess?.(new AbortController().signal), more);
    const account = (user: string) => ({ user, passwd: undefined });
    expect(await warningOf(account('reader_only'))).toBeUndefined();
    expect(await warningOf(account('filer'))).toMatch(/^The account can read and write files on the database server \(FILE\)\. /);
    expect(await warningOf()).toMatch(/read and write files and change the settings .* \(it has all privileges\)/);
  });

  test('another database of the server, for one statement', async () => {
    await withConnection(async (connection) => {
      expect(await connection.databases?.(new AbortController().signal)).toEqual(expect.arrayContaining(['other', 'plant']));
      expect((await runTable(connection, 'select database() as db', { database: 'other' })).rows).toEqual([{ db: 'other' }]);
      expect((await runTable(connection, 'select database() as db')).rows).toEqual([{ db: 'plant' }]);
      const schema = await connection.schema(new AbortController().signal, 'other');
      expect(schema.map(({ name }) => name)).toEqual(expect.arrayContaining(['elsewhere', 'plant.reading']));
      await expect(runTable(connection, 'select 1', { database: 'x`; drop table reading' })).rejects.toThrow(/Unknown database/);
    });
  });

  test('design 8: a session in another time zone cuts days there, and moments stay the same moments', async () => {
    await withConnection(async (connection) => {
      const query = `select date(from_unixtime(1782930600)) as day, t as moment from (select cast(null as datetime) as x) z, clock`;
      await expect(runTable(connection, query, { time_zone: 'Asia/Kolkata' })).rejects.toThrow(
        'The database server does not know the time zone Asia/Kolkata: load its time zone tables',
      );
      await administer(
        'create table plant.clock (t timestamp)',
        `insert into plant.clock values (from_unixtime(1782930600))`,
        `insert into mysql.time_zone (Time_zone_id, Use_leap_seconds) values (1, 'N')`,
        `insert into mysql.time_zone_name (Name, Time_zone_id) values ('Asia/Kolkata', 1)`,
        `insert into mysql.time_zone_transition_type values (1, 0, 19800, 0, 'IST')`,
      );
      const moment = '2026-07-01T18:30:00Z';
      expect((await runTable(connection, query, { time_zone: 'Asia/Kolkata' })).rows).toEqual([{ day: '2026-07-02', moment }]);
      expect((await runTable(connection, query)).rows).toEqual([{ day: '2026-07-01', moment }]);
    });
  });

  test('SET that is refused is named, and is no write', async () => {
    await withConnection(async (connection) => {
      for (const [query, message, column] of [
        [`set time_zone = 'Europe/Berlin'; select now()`, 'SET time_zone cannot be used in a read-only data source.', 5],
        ['set @a = 1, session tx_read_only = 0', 'SET tx_read_only cannot be used in a read-only data source.', 21],
        ['set names latin1', 'SET names cannot be used in a read-only data source.', 5],
      ] as const) {
        await expect(runTable(connection, query)).rejects.toMatchObject({ message, line: 1, column });
      }
    });
  });

  test('security 5: refused statements do not reach the server, and mistyped ones are only prepared', async () => {
    await administer(`set global log_output = 'TABLE'`, 'set global general_log = on');
    try {
      await withConnection(async (connection) => {
        for (const query of ['drop table if exists nothing_here', 'x: begin not atomic drop table if exists nothing_here; end'])
          await expect(runTable(connection, query)).rejects.toThrow(/read-only|syntax/);
        await expect(runTable(connection, 'dorp table nothing_here')).rejects.toThrow(/near 'dorp table nothing_here'/);
      });
      const seen = await administer(
        `select command_type, convert(argument using utf8mb4) from mysql.general_log where argument like '%nothing_here%' and argument not like '%general_log%'`,
      );
      expect(seen.filter(([kind]) => kind !== 'Prepare')).toEqual([]);
      expect(seen.filter(([, text]) => String(text).startsWith('drop'))).toEqual([]);
    } finally {
      await administer('set global general_log = off');
    }
  });

  test('a procedure with two results shows the first', async () => {
    await withConnection(async (connection) => expect((await runTable(connection, 'call two()')).rows).toEqual([{ a: 1 }]), {
      allow_writes: true,
    });
  });

  test('W35: a result that is too large ends with a sentence, and the server stops', async () => {
    await withConnection(async (connection) => {
      const query = `select repeat('much', 1000) as x from seq_1_to_100000000`;
      await expect(runTable(connection, query, { chunks: { limits: { rows: 1000 } } })).rejects.toThrow(
        'The result has more than 1,000 rows.',
      );
      expect(connection.isBroken).toBe(true);
      await expect.poll(isRunning('seq_1_to_100000000')).toBe(false);
    });
  });

  test('a cancelled script does not go on: a stopped statement may be no fault, and the one behind it is not begun', async () => {
    await withConnection(async (connection) => {
      const controller = new AbortController();
      const query = `select benchmark(4000000000, md5('first one')); select benchmark(4000000000, md5('behind it'))`;
      const running = runTable(connection, query, { signal: controller.signal });
      running.catch(() => {});
      await expect.poll(isRunning('first one')).toBe(true);
      controller.abort(new Error('stopped'));
      await expect(running).rejects.toThrow('stopped');
      expect(await isRunning('behind it')()).toBe(false);
    });
  });

  test('a statement that is cancelled while its connection is being prepared never reaches the server', async () => {
    await administer(`set global log_output = 'TABLE'`, 'set global general_log = on');
    try {
      await withConnection(async (connection) => {
        const controller = new AbortController();
        const running = runTable(connection, `select 'never seen'`, { signal: controller.signal });
        controller.abort(new Error('stopped'));
        await expect(running).rejects.toThrow('stopped');
      });
      expect(
        await administer(`select argument from mysql.general_log where argument like '%never_seen%' and argument not like '%general_log%'`),
      ).toEqual([]);
    } finally {
      await administer('set global general_log = off');
    }
  });

  test('a connection closed by the server is an error, not a short result', async () => {
    await withConnection(async (connection) => {
      const running = runTable(connection, `select repeat('lost', 1000) as x from seq_1_to_100000000`, {
        chunks: { limits: { rows: 1e9, bytes: 1e12 } },
      });
      running.catch(() => {});
      await expect.poll(isRunning("repeat(''lost''")).toBe(true);
      const [[id]] = (await administer(
        `select id from information_schema.processlist where info like '%lost%' and id <> connection_id()`,
      )) as [[number]];
      await administer(`kill ${id}`);
      await expect(running).rejects.toThrow(/lost|killed|interrupted/i);
      expect(connection.isBroken).toBe(true);
    });
  });

  test('design 8: when the worker is killed, its executor stops the statement and goes', async () => {
    const query = `select benchmark(4000000000, md5('doomed one'))`;
    const worker = await startDoomedWorker({ type: 'mysql', options: options() }, query);
    await expect.poll(isRunning('doomed one')).toBe(true);
    worker.kill();
    await expect.poll(isRunning('doomed one')).toBe(false);
    await expect.poll(() => isAlive(worker.executorPid)).toBe(false);
  });

  test('design 8: a killed executor fails its statement, and another one stops it on the server within 10 seconds', async () => {
    const single = startExecutors(undefined, 1);
    const source = { type: 'mysql', options: options() };
    try {
      // The second statement reuses the kept connection, whose mark is known.
      await single.run(source, 'select 1 as a');
      const running = single.run(source, `select benchmark(4000000000, md5('killed one'))`);
      running.catch(() => {});
      await expect.poll(isRunning('killed one')).toBe(true);
      for (const executor of await single.pids()) process.kill(executor, 'SIGKILL');
      await expect(running).rejects.toThrow(/process ended/);
      await expect.poll(isRunning('killed one')).toBe(false);
      expect((await single.run(source, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
    } finally {
      await single.close();
    }
  });

  test('design 9: one cell of 300 MB ends as a failure while others go on', async () => {
    const executors = startExecutors(undefined, 2);
    const source = { type: 'mysql', options: options() };
    try {
      const running = executors.run(source, `select repeat('x', 300000000) as x`);
      const other = executors.run(source, 'select sleep(1) as s');
      await expect(running).rejects.toThrow(/larger than|memory/);
      expect((await other).rows).toEqual([{ s: 0 }]);
      expect((await executors.run(source, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
    } finally {
      await executors.close();
    }
  });

  test('wrong password, unknown host, link-local address: each is named', async () => {
    await expect(withConnection(async () => {}, { passwd: 'wrong' })).rejects.toThrow(/Access denied/);
    await expect(withConnection(async () => {}, { host: 'no-such-host.invalid' })).rejects.toThrow(
      'The host no-such-host.invalid was not found.',
    );
    await expect(withConnection(async () => {}, { host: '169.254.169.254' })).rejects.toThrow(/Link-local/);
    await expect(withConnection(async () => {}, { host: '/var/run/mysqld.sock' })).rejects.toThrow(/not the name of a host/);
  });

  test('the line is encrypted where the server can, and checked where that is asked for', async () => {
    const { key, cert } = selfSigned('localhost');
    const folder = await mkdtemp(join(tmpdir(), 'telltale-tls-'));
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'key.pem'), key);
    await writeFile(join(folder, 'cert.pem'), cert);
    const secure = await startMariadb(`--ssl-cert=${join(folder, 'cert.pem')}`, `--ssl-key=${join(folder, 'key.pem')}`);
    const cipher = (more: object) =>
      withConnection(async (connection) => (await runTable(connection, `show status like 'ssl_cipher'`)).rows[0]?.Value, {
        ...{ host: '127.0.0.1', port: secure.port, user: 'root', passwd: '', db: 'mysql' },
        ...more,
      });
    const ca = Buffer.from(cert).toString('base64');
    try {
      expect(await cipher({})).toMatch(/^TLS/);
      expect(await cipher({ ssl_mode: 'disabled' })).toBe('');
      expect(await cipher({ ssl_mode: 'verify-ca', ssl_cacertFile: ca })).toMatch(/^TLS/);
      expect(await cipher({ ssl_mode: 'verify-identity', ssl_cacertFile: ca, host: 'localhost' })).toMatch(/^TLS/);
      await expect(cipher({ ssl_mode: 'verify-identity', ssl_cacertFile: ca })).rejects.toThrow(/needs the name of a host/);
      await expect(cipher({ ssl_mode: 'verify-ca' })).rejects.toThrow(/self-signed/);
    } finally {
      await secure.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('a server without encryption is refused where encryption is required', async () => {
    await expect(withConnection(async () => {}, { ssl_mode: 'required' })).rejects.toThrow(/SSL|secure/i);
    await expect(withConnection(async () => {}, { use_ssl: true })).rejects.toThrow(/SSL|secure/i);
  });
});
