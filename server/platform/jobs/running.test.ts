import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../testing/test-app.ts';
import { quickest, until } from '../../testing/until.ts';
import { AppError } from '../errors.ts';
import { defineJob, type JobDefinition, JobError, type JobRun } from './define.ts';
import { cancelJob, findJob } from './queue.ts';

const app = await testApp();
const { db } = app.ctx;

/** The action of each job, set by the test that queues it. */
const acts = new Map<string, (ctx: JobRun) => Promise<unknown>>();
let count = 0;
const Named = z.object({ act: z.string() });
const job = (name: string, options: Partial<JobDefinition<z.output<typeof Named>>> = {}) =>
  defineJob({
    name: `test.${name}`,
    queue: 'default',
    payload: Named,
    run: (ctx, { act }) => acts.get(act)?.(ctx) ?? Promise.resolve(),
    ...options,
  });
const plain = job('plain');
const stubborn = job('retried', { retries: 2 });
const short = job('short', { timeLimitMs: 200 });
const picky = defineJob({ name: 'test.picky', queue: 'default', payload: z.object({ n: z.int() }), run: async (_, { n }) => n });
await app.startWorker([plain, stubborn, short, picky] as JobDefinition[]);

async function queue(definition: JobDefinition<z.output<typeof Named>>, act: (ctx: JobRun) => Promise<unknown>): Promise<string> {
  const name = `act ${++count}`;
  acts.set(name, act);
  return app.ctx.enqueue(definition, { act: name });
}

const ended = (id: string) =>
  until(
    () => findJob(db, id),
    (row) => (row?.status ?? 0) >= 3,
  );
const running = (id: string) =>
  until(
    () => findJob(db, id),
    (row) => row?.status === 2,
  );
/** Ends the queue's own pause between two tries at once. */
const hurry = () => sql`update jobs set run_at = now() where run_at > now()`.execute(db);

describe('the ends of a job', () => {
  test('done, with what came out of it', async () => {
    const id = await queue(plain, async () => ({ rows: 3 }));
    expect(await ended(id)).toMatchObject({ status: 3, result: { rows: 3 }, error: null });
  });

  test('nothing came out of it: done all the same', async () => {
    expect(await ended(await queue(plain, async () => undefined))).toMatchObject({ status: 3, result: null });
  });

  test('failed, with the text that may be shown', async () => {
    const told = await queue(plain, async () => {
      throw new JobError('The sensor is upside down.');
    });
    const detailed = await queue(plain, async () => {
      throw new JobError('Not there.', { code: 7 });
    });
    const refused = await queue(plain, async () => {
      throw new AppError(400, 'x', 'Not like this.');
    });
    expect(await ended(told)).toMatchObject({ status: 4, error: 'The sensor is upside down.', result: null });
    expect(await ended(detailed)).toMatchObject({ status: 4, error: { message: 'Not there.', code: 7 } });
    expect(await ended(refused)).toMatchObject({ status: 4, error: 'Not like this.' });
  });

  test('security 27: an unexpected fault is reported without its message', async () => {
    const id = await queue(plain, async () => {
      throw new Error('password authentication failed for user "telltale" at /srv/secret.ts:5');
    });
    const row = await ended(id);
    expect(row?.status).toBe(4);
    expect(JSON.stringify(row?.error)).not.toMatch(/password|secret/);
  });

  test('even a fault or a result that the database cannot hold ends the job', async () => {
    const nul = await queue(plain, async () => {
      throw new JobError('a \u0000 b \ud800 c');
    });
    const result = await queue(plain, async () => ['x\u0000', '\udfff']);
    const circle = await queue(plain, async () => {
      const loop: Record<string, unknown> = {};
      loop.loop = loop;
      return loop;
    });
    const strange = await queue(plain, async () => {
      throw null;
    });
    expect((await ended(nul))?.status).toBe(4);
    expect((await ended(result))?.status).toBe(3);
    expect((await ended(circle))?.status).toBe(4);
    expect((await ended(strange))?.status).toBe(4);
  });

  test('a payload that is not what the job takes fails, and does not run', async () => {
    const id = await app.ctx.enqueue(picky, { n: 'many' } as unknown as { n: number });
    expect(await ended(id)).toMatchObject({ status: 4, result: null });
  });
});

describe('tries', () => {
  test('an error is tried again as often as the job says, then it is final', async () => {
    let tries = 0;
    const id = await queue(stubborn, async () => {
      throw new JobError(`Try ${++tries}.`);
    });
    for (let i = 0; i < 2; i++) {
      await until(
        async () => tries,
        (seen) => seen > i,
      );
      await until(
        () => findJob(db, id),
        (row) => row?.status === 1,
      );
      expect(await findJob(db, id)).toMatchObject({ status: 1, error: `Try ${i + 1}.` });
      await wait(30);
      await hurry();
    }
    expect(await ended(id)).toMatchObject({ status: 4, error: 'Try 3.' });
    await hurry();
    await wait(100);
    expect(tries).toBe(3);
  });

  test('a later success is a success', async () => {
    let tries = 0;
    const id = await queue(stubborn, async () => {
      if (++tries === 1) throw new Error('not yet');
      return 'at last';
    });
    await until(
      () => findJob(db, id),
      (row) => row?.status === 1 && tries === 1,
    );
    await wait(30);
    await hurry();
    expect(await ended(id)).toMatchObject({ status: 3, result: 'at last', error: null });
  });

  test('one that was cancelled while it failed by itself is not tried again', async () => {
    const gate = Promise.withResolvers<void>();
    let tries = 0;
    const id = await queue(stubborn, async () => {
      tries++;
      await gate.promise;
      throw new Error('failed by itself');
    });
    await running(id);
    // The request is stored, its signal is lost on the way.
    await sql`update jobs set cancel_requested = true where id = ${id}`.execute(db);
    gate.resolve();
    expect(await ended(id)).toMatchObject({ status: 4, error: 'Query cancelled by user.' });
    await hurry();
    await wait(200);
    expect(tries).toBe(1);
  });
});

describe('being stopped', () => {
  const untilAborted = (ctx: JobRun) =>
    new Promise<never>((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));

  test('a waiting job is cancelled on the spot and never runs', async () => {
    let ran = false;
    acts.set('late', async () => {
      ran = true;
    });
    const id = await app.ctx.enqueue(plain, { act: 'late' }, { runAt: new Date(Date.now() + 60_000) });
    await cancelJob(db, id);
    expect(await findJob(db, id)).toMatchObject({ status: 4, error: 'Query cancelled by user.' });
    await hurry();
    await wait(300);
    expect(ran).toBe(false);
  });

  test('a running one ends within a second', async () => {
    const took = await quickest(1000, async () => {
      const id = await queue(plain, untilAborted);
      await running(id);
      return async () => {
        await cancelJob(db, id);
        expect(await ended(id)).toMatchObject({ status: 4, error: 'Query cancelled by user.' });
      };
    });
    expect(took).toBeLessThan(1000);
  });

  test('cancelling right after queueing never leaves a job running, in either order', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const id = await queue(plain, untilAborted);
        await cancelJob(db, id);
        return id;
      }),
    );
    const rows = await Promise.all(ids.map((id) => ended(id)));
    expect(rows.map((row) => row?.status)).toEqual(Array(20).fill(4));
  });

  test('cancelling what has ended changes nothing', async () => {
    const id = await queue(plain, async () => 'kept');
    await ended(id);
    await cancelJob(db, id);
    expect(await findJob(db, id)).toMatchObject({ status: 3, result: 'kept', cancel_requested: false });
  });

  test('a forged signal stops nothing: the rows are asked', async () => {
    const gate = Promise.withResolvers<string>();
    const id = await queue(plain, (ctx) => Promise.race([gate.promise, untilAborted(ctx)]));
    await running(id);
    await sql`select pg_notify('telltale_cancel', ${id}), pg_notify('telltale_cancel', 'x'';--'), pg_notify('telltale_cancel', '')`.execute(
      db,
    );
    await wait(150);
    gate.resolve('went on');
    expect(await ended(id)).toMatchObject({ status: 3, result: 'went on' });
  });

  test('forged notices of jobs and queues do not end the work of this process', async () => {
    for (const channel of ['telltale_run', 'telltale_queue'])
      for (const notice of ['', 'x', `test.plain ${randomUUID()} a/0 b`, '__proto__', 'default'])
        await sql`select pg_notify(${channel}, ${notice})`.execute(db);
    expect(await ended(await queue(plain, async () => 'still here'))).toMatchObject({ status: 3, result: 'still here' });
  });

  test('the time limit stops it, and it is not tried again', async () => {
    const id = await queue(short, untilAborted);
    expect(await ended(id)).toMatchObject({ status: 4, error: 'This took longer than the time limit and was stopped.' });
  });

  test('a job that ignores its signal is ended without it, and its late answer counts for nothing', async () => {
    const gate = Promise.withResolvers<string>();
    const id = await queue(short, () => gate.promise);
    expect(await ended(id)).toMatchObject({ status: 4, error: 'This took longer than the time limit and was stopped.' });
    gate.resolve('too late');
    await wait(50);
    expect(await findJob(db, id)).toMatchObject({ status: 4, result: null });
  });
});

describe('queueing', () => {
  test('inside a transaction that is rolled back nothing is left', async () => {
    let id = '';
    const failing = app.ctx.transaction(async (tx) => {
      id = await tx.enqueue(plain, { act: 'never' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await findJob(db, id)).toBeUndefined();
  });

  test('inside a transaction it starts only with the commit', async () => {
    let ran = false;
    acts.set('after', async () => {
      ran = true;
    });
    let id = '';
    await app.ctx.transaction(async (tx) => {
      id = await tx.enqueue(plain, { act: 'after' });
      await wait(150);
      expect(ran).toBe(false);
    });
    expect((await ended(id))?.status).toBe(3);
    expect(ran).toBe(true);
  });

  test('a job reaches all services, also inside its own transaction', async () => {
    const id = await queue(plain, (ctx) =>
      ctx.transaction(async (tx) => {
        await sql`select 1`.execute(tx.db);
        return [tx.job_id === ctx.job_id, tx.signal === ctx.signal, tx.identity.kind];
      }),
    );
    expect(await ended(id)).toMatchObject({ result: [true, true, 'nobody'] });
  });
});
