import { setTimeout as delay } from 'node:timers/promises';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { type LiveClient, openedLive } from '../testing/live-client.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
await makeDevices(app.ctx, 'weather', 1);
await makeDevices(app.ctx, 'vault', 1, () => 'hidden');
const admin = app.as(app.admin);
const group = await app.make.group({ permissions: ['list_dashboards', 'view_channel'] });
await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: false } });
await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: 'weather' } });
const narrow = await app.make.user({ groups: [], group_ids: [group.id] });
const ann = await app.make.user();

const follow = async ({ api_key }: { api_key: string }) => {
  const client = await openedLive(app.origin, { query: `?api_key=${api_key}` });
  client.send('follow_readings', {});
  // Answered in order: when this has come the one before has been heard.
  await client.ask('watch', { job: '00000000-0000-4000-8000-000000000000' });
  return client;
};
const told = (client: LiveClient) => client.frames.filter(({ event }) => event === 'readings').length;
const report = async (channel: string) => {
  await sql`select pg_notify('telltale_uplinks', device.id::text) from telemetry.device join telemetry.channel on channel.id = channel_pk
    where channel_id = ${channel}`.execute(app.ctx.db);
};

test('issue 20: followers of readings are notified at most once a second, and only of channels they may see', async () => {
  const [everything, some] = [await follow(ann), await follow(narrow)];
  const known = await admin.get(channelsApi.list);
  expect(Array.isArray(known) && known.length).toBe(2);
  // The process listens from the first follower on: when both have heard of one report, it does.
  const heard = () => Math.min(told(everything), told(some)) > 0;
  await expect.poll(() => report('weather').then(heard), { interval: 1100 }).toBe(true);
  // A message that the limit of one a second holds back has come by then.
  await delay(1500);
  const before = { everything: told(everything), some: told(some) };
  const begun = performance.now();
  for (let n = 0; n < 20; n++) await report('vault');
  await expect.poll(() => told(everything)).toBeGreaterThan(before.everything);
  await report('weather');
  await expect.poll(() => told(some)).toBe(before.some + 1);
  const seconds = (performance.now() - begun) / 1000;
  expect(told(everything) - before.everything).toBeLessThanOrEqual(seconds + 1);
  everything.send('unfollow_readings', {});
  await everything.ask('watch', { job: '00000000-0000-4000-8000-000000000000' });
  const last = told(everything);
  await report('weather');
  await expect.poll(() => told(some)).toBe(before.some + 2);
  expect(told(everything)).toBe(last);
});
