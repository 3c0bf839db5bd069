import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ExecutorError } from '../../executor/pool.ts';
import { cloneDatabase } from '../../testing/postgres.ts';
import { activeStatements } from '../testing/active-statements.ts';
import { isAlive, startDoomedWorker } from '../testing/doom.ts';
import { type Executors, residentMb, startExecutors } from '../testing/executors.ts';

let database: { url: string; drop(): Promise<void> } | undefined;
let executors: Executors | undefined;

const source = (more = {}) => {
  const url = new URL(inject('postgres').superuserUrl);
  return {
    type: 'pg',
    options: {
      host: url.hostname,
      port: Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      dbname: new URL(database?.url ?? '').pathname.slice(1),
      ...more,
    },
  };
};

async function administer(text: string): Promise<unknown[]> {
  const url = new URL(inject('postgres').superuserUrl);
  url.pathname = new URL(database?.url ?? '').pathname;
  const client = new pg.Client(url.toString());
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const isRunning = (mark: string) => async () => (await administer(activeStatements(mark))).length > 0;

beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'), `connector_executor_${process.pid}`);
  executors = startExecutors();
  await administer('create table log (a int)');
});
afterAll(async () => {
  await executors?.close();
  await database?.drop();
});

const run: Executors['run'] = (...given) => (executors as Executors).run(...given);

/** Runs another query at the same time. */
async function beside<T>(work: () => Promise<T>): Promise<T> {
  const other = run(source(), 'select count(*) as n, pg_sleep(1) from generate_series(1, 10)');
  const done = await work();
  expect((await other).rows).toMatchObject([{ n: 10 }]);
  expect((await run(source(), 'select 1 as a')).rows).toEqual([{ a: 1 }]);
  return done;
}

async function largestWhile(work: Promise<unknown>, isMeant: (pid: number) => boolean = () => true): Promise<number> {
  let largest = 0;
  const watch = setInterval(async () => {
    for (const pid of ((await executors?.pids()) ?? []).filter(isMeant)) largest = Math.max(largest, await residentMb(pid));
  }, 50);
  await work.catch(() => {});
  clearInterval(watch);
  return largest;
}

const cells = Array.from({ length: 1000 }, (_, i) => `repeat('x', 1000000) as c${i}`).join();

test.each([
  ['COPY … TO STDOUT', 'copy (select i from generate_series(1, 1000000) i) to stdout', true],
  ['COPY … TO STDOUT, read-only', 'copy (select 1) to stdout', false],
  ['COPY … FROM STDIN', 'copy log from stdin', true],
  ['COPY … FROM STDIN, read-only', 'copy log from stdin', false],
  ['one cell of 600 MB', `select repeat('x', 600000000) as x`, false],
  ['one cell of 200 MB behind a cursor', `declare c cursor for select repeat('x', 200000000) as x; fetch c`, false],
  ['one cell of 200 MB in an earlier statement', `select repeat('x', 200000000) as x; select 1`, false],
  ['1,000 cells of 1 MB in one row', `select ${cells}`, false],
  ['a notice of 200 MB', `do $$ begin raise notice '%', repeat('x', 200000000); end $$; select 1`, true],
])('design 9: %s ends as a failure while others go on', async (_name, query, allow_writes) => {
  await beside(async () => {
    const running = run(source({ allow_writes }), query);
    running.catch(() => {});
    expect(await largestWhile(running)).toBeLessThan(900);
    await expect(running).rejects.toBeInstanceOf(ExecutorError);
  });
});

test('1,000 rows of 1 MB pass through with flat memory', async () => {
  const others = (await executors?.pids()) ?? [];
  const fresh = startExecutors(undefined, 1);
  const running = fresh.run(source(), `select repeat('x', 1000000) as x from generate_series(1, 1000)`, { isCounted: true });
  expect(await largestWhile(running, (pid) => !others.includes(pid))).toBeLessThan(650);
  expect((await running).done.outcome?.size.rows).toBe(1000);
  await fresh.close();
});

test('after a cancelled statement none of its rows get into the next one on the same process', async () => {
  const single = startExecutors(undefined, 1);
  try {
    for (let i = 0; i < 15; i++) {
      const controller = new AbortController();
      const first = single.run(source(), `select 'old' as who from generate_series(1, 3000000)`, {
        signal: controller.signal,
        isCounted: true,
        chunk: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.abort(new Error('stopped'));
        },
      });
      const second = single.run(source(), `select distinct 'new' as who from generate_series(1, 20000)`);
      await expect(first).rejects.toThrow('stopped');
      expect((await second).rows).toEqual([{ who: 'new' }]);
    }
  } finally {
    await single.close();
  }
});

test('a chunk that cannot be stored fails that statement only', async () => {
  await beside(async () => {
    const failing = run(source(), 'select i from generate_series(1, 1000000) i', { chunk: () => Promise.reject(new Error('disk full')) });
    await expect(failing).rejects.toThrow('disk full');
  });
});

test('design 8: a killed executor fails its statement, and the server stops it within 10 seconds', async () => {
  const single = startExecutors(undefined, 1);
  try {
    const running = single.run(source(), 'select count(*) from (select generate_series(1, 100000000000)) killed_one');
    running.catch(() => {});
    await expect.poll(isRunning('killed_one')).toBe(true);
    const [pid] = (await administer(
      `select pid from pg_stat_activity where datname = current_database() and query like '%killed_one%' and state = 'active' and pid <> pg_backend_pid()`,
    )) as { pid: number }[];
    expect(pid).toBeDefined();
    const before = await single.pids();
    for (const executor of before) process.kill(executor, 'SIGKILL');
    await expect(running).rejects.toThrow(/process ended/);
    await expect.poll(isRunning('killed_one')).toBe(false);
    expect((await single.run(source(), 'select 1 as a')).rows).toEqual([{ a: 1 }]);
  } finally {
    await single.close();
  }
});

test('design 8: when the worker is killed, its executor stops the statement and goes', async () => {
  const worker = await startDoomedWorker(source(), 'select count(*) from (select generate_series(1, 100000000000)) doomed_one');
  await expect.poll(isRunning('doomed_one')).toBe(true);
  worker.kill();
  await expect.poll(isRunning('doomed_one')).toBe(false);
  await expect.poll(() => isAlive(worker.executorPid)).toBe(false);
});

test('the same while rows are on their way to nobody', async () => {
  const worker = await startDoomedWorker(source(), `select repeat('x', 1000) as x, generate_series(1, 100000000) as flowing_one`);
  await expect.poll(isRunning('flowing_one')).toBe(true);
  worker.kill();
  await expect.poll(isRunning('flowing_one')).toBe(false);
  await expect.poll(() => isAlive(worker.executorPid)).toBe(false);
});
