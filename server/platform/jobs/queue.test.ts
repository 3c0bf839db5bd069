import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import { defineJob, type JobDefinition } from './define.ts';
import { cancelJob, findJob, findMembership, leaveJob } from './queue.ts';

const app = await testApp();
const { db } = app.ctx;
const gates = new Map<string, PromiseWithResolvers<void>>();
const shared = defineJob({
  name: 'test.shared',
  queue: 'default',
  payload: z.object({ gate: z.string() }),
  run: (ctx, { gate }) =>
    Promise.race([
      gates.get(gate)?.promise,
      new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('stopped')))),
    ]),
});
await app.startWorker([shared] as JobDefinition[]);

let count = 0;
const newKey = () => {
  const key = `key ${++count}`;
  gates.set(key, Promise.withResolvers());
  return key;
};
const ask = (dedupeKey: string, member: string) => app.ctx.enqueue(shared, { gate: dedupeKey }, { dedupeKey, member });
const leave = (id: string, member: string) => app.ctx.transaction((tx) => leaveJob(tx.db, id, member));
const untilStatus = (id: string, status: number) =>
  until(
    () => findJob(db, id),
    (row) => row?.status === status,
  );

describe('server-behaviour 8.4: one job for all who ask for the same', () => {
  test('of thirty at the same moment all get one job, and it runs once', async () => {
    const key = newKey();
    const ids = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(key, `user ${i}`)));
    expect(new Set(ids).size).toBe(1);
    const [id = ''] = ids;
    expect((await untilStatus(id, 2))?.status).toBe(2);
    expect(await ask(key, 'user late')).toBe(id);
    gates.get(key)?.resolve();
    expect((await untilStatus(id, 3))?.status).toBe(3);
    const { rows } = await sql`select attempts from jobs where id = ${id}`.execute(db);
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  test('what has ended is not joined: the next who asks gets a new one', async () => {
    const key = newKey();
    gates.get(key)?.resolve();
    const first = await ask(key, 'user 1');
    await untilStatus(first, 3);
    expect(await ask(key, 'user 1')).not.toBe(first);
  });

  test('design 8: it goes on until the last of them has left', async () => {
    const key = newKey();
    const id = await ask(key, 'user 1');
    await ask(key, 'user 2');
    await untilStatus(id, 2);
    await leave(id, 'user 1');
    await leave(id, 'user 1');
    await wait(100);
    expect((await findJob(db, id))?.status).toBe(2);
    expect(await findMembership(db, id, 'user 1')).toEqual({ cancelled: true });
    await leave(id, 'user 2');
    expect(await untilStatus(id, 4)).toMatchObject({ status: 4, error: 'Query cancelled by user.' });
  });

  test('a member that left can join again', async () => {
    const key = newKey();
    const id = await ask(key, 'user 1');
    await ask(key, 'user 2');
    await leave(id, 'user 1');
    expect(await ask(key, 'user 1')).toBe(id);
    await leave(id, 'user 2');
    expect((await findJob(db, id))?.cancel_requested).toBe(false);
    gates.get(key)?.resolve();
    expect((await untilStatus(id, 3))?.status).toBe(3);
  });

  test('asking again right after a cancellation gets a new job, while the old one is still ending', async () => {
    const key = newKey();
    const old = await ask(key, 'user 1');
    await untilStatus(old, 2);
    await cancelJob(db, old);
    const next = await ask(key, 'user 1');
    expect(next).not.toBe(old);
    // The gate opens for both jobs, so the old one must have ended before.
    expect((await untilStatus(old, 4))?.status).toBe(4);
    gates.get(key)?.resolve();
    expect((await untilStatus(next, 3))?.status).toBe(3);
  });

  test('joining and leaving at the same moment never leaves somebody with a cancelled job of others', async () => {
    for (let round = 0; round < 10; round++) {
      const key = newKey();
      const id = await ask(key, 'user 1');
      const [, joined] = await Promise.all([leave(id, 'user 1'), ask(key, 'user 2')]);
      gates.get(key)?.resolve();
      expect((await untilStatus(joined, 3))?.status).toBe(3);
    }
  });
});
