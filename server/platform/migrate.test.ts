import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
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
});
