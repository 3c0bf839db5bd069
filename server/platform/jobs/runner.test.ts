import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../testing/test-app.ts';
import { defineJob, type JobDefinition } from './define.ts';
import { cancelJob, findJob } from './queue.ts';

const app = await testApp();
const { db } = app.ctx;
const statusOf = async (id: string) => (await findJob(db, id))?.status;
const countOthers = async (status: number) =>
  (await sql<{ count: number }>`select count(*) as count from jobs where name = 'test.other' and status = ${status}`.execute(db)).rows[0]
    ?.count;

test('a slot in a lane is passed on by a run that is one too many here', async () => {
  const [others, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const partWaits = Promise.withResolvers<void>();
  const payload = z.object({});
  const direct = { queue: 'queries' as const, payload, isDirect: true };
  const other = defineJob({ ...direct, name: 'test.other', run: () => others.promise });
  const laned = defineJob({ ...direct, name: 'test.laned', lanes: () => ['a/1'], run: () => first.promise });
  const partly = defineJob({
    name: 'test.partly',
    queue: 'default',
    payload,
    run: async ({ inLane, signal }) => {
      const part = inLane('a/1', signal, async () => 'had its turn');
      partWaits.resolve();
      return part;
    },
  });
  await app.startWorker([other, laned, partly] as JobDefinition[]);
  const holder = await app.ctx.enqueue(laned, {});
  await expect.poll(() => statusOf(holder)).toBe(2);
  const behind = await app.ctx.enqueue(laned, {});
  await wait(300); // until the worker has heard of it
  const part = await app.ctx.enqueue(partly, {});
  await partWaits.promise;
  // The job is not announced again: the jobs behind it depend on its turn here.
  await cancelJob(db, behind);
  // With the holder of the lane they are as many as run directly at once.
  await app.ctx.transaction((tx) => Promise.all(Array.from({ length: 499 }, () => tx.enqueue(other, {}))));
  await expect.poll(() => countOthers(2)).toBe(499);
  first.resolve();
  await expect.poll(() => findJob(db, part)).toMatchObject({ status: 3, result: 'had its turn' });
  others.resolve();
  await expect.poll(() => countOthers(3)).toBe(499);
});
