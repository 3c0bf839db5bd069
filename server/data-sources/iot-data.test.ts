import { DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { testApp } from '../testing/test-app.ts';
import { ensureBuiltInSource } from './built-in-source.ts';
import { prepareReader } from './prepare-reader.ts';

const app = await testApp();
await prepareReader(app.ctx, inject('postgres').superuserUrl);
await ensureBuiltInSource(app.ctx);
const owner = new pg.Client(app.databaseUrl);
await owner.connect();
afterAll(() => owner.end());
await owner.query(`
  insert into telemetry.channel (channel_id, channel_name, kind) values ('weather', 'Weather', 'mqtt');
  insert into telemetry.device (channel_pk, device_id, device_name) select id, 'roof-1', 'Roof 1' from telemetry.channel;
  insert into telemetry.attribute (channel_pk, name, first_seen, last_seen) select id, 'temperature', now(), now() from telemetry.channel;
  insert into telemetry.metric_last select device.id, attribute.id, '2026-01-01', 21.5, null, 'n', null from telemetry.device, telemetry.attribute`);
await app.startWorker();

const plain = await app.make.user();
const client = app.as(plain);
const sources = DataSource.array().parse(await client.get(dataSourcesApi.list));
const data_source_id = sources.find(({ type }) => type === 'telltale')?.id ?? 0;
const run = (query: string) => runAdHoc(client, { data_source_id, query });

/** The state that must be unchanged afterwards. */
const fingerprint = async () => {
  const { rows } = await owner.query(`
    select (select count(*) from console.users) as users, (select count(*) from telemetry.channel) as channels,
      (select string_agg(channel_name, ',') from telemetry.channel) as names, (select count(*) from pg_class) as relations,
      (select count(*) from pg_proc) as functions, (select count(*) from pg_largeobject_metadata) as objects,
      (select count(*) from pg_roles where rolname not like 'telltale_reader_%') as roles`);
  return rows[0];
};

describe('design 5: device data in SQL', () => {
  test('a plain user reads the views, with or without their schema', async () => {
    expect((await run('select device_id, attribute, value from metric_last')).rows).toEqual([
      { device_id: 'roof-1', attribute: 'temperature', value: 21.5 },
    ]);
    expect((await run('select channel_name from app.channel')).rows).toEqual([{ channel_name: 'Weather' }]);
  });

  test.each([
    'with c as (select * from app.channel) select count(*) as n from c',
    '(select 1 as n) union (select 1)',
    'values (1)',
    'table app.channel',
    '/* why */ select 1',
    '-- why\nselect 1;',
    'select 1; -- the end',
    'select 1 -- ) to stdout',
    'select 1 where exists (select from app.device)',
    `select '; drop table x' as text`,
    'select $$ ; delete from y $$',
  ])('%s is one SELECT and runs', async (query) => {
    expect(await run(query)).toMatchObject({ error: '' });
  });

  test('its schema shows the views and nothing else', async () => {
    const answer = await client.get(dataSourcesApi.schema, { params: { id: data_source_id } });
    await expect
      .poll(async () => {
        const again = await client.get(dataSourcesApi.schema, { params: { id: data_source_id } });
        return 'schema' in again ? again.schema.map(({ name }) => name) : [];
      })
      .toEqual(
        ['channel', 'device', 'metric', 'metric_hour', 'metric_last', 'metric_minute', 'uplink', 'uplink_rejected'].map(
          (view) => `app.${view}`,
        ),
      );
    expect(answer).toBeDefined();
  });

  test('a fault says where', async () => {
    const { job } = await run('select 1,\n  no_such_column\nfrom app.channel');
    expect(job).toMatchObject({ status: 4, error: expect.stringContaining('no_such_column'), error_line: 2, error_column: 3 });
  });
});

describe('design 8: one SELECT, nothing else', () => {
  test.each([
    'drop view app.channel',
    `update app.channel set channel_name = 'x'`,
    `insert into app.channel values ('x')`,
    'delete from app.channel',
    'truncate telemetry.channel',
    `copy app.channel to '/tmp/x'`,
    'copy app.channel to stdout',
    'copy (select 1) to stdout',
    `copy (select 1) to program 'id'`,
    `do $$ begin perform 1; end $$`,
    'set default_transaction_read_only = off',
    `set session characteristics as transaction read write`,
    'reset all',
    'begin; select 1',
    'commit',
    'select 1; select 2',
    'select 1; drop view app.channel',
    'select 1;\n;commit;drop view app.channel',
    'rollback; drop view app.channel',
    'listen x',
    'notify telltale_cancel',
    'lock table app.channel',
    'explain analyze delete from app.channel',
    'explain select 1',
    'show all',
    'prepare p as select 1',
    'execute p',
    'deallocate all',
    'discard all',
    'declare c cursor for select 1',
    'fetch all from c',
    'vacuum',
    'analyze',
    'checkpoint',
    `call x()`,
    `load 'x'`,
    'create temp table t as select 1',
    'grant all on schema console to public',
    'alter role current_user superuser',
    'set role telltale',
    `security label on table app.channel is 'x'`,
    'merge into app.channel using app.device on true when matched then delete',
    'select 1 into temp t',
    'select 1 as id into app.t',
    'with x as (delete from telemetry.channel returning *) select * from x',
    `with x as (insert into app.channel values ('x') returning *) select * from x`,
    'select * from app.channel for update',
    'select * from app.channel for share',
    'select 1) to stdout; drop view app.channel; copy (select 1',
    'select 1\n) to stdout; drop view app.channel --',
    `select 1) to program 'id' --`,
    `select 1) to '/tmp/telltale-canary' --`,
    `\\copy app.channel to '/tmp/x'`,
    '\\! id',
    "select E'\\'; drop view app.channel; --",
    'select U&"d\\0061t\\+000061" from app.channel; drop view app.channel',
  ])('%s changes nothing', async (query) => {
    const before = await fingerprint();
    const { error, rows } = await run(query);
    expect(error).not.toBe('');
    expect(JSON.stringify(rows ?? null)).not.toContain('passwd');
    expect(await fingerprint()).toEqual(before);
  });

  test.each([
    'select * from console.users',
    'select password_hash from console.users',
    'select * from console.data_sources',
    'select * from telemetry.channel',
    'select * from console.jobs',
    'select * from pg_authid',
    'select query from pg_stat_activity',
    'select pg_stat_get_backend_activity(1)',
    `select pg_read_file('/etc/passwd')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    'select lo_create(0)',
    `select pg_notify('telltale_cancel', 'x')`,
    'select pg_cancel_backend(1)',
    'select pg_advisory_lock(1)',
    `select set_config('transaction_read_only', 'off', false)`,
    `select set_config('search_path', 'console', false)`,
    'select pg_reload_conf()',
    `select dblink_connect('x')`,
    `select query_to_xml('select * from console.users', true, true, '')`,
    `select * from ts_stat('select email::tsvector from console.users')`,
    `select nextval('console.users_id_seq')`,
    `select currval('console.users_id_seq')`,
    `select pg_get_serial_sequence('console.users', 'id'), last_value from console.users_id_seq`,
    'select txid_current(), 1/0',
  ])('%s is refused by the role', async (query) => {
    const { error, rows } = await run(query);
    expect(error).not.toBe('');
    expect(rows).toBeUndefined();
  });

  test('nothing of one statement is left for the next', async () => {
    await run(`select set_config('search_path', 'pg_catalog', false)`);
    expect((await run('select count(*)::int as n from channel')).rows).toEqual([{ n: 1 }]);
    expect((await run('show search_path')).error).not.toBe('');
  });

  test('it knows neither our settings nor our process', async () => {
    const { rows } = await run('select inet_client_port() as port, current_user::text as me, session_user::text as session');
    expect(rows?.[0]).toMatchObject({
      me: expect.stringMatching(/^telltale_reader_\d+$/),
      session: expect.stringMatching(/^telltale_reader_\d+$/),
    });
  });
});

describe('design 8: it needs view_channel', () => {
  test('without it the source cannot be run on, seen or saved on; the result of another cannot be read', async () => {
    const { query_result } = await run('select 1 as mine');
    const group = await app.make.group({ permissions: ['list_data_sources', 'execute_query', 'view_query', 'create_query', 'edit_query'] });
    const blind = await app.make.user({ groups: [], group_ids: [group.id] });
    await sql`insert into data_source_groups values (${data_source_id}, ${group.id}, false)`.execute(app.ctx.db);
    const refused = await runAdHoc(app.as(blind), { data_source_id, query: 'select 1' });
    expect(refused).toMatchObject({ status: 403, job: { status: 4 } });
    const saved = await app.make.query({ data_source_id, user_id: plain.id });
    expect((await runSaved(app.as(blind), saved.id)).status).toBe(403);
    expect((await app.as(blind).fetch(`/api/query_results/${query_result?.id}`)).status).toBe(403);
    expect((await app.as(blind).fetch(`/api/queries/${saved.id}`)).status).toBe(403);
    expect((await app.as(blind).json('POST', '/api/queries', { name: 'x', query: 'select 1', data_source_id })).status).toBe(403);
  });
});
