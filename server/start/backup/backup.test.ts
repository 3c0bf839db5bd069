import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { cloneDatabase } from '../../testing/postgres.ts';
import { testApp, testSecretKey } from '../../testing/test-app.ts';
import { temporaryFolder } from '../testing.ts';
import { checkBackup, writeBackup } from './backup-file.ts';
import { dumpLines } from './dump.ts';
import { loadBackup } from './load.ts';

const app = await testApp();
const admin = app.as(app.admin);
const source = await app.make.dataSource({ options: { password: 'hidden' } });
await app.make.query({
  data_source_id: source.id,
  user_id: app.admin.id,
  name: 'Pumps ☂ "quoted"\nin two lines',
  query: "select '\\x' -- \u2028",
});
await admin.get(channelsApi.create, { body: { channel_id: 'harbour' } });
await admin.get(devicesApi.create, { params: { id: 'harbour' }, body: { device_id: 'dev-1', device_name: 'D' } });
await admin.get(groupsApi.create, { body: { name: 'Night shift' } });

const connect = async (url: string) => {
  const client = new pg.Client(url);
  await client.connect();
  afterAll(() => client.end().catch(() => {}));
  return client;
};
const own = await connect(app.databaseUrl);
await own.query(`
  create table telemetry.point_2020 partition of telemetry.metric_point for values from ('2020-01-01') to ('2020-01-08');
  insert into telemetry.metric_point (device_pk, attribute_id, time, value, kind, uplink_id)
  select id, 1, timestamptz '2020-01-01 10:00:00.123456+00', 0.1 + 0.2, 'n', 0 from telemetry.device`);

const empty = async () => {
  const made = await cloneDatabase(inject('postgres'), `restore_${randomBytes(6).toString('hex')}`);
  const client = await connect(made.url);
  afterAll(async () => {
    await client.end().catch(() => {});
    await made.drop();
  });
  return client;
};
const dump = async (withTelemetry = false) => {
  const file = join(await temporaryFolder(), 'b.backup');
  await writeBackup(file, dumpLines(own, { withTelemetry, secretKey: testSecretKey, hasKey: true }));
  return file;
};
const contents = async (client: pg.Client, tables: string[]) =>
  Promise.all(tables.map(async (name) => (await client.query(`select row_to_json(t)::text as row from ${name} t order by 1`)).rows));

describe('backup and restore', () => {
  const tables = [
    'users',
    'groups',
    'memberships',
    'data_sources',
    'queries',
    'visualizations',
    'organizations',
    'group_channels',
    'audit_log',
  ];
  const all = [...tables.map((name) => `console.${name}`), 'telemetry.channel', 'telemetry.device', 'telemetry.metric_point'];

  test('a round trip keeps every row, the keys and the rules, and new rows get new numbers', async () => {
    const file = await dump(true);
    const manifest = await checkBackup(file);
    expect(manifest).toMatchObject({ has_telemetry: true, secret_key: testSecretKey });
    const target = await empty();
    const { rows } = await loadBackup(target, file, manifest);
    expect(rows).toBeGreaterThan(10);
    expect(await contents(target, all)).toEqual(await contents(own, all));
    const foreign = "select count(*)::int as n from pg_constraint where contype = 'f'";
    expect((await target.query(foreign)).rows).toEqual((await own.query(foreign)).rows);
    const { rows: made } = await target.query(
      "insert into console.groups (org_id, type, name, permissions) select id, 'regular', 'New', '{}' from console.organizations returning id",
    );
    expect((await own.query('select 1 from console.groups where id = $1', [made[0].id])).rowCount).toBe(0);
    await expect(loadBackup(target, file, manifest)).rejects.toThrow('in use already');
  });

  test('readings stay out unless they are asked for', async () => {
    const file = await dump();
    const target = await empty();
    await loadBackup(target, file, await checkBackup(file));
    expect((await target.query('select from telemetry.metric_point')).rowCount).toBe(0);
    expect((await target.query('select from telemetry.device')).rowCount).toBe(1);
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
    ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 200), Buffer.from([(bytes[200] ?? 0) ^ 1]), bytes.subarray(201)])],
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('hello')],
  ])('a file that is %s is refused before anything is loaded', async (_, change) => {
    const file = await dump();
    await writeFile(file, change(await readFile(file)));
    await expect(checkBackup(file)).rejects.toThrow('no whole backup');
  });

  test('a backup of other tables is refused by the name of its version', async () => {
    const file = await dump();
    const manifest = await checkBackup(file);
    await expect(loadBackup(await empty(), file, { ...manifest, migrations: ['0001_other.sql'] })).rejects.toThrow(
      'Restore it with that version',
    );
  });

  test('what fails half way leaves nothing behind', async () => {
    const file = await dump();
    const target = await empty();
    await target.query("create function pg_temp.refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$");
    await target.query('alter table console.queries add constraint refuse check (false)');
    await expect(loadBackup(target, file, await checkBackup(file))).rejects.toThrow();
    expect((await target.query('select from console.users')).rowCount).toBe(0);
  });
});
