import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { childrenOf, isAlive } from '../testing/processes.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';

/** kill -9 at the worst moment: nothing stays "processing", nothing goes on running on somebody's database (design 2 and 8). */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
const client = app.as(app.admin);
const source = await app.make.dataSource({ options: target.options });

let count = 0;
const start = async () => {
  const query = `select ${++count} as n, pg_sleep(80)`;
  const outcome = runAdHoc(client, { data_source_id: source.id, query });
  await expect.poll(async () => (await target.running()).some((text) => text.includes(query))).toBe(true);
  return { query, outcome };
};
const untilGone = (query: string, timeout: number) =>
  expect.poll(async () => (await target.running()).filter((text) => text.includes(query)), { timeout }).toEqual([]);
const worksAgain = async () =>
  expect((await runAdHoc(client, { data_source_id: source.id, query: `select ${++count} as n` })).error).toBe('');
const workerPid = async () =>
  (
    await sql<{ pid: number }>`select pid from processes where role = 'worker' and heartbeat_at > now() - interval '3 seconds'`.execute(
      app.ctx.db,
    )
  ).rows[0]?.pid;

/** A worker as `npm start` runs it: a parent that watches over the role in a process of its own. */
async function startRealWorker() {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-lost-'));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: app.databaseUrl,
    TELLTALE_SECRET_KEY: testSecretKey,
    TELLTALE_DATA: folder,
    TELLTALE_DEV: '1',
    TELLTALE_LOG: 'error',
    PORT: '0',
    MQTT_PORT: '0',
  };
  const parent = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts'), 'worker'], { env, stdio: 'ignore' });
  afterAll(async () => {
    if (parent.exitCode === null && parent.signalCode === null) {
      const ended = new Promise((resolve) => parent.once('exit', resolve));
      parent.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });
  await expect.poll(workerPid, { timeout: 30_000 }).toBeTypeOf('number');
  return parent;
}

describe('a worker that is killed', { timeout: 90_000 }, () => {
  test('its role dies: the parent brings it back, the job ends with a reason, the statement is gone', async () => {
    const parent = await startRealWorker();
    const role = (await workerPid()) ?? 0;
    const { query, outcome } = await start();
    const executors = childrenOf(role, 'executor/child.ts');
    expect(executors.length).toBeGreaterThan(0);
    const killed = Date.now();
    process.kill(role, 'SIGKILL');
    expect((await outcome).error).toMatch(/stopped before it finished/);
    expect(Date.now() - killed).toBeLessThan(13_000);
    await untilGone(query, 10_000);
    await expect.poll(() => executors.filter(isAlive)).toEqual([]);
    await expect.poll(async () => (await workerPid()) !== role).toBe(true);
    await worksAgain();

    // And all of it at once, with nobody left but another worker.
    const next = (await workerPid()) ?? 0;
    const second = await start();
    await app.startWorker();
    parent.kill('SIGKILL');
    process.kill(next, 'SIGKILL');
    const killedAgain = Date.now();
    expect((await second.outcome).error).toMatch(/stopped before it finished/);
    expect(Date.now() - killedAgain).toBeLessThan(15_000);
    await untilGone(second.query, 10_000);
    await worksAgain();
  });

  test('its executor dies: the job ends with a reason at once, the statement soon, the worker lives on', async () => {
    await worksAgain();
    const { query, outcome } = await start();
    const other = await start();
    for (const pid of childrenOf(process.pid, 'executor/child.ts')) process.kill(pid, 'SIGKILL');
    for (const run of [outcome, other.outcome]) expect((await run).error).toMatch(/process ended/);
    await worksAgain();
    for (const text of [query, other.query]) await untilGone(text, 12_000);
    const { rows } = await sql`select from jobs where status in (1, 2) and queue = 'queries'`.execute(app.ctx.db);
    expect(rows).toEqual([]);
    expect((await sql`select from query_results where not is_complete`.execute(app.ctx.db)).rows).toEqual([]);
  });
});
