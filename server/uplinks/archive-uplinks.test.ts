import { gunzipSync } from 'node:zlib';
import { archiveApi } from '@telltale/domain/channels/archive-contract.ts';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { dayOf } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deleteQueuedObjects } from '../results/object-upkeep.ts';
import { objectStorePeer } from '../testing/object-store-peer.ts';
import { testApp } from '../testing/test-app.ts';
import { testUplinks } from '../testing/uplinks.ts';
import { archiveUplinks } from './archive-uplinks.ts';
import { telemetryUpkeep } from './telemetry-upkeep.ts';

const store = await objectStorePeer();
const app = await testApp({ env: { RESULTS_URL: store.url } });
const { services, uplinks, aDevice, send } = await testUplinks(app);
const admin = app.as(app.admin);
const today = dayOf(Date.now() * 1000);
const expiredDay = today - 31;
const partName = new Date(expiredDay * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

/** Messages that came a month and a day ago, which is longer than the database keeps them. */
async function oldMessages(payloads: readonly string[]) {
  const device = await aDevice();
  uplinks.partitions.forget(); // tests before this one let partitions go
  await uplinks.partitions.ensure('uplink', [expiredDay]);
  for (const payload of payloads) await send(device, payload);
  await uplinks.drain();
  const noon = new Date((expiredDay + 0.5) * 86_400_000);
  await sql`update telemetry.uplink set received_at = received_at - (now() - ${noon}::timestamptz) where device_pk = ${device.pk}`.execute(
    app.ctx.db,
  );
  return device;
}
const keep = async () => {
  const duty = telemetryUpkeep(services, uplinks).find(({ name }) => name === 'telemetry.partitions');
  await duty?.run();
};
const isThere = async (partition: string) =>
  (await sql`select from pg_tables where schemaname = 'telemetry' and tablename = ${partition}`.execute(app.ctx.db)).rows.length > 0;
const keysOf = (folder: string) => [...store.objects.keys()].filter((key) => key.includes(folder));
async function downloaded(channel: string, name = partName) {
  const answer = await admin.fetch(`/api/channels/${channel}/archive/${name}`);
  expect(answer.status).toBe(200);
  const lines = gunzipSync(Buffer.from(await answer.arrayBuffer()))
    .toString()
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

beforeEach(() => store.objects.clear());
afterEach(() => {
  store.failWith = () => undefined;
});

describe('issue 21: raw messages beyond the database', () => {
  test('an expired day goes to the object store before it leaves the database, and can be downloaded', async () => {
    const hostile = '{"name":"<b>\\"\\u00e4\\\\ \\n","t":1}';
    const device = await oldMessages(['{"t":20.5}', hostile]);
    await keep();
    expect(await isThere(`uplink_${partName}`)).toBe(false);
    const parts = await admin.get(archiveApi.list, { params: { id: 'weather' } });
    expect(parts).toMatchObject([{ name: partName }]);
    expect(parts[0]?.bytes).toBeGreaterThan(100);
    const messages = await downloaded('weather');
    expect(messages.map(({ raw }) => Buffer.from(String(raw), 'base64').toString())).toEqual(['{"t":20.5}', hostile]);
    expect(messages[0]).toMatchObject({ channel_id: 'weather', device_id: device.device_id, status: 'stored', points: 1, source: 'mqtt' });
  });

  test('a store that is away keeps the day in the database until it is back', async () => {
    await oldMessages(['{"t":1}']);
    store.failWith = (method) => (method === 'PUT' ? 403 : undefined);
    await keep();
    expect(await isThere(`uplink_${partName}`)).toBe(true);
    expect(keysOf('/uplinks/')).toEqual([]);
    store.failWith = () => undefined;
    await keep();
    expect(await isThere(`uplink_${partName}`)).toBe(false);
    expect(await downloaded('weather')).toHaveLength(1);
  });

  test('a call that was interrupted is repeated: every message once, in objects of a bounded size', async () => {
    await oldMessages(Array.from({ length: 1200 }, (_, n) => `{"n":${n}}`));
    const detached = `uplink_${partName}`;
    await sql`alter table telemetry.uplink detach partition ${sql.table(`telemetry.${detached}`)}`.execute(app.ctx.db);
    const { objects } = services;
    if (!objects) throw new Error('There is no object store.');
    store.failWith = (method, key) => (method === 'PUT' && key.endsWith('-000002.ndjson.gz') ? 403 : undefined);
    await expect(archiveUplinks(services, objects, detached, 1000)).rejects.toThrow('403');
    expect(keysOf(`/${partName}/`)).toHaveLength(2);
    store.failWith = () => undefined;
    await keep();
    const numbers = (await downloaded('weather')).map(({ raw }) => JSON.parse(Buffer.from(String(raw), 'base64').toString()).n as number);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 1200 }, (_, n) => n));
  });

  test('who may not see the channel gets nothing, and names are no paths', async () => {
    await oldMessages(['{"t":1}']);
    await keep();
    const group = await app.make.group({ permissions: [] });
    const stranger = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
    for (const path of ['archive', `archive/${partName}`]) {
      expect((await stranger.fetch(`/api/channels/weather/${path}`)).status, path).toBe(403);
      expect((await app.as({ api_key: 'nobody' }).fetch(`/api/channels/weather/${path}`)).status, path).toBe(404);
      expect((await admin.fetch(`/api/channels/nosuch/${path}`)).status, path).toBe(404);
    }
    for (const name of ['%2e%2e%2f', '20260101w', '20260101']) {
      expect((await admin.fetch(`/api/channels/weather/archive/${name}`)).status, name).toBe(404);
    }
  });

  test('an object store that cannot be reached is told as that', async () => {
    store.failWith = () => 403;
    const answer = await admin.fetch('/api/channels/weather/archive');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('cannot be reached') });
  });

  test('messages that come to a day which was archived before are added to it', async () => {
    await oldMessages(['{"t":1}']);
    await keep();
    await oldMessages(['{"t":2}']);
    await keep();
    expect((await downloaded('weather')).map(({ raw }) => Buffer.from(String(raw), 'base64').toString()).sort()).toEqual([
      '{"t":1}',
      '{"t":2}',
    ]);
  });

  test('the archive of a deleted channel is deleted, also what is stored while it is deleted', async () => {
    await oldMessages(['{"t":1}']);
    await keep();
    expect(keysOf('/uplinks/')).toHaveLength(1);
    await oldMessages(['{"t":2}']);
    store.before = async (method) => {
      if (method !== 'PUT') return;
      store.before = async () => {};
      await admin.get(channelsApi.remove, { params: { id: 'weather' } });
      await deleteQueuedObjects(app.ctx);
    };
    await keep();
    expect(keysOf('/uplinks/')).toHaveLength(1);
    await deleteQueuedObjects(app.ctx);
    expect(keysOf('/uplinks/')).toEqual([]);
  });
});
