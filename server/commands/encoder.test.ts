import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { useEncoder } from './encoder.ts';
import { schedulerCall } from './scheduler-call.ts';

const app = await testApp();
const admin = app.as(app.admin);
const [device] = await makeDevices(app.ctx, 'vents', 1);
const body = { name: 'open', channel_id: 'vents', device_ids: [device?.device_id ?? ''], fport: 1, mode: 'push', payload: '{"level": 7}' };

/** For each encoding: the transactions that were open meanwhile. */
const open: number[] = [];
let meanwhile: () => Promise<unknown> = async () => undefined;
useEncoder(app.ctx, {
  mayEncode: () => true,
  encode: async ({ fport }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and state like 'idle in transaction%'`.execute(
      app.ctx.db,
    );
    open.push(rows[0]?.count ?? -1);
    await meanwhile();
    return { bytes: Uint8Array.of(1), fport };
  },
});
beforeEach(() => {
  open.length = 0;
  meanwhile = async () => undefined;
});

test('an encoder that takes seconds holds no transaction: made, saved, sent, and sent by an external scheduler', async () => {
  const { id } = await admin.get(commandsApi.create, { body });
  await admin.get(commandsApi.save, { params: { id }, body: { name: 'wide open' } });
  await admin.get(commandsApi.send, { params: { id }, body: {} });
  const called = await schedulerCall(servicesOf(app))(id, { type: 'r', time: '2026-01-31T08:30:00Z' });
  expect(called).toMatchObject({ status: 200, body: { execution_id: expect.any(Number) } });
  expect(open).toEqual([0, 0, 0, 0]);
});

test('a save that meets another one while its payload is encoded keeps what it does not send', async () => {
  const { id } = await admin.get(commandsApi.create, { body });
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await admin.get(commandsApi.save, { params: { id }, body: { ttl_seconds: 99 } });
  };
  await admin.get(commandsApi.save, { params: { id }, body: { name: 'shut' } });
  expect(await admin.get(commandsApi.get, { params: { id } })).toMatchObject({ name: 'shut', ttl_seconds: 99 });
});
