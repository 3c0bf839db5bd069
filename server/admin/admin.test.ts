import { adminApi } from '@telltale/domain/admin/contract.ts';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DB } from '../platform/database-types.ts';
import { defineJob, JobError } from '../platform/jobs/define.ts';
import { runSingletons } from '../platform/jobs/lease.ts';
import { createLogger } from '../platform/log.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { measureStorage } from '../uplinks/storage-use.store.ts';

const app = await testApp();
const db = app.ctx.db as Kysely<DB>;
const status = () => app.as(app.admin).get(adminApi.status);
const rqStatus = () => app.as(app.admin).get(adminApi.jobs);

describe('periodic tasks on System Status', () => {
  test('a running task is listed with its last and next time, a failing one with its error, a stopped one as late', async () => {
    const log = createLogger('silent');
    const entry = await joinRegistry(db, 'worker', [], log);
    const loop = runSingletons(
      db,
      entry.id,
      [
        { name: 'test.fine', everyMs: 20, run: async () => {} },
        { name: 'test.broken', everyMs: 20, run: () => Promise.reject(new Error('It broke.')) },
      ],
      log,
    );
    await until(status, ({ periodic }) => periodic.length >= 2);
    await loop.stop();
    await entry.stop();
    await sql`
      insert into periodic_tasks (name, every_ms, last_run_at) values ('test.stopped', 5000, now() - interval '10 minutes')`.execute(db);
    const periodic = Object.fromEntries((await status()).periodic.map((task) => [task.name, task]));
    expect(periodic['test.fine']).toMatchObject({ last_error: null, is_late: false });
    expect(Date.parse(periodic['test.fine']?.next_run_at ?? '')).toBeGreaterThan(Date.parse(periodic['test.fine']?.last_run_at ?? ''));
    expect(periodic['test.broken']).toMatchObject({ last_error: 'It broke.' });
    expect(periodic['test.stopped']).toMatchObject({ is_late: true });
  });
});

describe('storage per channel', () => {
  test('the parts of the tables are shared out by whose rows lie in them', async () => {
    await sql`
      insert into telemetry.channel (channel_id, channel_name, kind) values ('large', 'Large', 'mqtt'), ('small', 'Small', 'mqtt'), ('empty', 'Empty', 'mqtt')`.execute(
      db,
    );
    await sql`
      insert into telemetry.device (channel_pk, of_channel, device_id, device_name)
      select id, channel_id, 'one', 'One' from telemetry.channel where channel_id in ('large', 'small')`.execute(db);
    await sql`
      create table telemetry.test_part partition of telemetry.metric_point
      for values from ('2020-01-01') to ('2020-01-08')`.execute(db);
    await sql`
      insert into telemetry.metric_point (device_pk, attribute_id, time, value, kind, uplink_id)
      select device.id, 1, timestamptz '2020-01-01' + n * interval '1 second', n, 'n', 0
      from telemetry.device, generate_series(1, case of_channel when 'large' then 3000 else 1000 end) as n`.execute(db);
    await measureStorage(db);
    const { storage } = await status();
    const bytes = Object.fromEntries(storage.map((each) => [each.channel_id, each.bytes]));
    expect(bytes.empty).toBe(0);
    expect(bytes.small).toBeGreaterThan(1000);
    expect((bytes.large ?? 0) / (bytes.small ?? 1)).toBeCloseTo(3, 1);
  });
});

describe('jobs that failed', () => {
  let isBroken = true;
  const fragile = defineJob({
    name: 'test.fragile',
    queue: 'default',
    payload: z.object({}),
    run: async () => {
      if (isBroken) throw new JobError('The weather is bad.');
      return 'fine';
    },
  });

  test('Q3: a failed job is listed with its reason and queued again by an administrator, under its own id', async () => {
    await app.startWorker([fragile as never]);
    const id = await app.ctx.enqueue(fragile, {}, { user_id: app.admin.id });
    await until(rqStatus, ({ failed }) => failed.some((job) => job.id === id));
    expect((await rqStatus()).failed.find((job) => job.id === id)).toMatchObject({ name: 'test.fragile', error: 'The weather is bad.' });
    const plain = await app.make.user();
    expect((await app.as(plain).call(jobsApi.retry, { params: { id } })).status).toBe(403);
    isBroken = false;
    expect((await app.as(app.admin).call(jobsApi.retry, { params: { id } })).status).toBe(200);
    const { job } = await until(
      () => app.as(app.admin).get(jobsApi.get, { params: { id } }),
      (seen) => seen.job.status === 3,
    );
    expect(job.status).toBe(3);
    expect((await app.as(app.admin).call(jobsApi.retry, { params: { id } })).status).toBe(409);
  });
});

test('A3: the status of the broker and of stored results is there before anything has happened', async () => {
  const found = await status();
  expect(found.broker).toEqual({ running: 0, connections: 0, denied: 0, held_bytes: 0 });
  expect(found.stored_results.bytes).toBe(0);
});
