import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../testing/test-app.ts';
import { defineJob, type JobDefinition } from './define.ts';
import { findJob } from './queue.ts';

const app = await testApp();
const { db } = app.ctx;
const ran: string[] = [];
const Note = z.object({ note: z.string() });
const quick = defineJob({ name: 'test.quick', queue: 'default', payload: Note, run: async (_, { note }) => ran.push(note) });
const direct = defineJob({ ...quick, name: 'test.direct', queue: 'queries', isDirect: true });

const slots = { now: 0, most: 0 };
const gate = Promise.withResolvers<void>();
const laned = defineJob({
  ...quick,
  name: 'test.laned',
  lanes: ({ note }) => [note],
  run: async () => {
    slots.most = Math.max(slots.most, ++slots.now);
    await gate.promise;
    slots.now--;
  },
});
const definitions = [quick, direct, laned] as JobDefinition[];
for (let i = 0; i < 2; i++) await app.startWorker(definitions);

const statuses = async (ids: string[]) => {
  const { rows } = await sql<{ status: number }>`select status from jobs where id = any(${ids}::uuid[]) order by status`.execute(db);
  return rows.map(({ status }) => status);
};
const ended = (count: number) => Array(count).fill(3);

test('design 2: two processes run five hundred jobs, each of them once', async () => {
  const notes: string[] = Array.from({ length: 500 }, () => randomUUID());
  const ids = await app.ctx.transaction((tx) => Promise.all(notes.map((note) => tx.enqueue(quick, { note }))));
  await expect.poll(() => statuses(ids)).toEqual(ended(500));
  expect(ran.toSorted()).toEqual(notes.toSorted());
  const { rows } = await sql`select distinct attempts from jobs where id = any(${ids}::uuid[])`.execute(db);
  expect(rows).toEqual([{ attempts: 1 }]);
});

test('jobs of a full lane do not hold up the others of their queue, and run when it has a slot', async () => {
  // More than the slots of both pools, and older than the other job.
  const ids = await Promise.all(Array.from({ length: 12 }, () => app.ctx.enqueue(laned, { note: 'a/1' })));
  await expect.poll(() => slots.now).toBe(2);
  const other = await app.ctx.enqueue(quick, { note: 'other' });
  await expect.poll(() => findJob(db, other)).toMatchObject({ status: 3 });
  expect(await statuses(ids)).toEqual([...Array(10).fill(1), 2, 2]);
  gate.resolve();
  await expect.poll(() => statuses(ids)).toEqual(ended(12));
  // Each process has one slot in this lane.
  expect(slots.most).toBe(2);
});

test.each([quick, direct])('a job whose notification is lost is found all the same: $name', async ({ name, queue }) => {
  const id = randomUUID();
  await sql`insert into jobs (id, name, queue, payload, max_attempts) values (${id}, ${name}, ${queue}, '{"note": "silent"}', 1)`.execute(
    db,
  );
  await expect.poll(() => findJob(db, id)).toMatchObject({ status: 3 });
});
