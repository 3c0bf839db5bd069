import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { childrenOf, isAlive } from '../testing/processes.ts';
import { realWorker } from '../testing/real-worker.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

/** kill -9 at the worst moment: nothing stays "processing", and nothing goes on running on the database (design 2 and 8). */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
const client = app.as(app.admin);
const source = await app.make.dataSource({ options: target.options });

let count = 0;
const start = async () => {
  // Longer than a test may take: an outcome before its end comes from noticing the dead process.
  const query = `select ${++count} as n, pg_sleep(900)`;
  const outcome = runAdHoc(client, { data_source_id: source.id, query });
  await expect.poll(async () => (await target.running()).some((text) => text.includes(query))).toBe(true);
  return { query, outcome };
};
const untilGone = (query: string) => expect.poll(async () => (await target.running()).filter((text) => text.includes(query))).toEqual([]);
const worksAgain = async () =>
  expect((await runAdHoc(client, { data_source_id: source.id, query: `select ${++count} as n` })).error).toBe('');
const { start: startRealWorker, workerPid } = realWorker(app);

describe('a worker that is killed', () => {
  test('its role dies: the parent brings it back, the job ends with a reason, the statement is gone', async () => {
    const parent = await startRealWorker();
    const role = (await workerPid()) ?? 0;
    const { query, outcome } = await start();
    const executors = childrenOf(role, 'executor/child.ts');
    expect(executors.length).toBeGreaterThan(0);
    process.kill(role, 'SIGKILL');
    expect((await outcome).error).toMatch(/stopped before it finished/);
    await untilGone(query);
    await expect.poll(() => executors.filter(isAlive)).toEqual([]);
    await expect.poll(async () => (await workerPid()) !== role).toBe(true);
    await worksAgain();

    // Everything is killed at once; only another worker is left.
    const next = (await workerPid()) ?? 0;
    const second = await start();
    await app.startWorker();
    parent.kill('SIGKILL');
    process.kill(next, 'SIGKILL');
    expect((await second.outcome).error).toMatch(/stopped before it finished/);
    await untilGone(second.query);
    await worksAgain();
  });

  test('its executor dies: the job ends with a reason at once, the statement soon, the worker lives on', async () => {
    await worksAgain();
    const { query, outcome } = await start();
    const other = await start();
    for (const pid of childrenOf(process.pid, 'executor/child.ts')) process.kill(pid, 'SIGKILL');
    for (const run of [outcome, other.outcome]) expect((await run).error).toMatch(/process ended/);
    await worksAgain();
    for (const text of [query, other.query]) await untilGone(text);
    const { rows } = await sql`select from jobs where status in (1, 2) and queue = 'queries'`.execute(app.ctx.db);
    expect(rows).toEqual([]);
    expect((await sql`select from query_results where not is_complete`.execute(app.ctx.db)).rows).toEqual([]);
  });
});
