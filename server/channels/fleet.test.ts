import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { fleetApi } from '@telltale/domain/channels/fleet-contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const client = app.as(await app.make.user());
await client.get(channelsApi.create, { body: { channel_id: 'field', channel_name: 'Field' } });
for (const id of ['connected', 'reporting', 'late', 'silent', 'never'])
  await client.get(devicesApi.create, { params: { id: 'field' }, body: { device_id: `dev-${id}`, device_name: id } });
/** These devices usually report every 20 minutes. */
const seen = (id: string, minutesAgo: number, sessions = 0) =>
  sql`
    insert into telemetry.device_state (device_pk, last_seen_at, connected_sessions, online_seconds)
    select id, now() - make_interval(mins => ${minutesAgo}), ${sessions}, 1200 from telemetry.device where device_id = ${`dev-${id}`}`.execute(
    app.ctx.db,
  );
await seen('connected', 600, 1);
await seen('reporting', 15);
await seen('late', 30);
await seen('silent', 61);

const listed = async (query: object = {}) => {
  const devices = await client.get(devicesApi.list, { params: { id: 'field' }, query });
  return Object.fromEntries((Array.isArray(devices) ? devices : devices.results).map(({ name, state }) => [name, state]));
};

test('a device that reports without a session is reporting, then late, then silent', async () => {
  expect(await listed()).toEqual({ connected: 'connected', reporting: 'reporting', late: 'late', silent: 'silent', never: 'silent' });
  expect(await listed({ state: 'late' })).toEqual({ late: 'late' });
  expect(await listed({ state: 'silent', page: 1 })).toEqual({ silent: 'silent', never: 'silent' });
  expect(Object.keys(await listed({ state: 'nonsense' }))).toHaveLength(5);
});

test('the fleet is counted by state, for users with view_channel', async () => {
  expect(await client.get(fleetApi.summary)).toEqual({
    devices: 5,
    connected: 1,
    reporting: 1,
    late: 1,
    silent: 2,
    seen: 4,
    rejected: 0,
    newest: { channel_id: 'field', device_id: 'dev-never' },
  });
  const group = await app.make.group({ permissions: [] });
  const stranger = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
  expect((await stranger.call(fleetApi.summary, {})).status).toBe(403);
  expect((await client.call(fleetApi.summary, { query: { since: 'yesterday' } as never })).status).toBe(400);
});

test('a glance shows the last values, and nothing of devices that are not there', async () => {
  const glance = (device_id: string[]) => client.get(deviceDataApi.glance, { params: { id: 'field' }, query: { device_id } });
  expect(await glance(['dev-late', 'nowhere'])).toEqual([{ device_id: 'dev-late', values: [], spark: null }]);
  expect((await client.call(deviceDataApi.glance, { params: { id: 'field' }, query: {} as never })).status).toBe(400);
});
