import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { type KyselyPlugin, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, type JobDefinition, JobError } from '../platform/jobs/define.ts';
import { reapDeadProcesses } from '../platform/jobs/reaper.ts';
import { type LiveClient, openedLive } from '../testing/live-client.ts';
import { liveServer, servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { jobFeed } from './job-feed.ts';

const app = await testApp();

/** A job that runs until its gate opens or it is cancelled. */
const gates = new Map<string, PromiseWithResolvers<string>>();
const gateOf = (name: string) => {
  const gate = gates.get(name) ?? Promise.withResolvers<string>();
  gate.promise.catch(() => {});
  gates.set(name, gate);
  return gate;
};
const gated = defineJob({
  name: 'test.gated',
  queue: 'queries',
  payload: z.object({ gate: z.string() }),
  run: async (ctx, { gate }) => {
    const stopped = new Promise<never>((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)));
    return Promise.race([gateOf(gate).promise, stopped]);
  },
});
const never = defineJob({ name: 'test.never', queue: 'default', payload: z.object({}), run: async () => null });
await app.startWorker([gated as JobDefinition]);

const memberOf = ({ id }: { id: number }) => `user ${id}`;
async function gatedJob(...people: { id: number }[]) {
  const gate = randomUUID();
  let id = '';
  for (const person of people)
    id = await app.ctx.enqueue(gated, { gate }, { user_id: person.id, member: memberOf(person), dedupeKey: gate });
  return { id, open: (result = 'done') => gateOf(gate).resolve(result), fail: (error: Error) => gateOf(gate).reject(error) };
}
const live = ({ api_key }: { api_key: string }, origin = app.origin) => openedLive(origin, { query: `?api_key=${api_key}` });
const stateOf = async (client: LiveClient) => {
  const frame = await client.next();
  if (frame.event === 'job') return [frame.data.job.status, frame.data.job.result ?? frame.data.job.error];
  return frame.event === 'error' ? frame.data.code : frame.event;
};
const isRunning = (id: string) =>
  expect
    .poll(async () => (await sql<{ status: number }>`select status from jobs where id = ${id}`.execute(app.ctx.db)).rows[0]?.status)
    .toBe(2);

describe('design 4: the state of jobs is pushed', () => {
  test('a job is sent when it waits, starts and ends, and then nothing more', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const id = await app.ctx.enqueue(gated, { gate: 'later' }, { user_id: ann.id, runAt: new Date(Date.now() + 3_600_000) });
    client.send('watch', { job: id });
    expect(await stateOf(client)).toEqual([1, '']);
    await sql`update jobs set run_at = now() where id = ${id}`.execute(app.ctx.db);
    expect(await stateOf(client)).toEqual([2, '']);
    gateOf('later').resolve('the result');
    expect(await stateOf(client)).toEqual([3, 'the result']);
    await delay(100);
    expect(client.frames).toHaveLength(3);
  });

  test('the frame is the job that polling answers', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const job = await gatedJob(ann);
    job.open();
    client.send('watch', { job: job.id });
    await expect.poll(() => client.frames.at(-1)).toMatchObject({ event: 'job', data: { job: { status: 3 } } });
    expect(client.frames.at(-1)?.data).toEqual(await app.as(ann).get(jobsApi.get, { params: { id: job.id } }));
  });

  test('a finished job is sent once', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const job = await gatedJob(ann);
    job.fail(new JobError('It broke.'));
    await expect.poll(async () => (await app.as(ann).get(jobsApi.get, { params: { id: job.id } })).job.status).toBe(4);
    client.send('watch', { job: job.id.toUpperCase() });
    expect(await stateOf(client)).toEqual([4, 'It broke.']);
    await delay(100);
    expect(client.frames).toHaveLength(1);
  });

  test('asking again tells again, and unwatch ends it', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const job = await gatedJob(ann);
    await isRunning(job.id);
    for (let i = 0; i < 2; i++) {
      client.send('watch', { job: job.id });
      expect(await stateOf(client)).toEqual([2, '']);
    }
    client.send('unwatch', { job: job.id });
    await client.ask('nonsense');
    job.open();
    await expect.poll(async () => (await app.as(ann).get(jobsApi.get, { params: { id: job.id } })).job.status).toBe(3);
    await delay(50);
    expect(client.frames).toHaveLength(3);
  });

  test('many sockets cost one look at the database per change', async () => {
    let count = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        count++;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const services = servicesOf(app);
    const { origin } = await liveServer(app, {}, [jobFeed({ ...services, db: services.db.withPlugin(counter) })]);
    const ann = await app.make.user();
    const job = await gatedJob(ann);
    await isRunning(job.id);
    const clients = await Promise.all(Array.from({ length: 20 }, () => live(ann, origin)));
    for (const client of clients) {
      client.send('watch', { job: job.id });
      await client.next();
    }
    await delay(50);
    count = 0;
    job.open();
    for (const client of clients) expect(await stateOf(client)).toEqual([3, 'done']);
    // The two reads are the job and its cancelled members.
    expect(count).toBe(2);
  });
});

describe('W8: other people’s jobs do not exist', () => {
  test('a stranger, and an id that never was, get the same answer', async () => {
    const [ann, bob] = [await app.make.user(), await app.make.user()];
    const job = await gatedJob(ann);
    const client = await live(bob);
    const answers = [await client.ask('watch', { job: job.id }), await client.ask('watch', { job: randomUUID() })];
    for (const answer of answers) expect(answer).toMatchObject({ event: 'error', data: { code: 'not_found', message: 'Job not found.' } });
    job.open();
    await delay(100);
    expect(client.frames).toHaveLength(2);
  });

  test('everybody who joined, and an administrator, may watch', async () => {
    const [ann, bob] = [await app.make.user(), await app.make.user()];
    const job = await gatedJob(ann, bob);
    await isRunning(job.id);
    const clients = await Promise.all([ann, bob, app.admin].map((person) => live(person)));
    for (const client of clients) {
      client.send('watch', { job: job.id });
      expect(await stateOf(client)).toEqual([2, '']);
    }
    job.open();
    for (const client of clients) expect(await stateOf(client)).toEqual([3, 'done']);
  });

  test('one socket watches only so many jobs', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const ids = await Promise.all(
      Array.from({ length: 201 }, () => app.ctx.enqueue(never, {}, { user_id: ann.id, runAt: new Date('2099-01-01') })),
    );
    for (const job of ids) client.send('watch', { job });
    await expect.poll(() => client.frames.length).toBe(201);
    expect(client.frames.at(-1)).toMatchObject({ event: 'error', data: { code: 'too_many' } });
    client.send('unwatch', { job: ids[0] });
    client.send('watch', { job: ids[200] });
    await expect.poll(() => client.frames.at(-1)?.event).toBe('job');
  });
});

describe('ends that no worker writes', () => {
  test('a cancelled job that had not started', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const id = await app.ctx.enqueue(never, {}, { user_id: ann.id, member: memberOf(ann), runAt: new Date('2099-01-01') });
    client.send('watch', { job: id });
    expect(await stateOf(client)).toEqual([1, '']);
    await app.as(ann).get(jobsApi.cancel, { params: { id } });
    expect(await stateOf(client)).toEqual([4, 'Query cancelled by user.']);
  });

  test('design 8: a member who leaves a shared job is notified at once, the others see it end', async () => {
    const [ann, bob] = [await app.make.user(), await app.make.user()];
    const job = await gatedJob(ann, bob);
    await isRunning(job.id);
    const [forAnn, forBob] = [await live(ann), await live(bob)];
    for (const client of [forAnn, forBob]) {
      client.send('watch', { job: job.id });
      await client.next();
    }
    await app.as(ann).get(jobsApi.cancel, { params: { id: job.id } });
    expect(await stateOf(forAnn)).toEqual([4, 'Query cancelled by user.']);
    job.open();
    expect(await stateOf(forBob)).toEqual([3, 'done']);
    await delay(50);
    expect(forAnn.frames).toHaveLength(2);
  });

  test('the last one who leaves stops it', async () => {
    const [ann, bob] = [await app.make.user(), await app.make.user()];
    const job = await gatedJob(ann, bob);
    await isRunning(job.id);
    const client = await live(bob);
    client.send('watch', { job: job.id });
    await client.next();
    for (const person of [ann, bob]) await app.as(person).get(jobsApi.cancel, { params: { id: job.id } });
    await expect.poll(() => client.frames.at(-1)?.data).toMatchObject({ job: { status: 4, error: 'Query cancelled by user.' } });
    await expect
      .poll(async () => (await sql<{ status: number }>`select status from jobs where id = ${job.id}`.execute(app.ctx.db)).rows[0]?.status)
      .toBe(4);
  });

  test('a job whose process died', async () => {
    const ann = await app.make.user();
    const client = await live(ann);
    const id = await app.ctx.enqueue(never, {}, { user_id: ann.id, runAt: new Date('2099-01-01') });
    await sql`update jobs set status = 2, process_id = ${randomUUID()}, started_at = now() where id = ${id}`.execute(app.ctx.db);
    client.send('watch', { job: id });
    expect(await stateOf(client)).toEqual([2, '']);
    await reapDeadProcesses(servicesOf(app).db, [never as JobDefinition], app.ctx.log);
    expect(await stateOf(client)).toEqual([4, expect.stringContaining('stopped before it finished')]);
  });

  test('a job whose record is gone', async () => {
    const ann = await app.make.user();
    const { origin } = await liveServer(app, { recheckMs: 100 });
    const client = await live(ann, origin);
    const id = await app.ctx.enqueue(never, {}, { user_id: ann.id, runAt: new Date('2099-01-01') });
    client.send('watch', { job: id });
    expect(await stateOf(client)).toEqual([1, '']);
    await sql`delete from jobs where id = ${id}`.execute(app.ctx.db);
    expect(await stateOf(client)).toBe('not_found');
  });

  test('a signal that never came is made up for at the next look', async () => {
    const ann = await app.make.user();
    const { origin } = await liveServer(app, { recheckMs: 100 });
    const client = await live(ann, origin);
    const id = await app.ctx.enqueue(never, {}, { user_id: ann.id, runAt: new Date('2099-01-01') });
    client.send('watch', { job: id });
    expect(await stateOf(client)).toEqual([1, '']);
    await sql`update jobs set status = 3, result = '7', finished_at = now() where id = ${id}`.execute(app.ctx.db);
    expect(await stateOf(client)).toEqual([3, 7]);
  });
});
