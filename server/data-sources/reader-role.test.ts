import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { prepareReader } from './prepare-reader.ts';
import { readerPass, readerUrl } from './reader.ts';

/** Signs in as the reader without any of our checks, to test what the role itself cannot do. */
const app = await testApp();
const { superuserUrl } = inject('postgres');
await prepareReader(app.ctx, superuserUrl);

const connect = async (connectionString: string, pass = '') => {
  const client = new pg.Client({ connectionString, options: `-c telltale.pass=${pass}` });
  client.on('error', () => {});
  await client.connect();
  afterAll(() => client.end().catch(() => {}));
  return client;
};
const reader = await connect(await readerUrl(app.ctx), await readerPass(app.ctx, null));
const other = await connect(await readerUrl(app.ctx));
const owner = await connect(app.databaseUrl);
await owner.query(`insert into telemetry.channel (channel_id, channel_name, kind) values ('weather', 'Weather', 'mqtt')`);

/** Returns the error code or the result. The transaction is read-write, as an attacker would choose. */
async function attempt(text: string): Promise<unknown> {
  await reader.query('begin read write');
  try {
    return (await reader.query(text)).rows;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await reader.query('rollback').catch(() => {});
  }
}
const refused = '42501';

describe('design 5: what the reader can do', () => {
  test.each(['channel', 'device', 'metric', 'metric_last', 'uplink'])('reads app.%s', async (view) => {
    expect(await attempt(`select * from app.${view}`)).toBeInstanceOf(Array);
  });

  test('sees device data, without naming the schema', async () => {
    expect(await attempt('select channel_id, kind from channel')).toEqual([{ channel_id: 'weather', kind: 'mqtt' }]);
  });

  test('reads views that are made later', async () => {
    await owner.query('create view app.channel_weather as select 21.5 as temperature');
    expect(await attempt('select * from app.channel_weather')).toEqual([{ temperature: '21.5' }]);
  });
});

test.each([
  ['behind the question mark', ({ host, pathname, username, password }: URL) => `${host}${pathname}?user=${username}&password=${password}`],
  ['beside a local socket', ({ pathname, username }: URL) => `${pathname}?host=/run/postgresql&user=${username}`],
  ['nowhere', ({ pathname }: URL) => `${pathname}?host=/run/postgresql`],
])('design 5: the reader does not sign in as the owner, who is named %s', async (_where, rewritten) => {
  const databaseUrl = `postgres://${rewritten(new URL(app.databaseUrl))}`;
  const { user, password } = new pg.Client(await readerUrl({ ...app.ctx, databaseUrl }));
  const { username, password: own } = new URL(await readerUrl(app.ctx));
  expect([user, password]).toEqual([decodeURIComponent(username), decodeURIComponent(own)]);
});

describe('design 8 and 9: what the reader cannot do', () => {
  test.each([
    'console.users',
    'console.organizations',
    'console.sessions',
    'console.data_sources',
    'console.queries',
    'console.query_results',
    'console.query_result_chunks',
    'console.jobs',
    'console.reader',
    'console.events',
    'console.account_tokens',
    'telemetry.channel',
    'telemetry.device',
    'telemetry.metric_point',
    'telemetry.uplink',
    'console.job_members',
    'pg_catalog.pg_authid',
    'pg_catalog.pg_hba_file_rules',
    'pg_catalog.pg_file_settings',
    'pg_catalog.pg_user_mapping',
    'pg_catalog.pg_largeobject',
  ])('read %s', async (table) => {
    expect(await attempt(`select * from ${table}`)).toBe(refused);
    expect(await attempt(`table ${table}`)).toBe(refused);
    expect(await attempt(`select count(*) from ${table}`)).toBe(refused);
  });

  test('read any table of ours: there is none it has a right on', async () => {
    const found = await attempt(`
      select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('console', 'telemetry', 'public')
        and (has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger') or has_any_column_privilege(c.oid, 'select'))
        and c.relkind in ('r', 'p', 'v', 'm', 'f')`);
    expect(found).toEqual([]);
  });

  test('call a function of ours, or queue a job', async () => {
    const found = await attempt(`
      select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('console', 'telemetry', 'app') and has_schema_privilege(n.oid, 'usage')
        and has_function_privilege(p.oid, 'execute')`);
    expect(found).toEqual([]);
    expect(
      await attempt(
        `insert into console.jobs (id, name, queue, payload, max_attempts) values (gen_random_uuid(), 'x', 'default', '{}', 1)`,
      ),
    ).toBe(refused);
  });

  test.each([
    ['change a view', `update app.channel set channel_name = 'x'`],
    ['insert through a view', `insert into app.channel values ('x')`],
    ['delete through a view', 'delete from app.channel'],
    ['drop a view', 'drop view app.channel'],
    ['alter a view', 'alter view app.channel rename to x'],
    ['truncate', 'truncate app.channel'],
    ['lock a view against everybody', 'lock table app.channel in access exclusive mode'],
    ['create a table', 'create table public.t (id int)'],
    ['create a table in app', 'create table app.t (id int)'],
    ['create a temporary table', 'create temp table t (id int)'],
    ['create a temporary table by select', 'select 1 as id into temp t'],
    ['create a temporary function', 'create function pg_temp.f() returns int language sql as $$ select 1 $$'],
    ['create a view', 'create view app.x as select 1'],
    ['create a schema', 'create schema s'],
    ['create a function', 'create function app.f() returns int language sql as $$ select 1 $$'],
    ['create an extension', 'create extension dblink'],
    ['create a role', 'create role r'],
    ['raise itself', 'alter role current_user superuser'],
    ['become the owner', 'set role telltale'],
    ['become the superuser', 'set session authorization postgres'],
    ['copy a file in', `copy (select 1) to '/tmp/x'`],
    ['run a program', `copy (select 1) to program 'id'`],
    ['read a file', `select pg_read_file('/etc/passwd')`],
    ['read a binary file', `select pg_read_binary_file('/etc/passwd')`],
    ['list a folder', `select pg_ls_dir('/')`],
    ['see the log', 'select pg_current_logfile()'],
    ['import a large object', `select lo_import('/etc/passwd')`],
    ['export a large object', `select lo_export(1, '/tmp/x')`],
    ['create a large object', 'select lo_create(0)'],
    ['create a large object in the old way', 'select lo_creat(-1)'],
    ['create a large object from bytes', `select lo_from_bytea(0, 'x')`],
    ['notify', `select pg_notify('telltale_cancel', 'x')`],
    ['see what others run', 'select query from pg_stat_activity'],
    ['see what others run by the function', 'select * from pg_stat_get_activity(null)'],
    ['see what others run one by one', 'select pg_stat_get_backend_activity(id) from pg_stat_get_backend_idset() id'],
    ['see where others come from', 'select pg_stat_get_backend_client_addr(id) from pg_stat_get_backend_idset() id'],
    ['cancel another', 'select pg_cancel_backend(1)'],
    ['end another', 'select pg_terminate_backend(1)'],
    ['take a lock', 'select pg_advisory_lock(1)'],
    ['take a lock for the transaction', 'select pg_advisory_xact_lock(1, 2)'],
    ['try to take a lock', 'select pg_try_advisory_lock(1)'],
    ['take a shared lock', 'select pg_advisory_lock_shared(1)'],
    ['try to take a shared lock', 'select pg_try_advisory_xact_lock_shared(1)'],
    ['lift its limits', `select set_config('temp_file_limit', '-1', false)`],
    ['lift its limits by SET', 'set temp_file_limit = -1'],
    ['export its snapshot', 'select pg_export_snapshot()'],
    ['write to the log of changes', `select pg_logical_emit_message(false, 'x', 'y')`],
    ['make a replication slot', `select pg_create_physical_replication_slot('x')`],
    ['switch the log', 'select pg_switch_wal()'],
    ['forget statistics', 'select pg_stat_reset()'],
    ['reload settings', 'select pg_reload_conf()'],
    ['write a checkpoint', 'checkpoint'],
    ['alter the system', `alter system set shared_preload_libraries = 'x'`],
    ['load a library', `load 'auto_explain'`],
    ['write by a block', `do $$ begin execute 'create table app.t (id int)'; end $$`],
    ['analyze what is not its own', 'refresh materialized view app.channel'],
  ])('%s', async (_, text) => {
    const outcome = await attempt(text);
    expect(outcome, JSON.stringify(outcome)).toBeTypeOf('string');
    expect(outcome).not.toMatch(/^(42601|42883|42P01)$/);
  });

  test('see the statement of another reader: they share the role, not their questions', async () => {
    const running = other.query(`select pg_sleep(1), 'a secret question'`);
    const ways = [
      'select query from pg_stat_activity',
      'select pg_stat_get_backend_activity(id) as query from pg_stat_get_backend_idset() id',
      `select pg_stat_get_backend_activity(id) as query from generate_series(1, 200) id`,
    ];
    for (const way of ways) expect(JSON.stringify(await attempt(way))).not.toContain('secret question');
    await running;
  });

  test('stop another reader', async () => {
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    for (const call of ['pg_cancel_backend', 'pg_terminate_backend'])
      expect(await attempt(`select ${call}(${rows[0]?.pid})`)).toBe(refused);
    expect((await other.query('select 1 as alive')).rows).toEqual([{ alive: 1 }]);
  });

  test('reach another database of the cluster with what it knows', async () => {
    const elsewhere = new URL(await readerUrl(app.ctx));
    elsewhere.pathname = '/telltale';
    await expect(connect(elsewhere.toString())).rejects.toMatchObject({ code: '42501' });
  });

  test('be forgotten: a statement that runs as it by way of XML or text search has no more rights', async () => {
    for (const text of [
      `select query_to_xml('select * from console.users', true, true, '')`,
      `select database_to_xml(true, true, '')`,
      `select schema_to_xml('console', true, true, '')`,
      `select * from ts_stat('select to_tsvector(email) from console.users')`,
      `select ts_rewrite('a'::tsquery, 'select password_hash::tsquery, password_hash::tsquery from console.users')`,
    ]) {
      expect(JSON.stringify(await attempt(text))).not.toContain('admin@example.com');
    }
  });

  test('has no more than it was given when it is prepared again', async () => {
    const before = await readerUrl(app.ctx);
    await prepareReader(app.ctx, superuserUrl);
    expect(await readerUrl(app.ctx)).toBe(before);
    expect(await attempt('select pg_advisory_lock(1)')).toBe(refused);
  });

  test('and the application still can: its queue notifies, its pools are seen', async () => {
    await expect(owner.query(`select pg_notify('x', ''), pg_try_advisory_xact_lock(1)`)).resolves.toBeDefined();
  });
});

describe('limits of the role', () => {
  test('work memory and files are bounded, transactions are read-only unless asked', async () => {
    const { rows } = await reader.query(`
      select current_setting('work_mem') as work_mem, current_setting('temp_file_limit') as files, current_setting('transaction_read_only') as read_only`);
    expect(rows).toEqual([{ work_mem: '32MB', files: '2GB', read_only: 'on' }]);
  });

  test('it is no member of anything and nothing is a member of it', async () => {
    const { rows } = await owner.query(`select from pg_auth_members where member = $1::regrole or roleid = $1::regrole`, [
      decodeURIComponent(new URL(await readerUrl(app.ctx)).username),
    ]);
    expect(rows).toEqual([]);
  });

  test('its password lies sealed', async () => {
    const { rows } = await owner.query<{ row: string }>('select reader::text as row from console.reader');
    expect(rows[0]?.row).not.toContain(decodeURIComponent(new URL(await readerUrl(app.ctx)).password));
  });
});
