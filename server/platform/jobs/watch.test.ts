import type { Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../testing/test-app.ts';
import type { DB } from '../database-types.ts';
import { createLogger } from '../log.ts';
import { jobKind } from './define.ts';
import { cancelJob } from './queue.ts';
import { watchJobs } from './watch.ts';

const app = await testApp();
const watch = watchJobs(app.databaseUrl, app.ctx.db as Kysely<DB>, createLogger('silent'));
afterAll(() => watch.stop());
const kind = jobKind({ name: 'test.watched', queue: 'default', payload: z.object({}) });

test('forgetting a job twice does not hide its end from later waiters', async () => {
  const id = await app.ctx.enqueue(kind, {});
  const first = watch.expect(id);
  first.forget();
  let ended: number | undefined;
  const waiting = watch.wait(id, 25_000).then((job) => {
    ended = job?.status;
  });
  first.forget();
  // Waits until the watch has looked once and listens for the signal.
  await watch.wait(id, 200);
  await cancelJob(app.ctx.db, id);
  await expect.poll(() => ended).toBe(4);
  await waiting;
});
