import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { prepareReader } from './prepare-reader.ts';

const app = await testApp();
const { superuserUrl } = inject('postgres');
const superuser = new pg.Client(superuserUrl.replace(/[^/]*$/, 'postgres'));
await superuser.connect();
afterAll(() => superuser.end());

/** Ends the idle superuser connections to the database of this test. */
async function endIdle(): Promise<number> {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = $1 and state = 'idle' and usename = current_user`;
  return (await superuser.query(text, [new URL(app.databaseUrl).pathname.slice(1)])).rows.length;
}

test('design 9: a connection that is lost while it has nothing to do takes no process down, and the next start makes the reader', async () => {
  const { prepared } = await app.ctx.transaction(async (tx) => {
    // prepareReader looks for the reader on another connection, which waits for this lock.
    await sql`lock table reader in access exclusive mode`.execute(tx.db);
    const prepared = prepareReader(app.ctx, superuserUrl);
    await expect.poll(endIdle).toBe(1);
    return { prepared };
  });
  expect(await prepared).toBe(false);
  expect(await prepareReader(app.ctx, superuserUrl)).toBe(true);
});
