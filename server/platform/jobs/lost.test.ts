import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { servicesOf } from '../../testing/live-server.ts';
import { testApp } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import type { DB } from '../database-types.ts';
import { createLogger } from '../log.ts';
import { defineJob, type JobDefinition } from './define.ts';
import { findJob } from './queue.ts';
import { reapDeadProcesses } from './reaper.ts';
import { RunningJobs } from './running.ts';

const app = await testApp();
const db = app.ctx.db as Kysely<DB>;
const ran: string[] = [];
const Note = z.object({ note: z.string() });
const once = defineJob({ name: 'test.once', queue: 'default', payload: Note, onLost: 'fail', run: async (_, { note }) => ran.push(note) });
const again = defineJob({
  name: 'test.again',
  queue: 'default',
  payload: Note,
  onLost: 'retry',
  run: async (_, { note }) => ran.push(note),
});
const slow = defineJob({
  name: 'test.slow',
  queue: 'default',
  payload: Note,
  onLost: 'retry',
  run: (ctx, { note }) =>
    new Promise((resolve, reject) => {
      ran.push(note);
      const timer = setTimeout(() => resolve(note), 60_000);
      ctx.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      });
    }),
});
const slowOnce = defineJob({ ...slow, name: 'test.slow-once', onLost: 'fail' });
const definitions = [once, again, slow, slowOnce] as JobDefinition[];
const reap = () => reapDeadProcesses(db, definitions, createLogger('silent'));

const untilStatus = (id: string, status: number) =>
  until(
    () => findJob(db, id),
    (row) => row?.status === status,
  );

/** Simulates a process that was killed in the middle of a job: its row and its job are left behind. */
async function lose(
  definition: JobDefinition<{ note: string }>,
  options: { silentSeconds?: number; attempts?: number; processId?: string } = {},
) {
  const { silentSeconds = 11, attempts = 1, processId = randomUUID() } = options;
  const note = randomUUID();
  const id = await app.ctx.enqueue(definition, { note });
  await sql`insert into processes (id, role, hostname, pid, heartbeat_at)
    values (${processId}, 'worker', 'dead', 1, now() - make_interval(secs => ${silentSeconds})) on conflict do nothing`.execute(db);
  await sql`update jobs set status = 2, attempts = ${attempts}, process_id = ${processId}, started_at = now(),
    enqueued_at = now() - interval '1 minute' where id = ${id}`.execute(db);
  return { id, note, processId };
}

/** A process that is alive and takes no jobs by itself. */
async function aliveProcess() {
  const report = { state: 'idle' as const, current_job: null, successful_jobs: 0, failed_jobs: 0, working_ms: 0 };
  const id = randomUUID();
  await sql`insert into processes (id, role, hostname, pid, heartbeat_at) values (${id}, 'worker', 'alive', 1, now() + interval '1 hour')`.execute(
    db,
  );
  return Object.assign(new RunningJobs(servicesOf(app), { id, report, stop: async () => {} }), { processId: id });
}

afterEach(() => sql`delete from jobs where status = 1`.execute(db));

describe('design 9: work of a process that is gone', () => {
  test('fails with a reason when it must not run twice', async () => {
    const { id } = await lose(once);
    await reap();
    expect(await findJob(db, id)).toMatchObject({ status: 4, error: expect.stringContaining('stopped before it finished') });
  });

  test('waits again when it may, and another worker runs it to the end', async () => {
    const { id, note } = await lose(again);
    await reap();
    expect(await findJob(db, id)).toMatchObject({ status: 1 });
    const worker = await app.startWorker(definitions);
    expect(await untilStatus(id, 3)).toMatchObject({ status: 3 });
    expect(ran.filter((one) => one === note)).toHaveLength(1);
    await worker.stop();
  });

  test('a process that is only slow is not robbed', async () => {
    const { id, processId } = await lose(again, { silentSeconds: 1 });
    await reap();
    expect(await findJob(db, id)).toMatchObject({ status: 2 });
    await sql`delete from processes where id = ${processId}`.execute(db);
    await reap();
    expect(await findJob(db, id)).toMatchObject({ status: 1 });
  });

  test('one that was cancelled meanwhile is not run again', async () => {
    const { id } = await lose(again);
    await sql`update jobs set cancel_requested = true where id = ${id}`.execute(db);
    await reap();
    expect((await findJob(db, id))?.status).toBe(4);
  });

  test('one that takes its process down every time ends as failed', async () => {
    const { id, processId } = await lose(again, { attempts: 3 });
    await reap();
    expect((await findJob(db, id))?.status).toBe(1);
    await sql`update jobs set status = 2, attempts = 4, process_id = ${processId} where id = ${id}`.execute(db);
    await reap();
    expect((await findJob(db, id))?.status).toBe(4);
  });

  test('one that it holds without knowing, because the answer to its claim was lost, is brought again', async () => {
    const jobs = await aliveProcess();
    const { id, note } = await lose(again, { processId: jobs.processId });
    const busy = await app.ctx.enqueue(slow, { note: 'goes on' });
    const run = jobs.run(slow as JobDefinition, busy);
    await untilStatus(busy, 2);
    await jobs.disownUnknown();
    await reap();
    expect(await findJob(db, id)).toMatchObject({ status: 2 });
    await jobs.disownUnknown();
    await reap();
    expect([await findJob(db, id), await findJob(db, busy)]).toMatchObject([{ status: 1 }, { status: 2 }]);
    const worker = await app.startWorker(definitions);
    expect(await untilStatus(id, 3)).toMatchObject({ status: 3 });
    expect(ran.filter((one) => one === note)).toHaveLength(1);
    await worker.stop();
    jobs.stopAll();
    await run;
  });

  test('one that waits for its hour is left alone', async () => {
    const id = await app.ctx.enqueue(once, { note: 'later' }, { runAt: new Date(Date.now() + 3_600_000) });
    await sql`update jobs set enqueued_at = now() - interval '1 hour' where id = ${id}`.execute(db);
    await reap();
    const { rows } = await sql<{
      later: boolean;
    }>`select status = 1 and run_at > now() + interval '50 minutes' as later from jobs where id = ${id}`.execute(db);
    expect(rows).toEqual([{ later: true }]);
  });

  test('a worker notices by itself, in seconds', async () => {
    const worker = await app.startWorker(definitions);
    const { id } = await lose(once);
    expect((await untilStatus(id, 4))?.status).toBe(4);
    await worker.stop();
  });

  test('a late answer of the process that was given up changes nothing', async () => {
    const answer = Promise.withResolvers<string>();
    const late = defineJob({ ...once, name: 'test.late', run: () => answer.promise });
    const report = { state: 'idle', current_job: null, successful_jobs: 0, failed_jobs: 0, working_ms: 0 } as const;
    // This process is not in the table, as if it had been silent for long.
    const jobs = new RunningJobs(servicesOf(app), { id: randomUUID(), report: { ...report }, stop: async () => {} });
    const id = await app.ctx.enqueue(late, { note: 'late' });
    const running = jobs.run(late as JobDefinition, id);
    expect(await untilStatus(id, 2)).toMatchObject({ status: 2 });
    await reap();
    answer.resolve('too late');
    await running;
    expect(await findJob(db, id)).toMatchObject({
      status: 4,
      result: null,
      error: expect.stringContaining('stopped before it finished'),
    });
  });
});

describe('design 2: a graceful stop', () => {
  test('hands back what may run again, ends the rest with a reason, and another worker goes on', async () => {
    const first = await app.startWorker(definitions);
    const handed = await app.ctx.enqueue(slow, { note: 'handed back' });
    const dropped = await app.ctx.enqueue(slowOnce, { note: 'dropped' });
    await untilStatus(handed, 2);
    await untilStatus(dropped, 2);
    await first.stop();
    expect(await findJob(db, handed)).toMatchObject({ status: 1 });
    expect(await findJob(db, dropped)).toMatchObject({ status: 4, error: expect.stringContaining('server was stopped') });
    const { rows } = await sql`select attempts from jobs where id = ${handed}`.execute(db);
    expect(rows).toEqual([{ attempts: 0 }]);

    const second = await app.startWorker(definitions);
    expect((await untilStatus(handed, 2))?.status).toBe(2);
    await sql`update jobs set cancel_requested = true where id = ${handed}`.execute(db);
    await sql`select pg_notify('telltale_cancel', ${handed})`.execute(db);
    await untilStatus(handed, 4);
    await second.stop();
  });
});

describe('design 2: any number of copies is safe', () => {
  test('two workers run a hundred jobs, each of them once', async () => {
    const workers = [await app.startWorker(definitions), await app.startWorker(definitions)];
    const notes: string[] = Array.from({ length: 100 }, () => randomUUID());
    const ids = await Promise.all(notes.map((note) => app.ctx.enqueue(once, { note })));
    const rows = await Promise.all(ids.map((id) => untilStatus(id, 3)));
    expect(rows.every((row) => row?.status === 3)).toBe(true);
    expect(ran.filter((note) => notes.includes(note)).sort()).toEqual(notes.sort());
    await Promise.all(workers.map((worker) => worker.stop()));
  });
});
