import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import type { DB } from './database-types.ts';
import { createLogger } from './log.ts';
import { currentWorkerMigration, migrate } from './migrate.ts';

const app = await testApp();
const db = app.ctx.db as Kysely<DB>;

describe('migrations', () => {
  test('the pinned graphile-worker is the one whose migrations we recognise as current', async () => {
    const { rows } = await sql<{ id: number }>`select max(id) as id from graphile_worker.migrations`.execute(db);
    expect(rows[0]?.id).toBe(currentWorkerMigration);
  });

  test('three starts at once, and every later one, change nothing', async () => {
    const ledger = async () => JSON.stringify((await sql`select * from migration order by name`.execute(db)).rows);
    const before = await ledger();
    await Promise.all([1, 2, 3].map(() => migrate(app.databaseUrl, createLogger('silent'))));
    expect(await ledger()).toBe(before);
  });

  test('design 9: a connection that is lost while it has nothing to do takes no process down', async () => {
    const empty = await targetDatabase();
    const done = migrate(empty.url, createLogger('silent'));
    // At this point graphile-worker migrates on a connection of its own, and ours waits.
    const isAtWorker = () => empty.query("select from pg_namespace where nspname = 'graphile_worker'");
    await expect.poll(isAtWorker, { interval: 5 }).toHaveLength(1);
    const ended = await empty.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'telltale migrations'",
    );
    expect(ended).toHaveLength(1);
    await done;
  });
});
