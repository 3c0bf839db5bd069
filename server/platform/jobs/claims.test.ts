import { randomUUID } from 'node:crypto';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { servicesOf } from '../../testing/live-server.ts';
import { testApp } from '../../testing/test-app.ts';
import type { DB } from '../database-types.ts';
import { defineJob, type JobDefinition } from './define.ts';
import { cancelJob, findJob, retryJob } from './queue.ts';
import { RunningJobs } from './running.ts';

/** No worker runs here: the tests take jobs themselves, one claim after the other. */
const app = await testApp();
const db = app.ctx.db as Kysely<DB>;
const ran: string[] = [];
const Note = z.object({ note: z.string(), lanes: z.array(z.string()).default([]) });
const plain = defineJob({
  name: 'test.plain',
  queue: 'default',
  payload: Note,
  lanes: ({ lanes }) => lanes,
  run: async (_, { note }) => ran.push(note),
});
const stubborn = defineJob({
  ...plain,
  name: 'test.stubborn',
  retries: 5,
  run: async () => {
    throw new Error('not yet');
  },
});
const patient = defineJob({
  ...plain,
  name: 'test.patient',
  run: (ctx) => new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('stopped')))),
});
const definitions = new Map(([plain, stubborn, patient] as JobDefinition[]).map((job) => [job.name, job]));

/** A process whose answers from the database wait for `gate`, if there is one. */
function newProcess(gate?: Promise<void>): RunningJobs {
  const late: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await gate;
      return result;
    },
  };
  const report = { state: 'idle' as const, current_job: null, successful_jobs: 0, failed_jobs: 0, working_ms: 0 };
  return new RunningJobs({ ...servicesOf(app), db: db.withPlugin(late) }, { id: randomUUID(), report, stop: async () => {} });
}
const take = (jobs: RunningJobs, slots = 4) => jobs.takeDue(definitions, ['emails', 'default'], slots);
/** The number of jobs that were taken. */
const takeAndRun = async (jobs: RunningJobs, slots = 4) => (await Promise.all(await take(jobs, slots))).length;
const queue = (note: string, lanes: string[] = []) => app.ctx.enqueue(plain, { note, lanes });
const read = async (id: string) =>
  (
    await sql<{ status: number; attempts: number; due: boolean; pause: number }>`
      select status, attempts, run_at <= now() as due, extract(epoch from run_at - started_at)::float8 as pause from jobs where id = ${id}`.execute(
      db,
    )
  ).rows[0];

afterEach(async () => {
  ran.length = 0;
  await sql`delete from jobs`.execute(db);
});

describe('a claim', () => {
  test('takes as many as there are slots, the oldest first', async () => {
    for (const note of ['1', '2', '3']) await queue(note);
    const jobs = newProcess();
    expect(await takeAndRun(jobs, 2)).toBe(2);
    expect(ran.toSorted()).toEqual(['1', '2']);
    expect(await takeAndRun(jobs, 2)).toBe(1);
    expect(ran.at(-1)).toBe('3');
  });

  test('leaves what is not due, what it does not know and what others just take', async () => {
    await app.ctx.enqueue(plain, { note: 'later', lanes: [] }, { runAt: new Date(Date.now() + 3_600_000) });
    await app.ctx.enqueue(defineJob({ ...plain, name: 'test.unknown' }), { note: 'unknown', lanes: [] });
    await app.ctx.enqueue({ ...plain, queue: 'schemas' }, { note: 'elsewhere', lanes: [] });
    const taken = await queue('taken');
    await app.ctx.transaction(async (tx) => {
      await sql`select from jobs where id = ${taken} for update`.execute(tx.db);
      expect(await takeAndRun(newProcess())).toBe(0);
    });
    expect(await takeAndRun(newProcess())).toBe(1);
    expect(ran).toEqual(['taken']);
  });

  test('takes one job for each lane, and none for a full one', async () => {
    const jobs = newProcess();
    jobs.lanes.enter(['full/1']);
    await queue('full', ['full/1', 'a/2']);
    for (const note of ['a 1', 'a 2', 'a 3']) await queue(note, ['a/2']);
    await queue('b 1', ['b/1']);
    expect(await takeAndRun(jobs, 9)).toBe(2);
    expect(ran.toSorted()).toEqual(['a 1', 'b 1']);
    expect(await takeAndRun(jobs, 9)).toBe(1);
    jobs.lanes.leave(['full/1']);
    expect(await takeAndRun(jobs, 9)).toBe(1);
    expect(ran.toSorted()).toEqual(['a 1', 'a 2', 'b 1', 'full']);
  });

  test('gives a job back that lost its slot in a lane meanwhile, as if it had not been taken', async () => {
    const answer = Promise.withResolvers<void>();
    const jobs = newProcess(answer.promise);
    const id = await queue('crowded out', ['a/1']);
    const taken = takeAndRun(jobs);
    await expect.poll(() => read(id)).toMatchObject({ status: 2 });
    jobs.lanes.enter(['a/1']);
    answer.resolve();
    await taken;
    expect(await read(id)).toMatchObject({ status: 1, attempts: 0, due: true });
    jobs.lanes.leave(['a/1']);
    await takeAndRun(jobs);
    expect(ran).toEqual(['crowded out']);
  });

  test('that is answered when the process already stops gives its jobs back', async () => {
    const answer = Promise.withResolvers<void>();
    const jobs = newProcess(answer.promise);
    const id = await queue('too late');
    const taken = takeAndRun(jobs);
    await expect.poll(() => read(id)).toMatchObject({ status: 2 });
    jobs.stopAll();
    answer.resolve();
    await taken;
    expect([await read(id), ran]).toMatchObject([{ status: 1, attempts: 0, due: true }, []]);
  });

  test('and an announcement of the same job at the same moment run it once', async () => {
    const jobs = newProcess();
    for (let round = 0; round < 20; round++) {
      const id = await queue(`${round}`, ['a/1']);
      await Promise.all([jobs.run(plain as JobDefinition, id, ['a/1']), takeAndRun(jobs)]);
      // The claim gave it back if the announcement had the slot in the lane.
      await takeAndRun(jobs);
    }
    expect(ran).toEqual(Array.from({ length: 20 }, (_, round) => `${round}`));
    expect([jobs.ids, jobs.lanes.full]).toEqual([[], []]);
  });

  test('whose jobs are cancelled before it is answered', async () => {
    const answer = Promise.withResolvers<void>();
    const jobs = newProcess(answer.promise);
    const id = await app.ctx.enqueue(patient, { note: '', lanes: [] });
    const taken = takeAndRun(jobs);
    await expect.poll(() => read(id)).toMatchObject({ status: 2 });
    await cancelJob(db, id);
    const obeyed = jobs.applyCancellations();
    answer.resolve();
    await obeyed;
    await taken;
    expect(await findJob(db, id)).toMatchObject({ status: 4, error: 'Query cancelled by user.' });
  });

  test('leaves a job whose earlier run in this process has not ended', async () => {
    const jobs = newProcess();
    const id = await app.ctx.enqueue(patient, { note: '', lanes: [] });
    const runs = await take(jobs);
    // The job was given up for lost, and somebody runs it again.
    await sql`update jobs set status = 4 where id = ${id}`.execute(db);
    expect(await retryJob(db, id)).toBe(true);
    expect(await takeAndRun(jobs)).toBe(0);
    const others = newProcess();
    const again = await take(others);
    expect(again).toHaveLength(1);
    for (const process of [jobs, others]) process.stopAll();
    await Promise.all([...runs, ...again]);
  });
});

test('a failed job comes again at a later time, each time later', async () => {
  const id = await app.ctx.enqueue(stubborn, { note: '', lanes: [] });
  const jobs = newProcess();
  for (const attempts of [1, 2, 3]) {
    expect(await takeAndRun(jobs)).toBe(1);
    const row = await read(id);
    expect(row).toMatchObject({ status: 1, attempts, due: false });
    expect(row?.pause).toBeGreaterThanOrEqual(Math.exp(attempts));
    expect(await takeAndRun(jobs)).toBe(0);
    await sql`update jobs set run_at = now() where id = ${id}`.execute(db);
  }
});
