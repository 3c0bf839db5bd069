import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import type { DB } from './database-types.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';

const app = await testApp();
const db = app.ctx.db as Kysely<DB>;

describe('migrations', () => {
  test('three starts at once, and every later one, change nothing', async () => {
    const ledger = async () => JSON.stringify((await sql`select * from migration order by name`.execute(db)).rows);
    const before = await ledger();
    await Promise.all([1, 2, 3].map(() => migrate(app.databaseUrl, createLogger('silent'))));
    expect(await ledger()).toBe(before);
  });

  test('design 9: a connection that is lost fails the start, and takes no process down by itself', async () => {
    const empty = await targetDatabase();
    await migrate(empty.url, createLogger('silent'));
    await empty.query("delete from console.migration where name like '0063%'");
    await empty.query('begin');
    await empty.query('lock table console.migration in access exclusive mode');
    const failed = expect(migrate(empty.url, createLogger('silent'))).rejects.toThrow();
    const end = async () => {
      // Inside a transaction the server shows the connections that it has shown before.
      await empty.query('select pg_stat_clear_snapshot()');
      return empty.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and application_name = 'telltale migrations' and wait_event_type = 'Lock'`);
    };
    await expect.poll(end).toHaveLength(1);
    await failed;
    await empty.query('rollback');
  });

  test('an upgrade takes over the jobs that wait in the queue of earlier versions, and removes that queue', async () => {
    const old = await earlierVersion();
    const [waiting, postponed, laned, announced, done] = Array.from({ length: 5 }, () => randomUUID());
    for (const [id, status] of [
      [waiting, 1],
      [postponed, 1],
      [laned, 1],
      [announced, 1],
      [done, 3],
    ])
      await old.query(
        `insert into console.jobs (id, name, queue, status, payload, attempts, max_attempts, enqueued_at)
         values ($1, 'test.job', 'default', $2, '{}', 2, 9, '2026-01-01')`,
        [id, status],
      );
    const entry = (id: string | undefined, runAt: string, flags: object | null = null) =>
      old.query(
        `insert into graphile_worker._private_jobs (task_id, payload, key, run_at, flags, attempts, locked_at)
         values (1, json_build_object('job_id', $1::text), $1, $2, $3, 7, now())`,
        [id, runAt, flags],
      );
    await entry(waiting, '2026-01-02');
    await entry(postponed, '2199-01-01');
    await entry(laned, '2026-01-03', { 'source-1/6': true, 'user-2/4': true });
    await entry(done, '2026-01-04');
    await entry(randomUUID(), '2026-01-05');
    await migrate(old.url, createLogger('silent'));
    const jobs = await old.query('select id, status, attempts, run_at::date::text as due, lanes from console.jobs where status = 1');
    const job = { status: 1, attempts: 2, lanes: [] };
    expect(jobs).toHaveLength(4);
    expect(jobs).toEqual(
      expect.arrayContaining([
        { ...job, id: waiting, due: '2026-01-02' },
        { ...job, id: postponed, due: '2199-01-01' },
        { ...job, id: laned, due: '2026-01-03', lanes: ['user-2/4', 'source-1/6'] },
        // A direct job had no entry.
        { ...job, id: announced, due: '2026-01-01' },
      ]),
    );
    expect(await old.query("select from pg_namespace where nspname = 'graphile_worker'")).toEqual([]);
  });

  test('an upgrade leaves the entries of another program alone', async () => {
    const old = await earlierVersion();
    await old.query(`insert into graphile_worker._private_jobs (task_id, payload) values (1, '{"their": 1}'), (1, '{"job_id": "ours"}')`);
    await migrate(old.url, createLogger('silent'));
    expect(await old.query('select payload from graphile_worker._private_jobs')).toEqual([{ payload: { their: 1 } }]);
  });
});

/** A database as the versions before 0063 left it, with the part of graphile-worker's schema that an upgrade reads. */
async function earlierVersion() {
  const database = await targetDatabase();
  const folder = new URL('../migrations/', import.meta.url);
  await database.query(
    `set search_path = console, pg_catalog; create schema console; create table console.migration (name text primary key, applied_at timestamptz default now())`,
  );
  for (const name of (await readdir(folder)).filter((name) => name < '0063').sort()) {
    await database.query(await readFile(new URL(name, folder), 'utf8'));
    await database.query('insert into console.migration (name) values ($1)', [name]);
  }
  await database.query(`
    create schema graphile_worker;
    create table graphile_worker._private_jobs (
      id bigint primary key generated always as identity, job_queue_id int, task_id int not null, payload json not null default '{}',
      priority smallint not null default 0, run_at timestamptz not null default now(), attempts smallint not null default 0,
      max_attempts smallint not null default 25, last_error text, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(), key text unique, locked_at timestamptz, locked_by text, revision int not null default 0,
      flags jsonb, is_available boolean generated always as (locked_at is null and attempts < max_attempts) stored not null);
    alter table graphile_worker._private_jobs enable row level security;
    create view graphile_worker.jobs as select * from graphile_worker._private_jobs`);
  return database;
}
