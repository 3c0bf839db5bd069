import { DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createDb, createPool } from '../platform/database.ts';
import { startTestPostgres } from '../testing/postgres.ts';
import { makeReplica } from '../testing/postgres-replica.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { testApp } from '../testing/test-app.ts';
import { ensureBuiltInSource } from './built-in-source.ts';
import { prepareReader } from './prepare-reader.ts';

const primary = await startTestPostgres();
afterAll(() => primary.stop());
const replica = await makeReplica(primary);
afterAll(() => replica.remove());
const app = await testApp({ postgres: primary, env: (url) => ({ DATABASE_READ_URL: replica.urlOf(url) }) });
const atReplica = createDb(createPool(superuserAtReplica(), 'test', 1, app.ctx.log));
afterAll(() => atReplica.destroy());

await prepareReader(app.ctx, primary.superuserUrl);
await ensureBuiltInSource(app.ctx);
await app.startWorker();
const admin = app.as(app.admin);
const sources = DataSource.array().parse(await admin.get(dataSourcesApi.list));
const data_source_id = sources.find(({ type }) => type === 'telltale')?.id ?? 0;
const run = async (query: string) => {
  const { rows, error } = await runAdHoc(admin, { data_source_id, query });
  return error ? error : rows;
};
const whereItRan = 'select pg_is_in_recovery() as is_replica';

test('DATABASE_READ_URL: queries on IoT data run at the replica, with the rights of the reader, and see what was committed', async () => {
  await expect.poll(() => run(whereItRan)).toEqual([{ is_replica: true }]);
  await sql`insert into telemetry.channel (channel_id, channel_name, kind) values ('weather', 'Weather', 'mqtt')`.execute(app.ctx.db);
  await expect.poll(() => run('select channel_name from app.channel')).toEqual([{ channel_name: 'Weather' }]);
  expect(await run('select * from console.users')).toMatch(/permission denied/);
  expect(await run('select 1 / 0')).toMatch(/division by zero/);
});

test('a change of groups counts at once, also while the replica has not heard of it', async () => {
  const group = await app.make.group({ name: 'Some' });
  const person = await app.make.user({ group_ids: [group.id] });
  const seen = async () => (await runAdHoc(app.as(person), { data_source_id, query: 'select count(*)::int as n from app.channel' })).rows;
  expect(await seen()).toEqual([{ n: 1 }]);
  await sql`select pg_wal_replay_pause()`.execute(atReplica);
  await sql`update reader_access set version = version + 1`.execute(app.ctx.db);
  expect(await seen()).toEqual([{ n: 1 }]);
  expect(await run(whereItRan)).toEqual([{ is_replica: false }]);
  await sql`select pg_wal_replay_resume()`.execute(atReplica);
  await expect.poll(() => run(whereItRan)).toEqual([{ is_replica: true }]);
});

test('a replica that goes away costs nobody a query, and is used again when it is back', async () => {
  expect(await run(whereItRan)).toEqual([{ is_replica: true }]);
  const slow = run('select pg_is_in_recovery() as is_replica, pg_sleep(1.5)');
  const running = sql`select from pg_stat_activity where query like '%pg_sleep(1.5)%' and state = 'active' and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await running.execute(atReplica)).rows.length).toBe(1);
  await replica.stop();
  expect(await slow).toMatchObject([{ is_replica: false }]);
  expect(await run(whereItRan)).toEqual([{ is_replica: false }]);
  await replica.start();
  await expect.poll(() => run(whereItRan)).toEqual([{ is_replica: true }]);
});

function superuserAtReplica(): string {
  const url = new URL(replica.urlOf(primary.superuserUrl));
  url.pathname = new URL(app.databaseUrl).pathname;
  return url.toString();
}
