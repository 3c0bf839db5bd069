import { channelsApi, retentionMessage } from '@telltale/domain/channels/contract.ts';
import { dayOf, retentionCutoff } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteQueuedObjects } from '../results/object-upkeep.ts';
import { makeDevices } from '../testing/fleet.ts';
import { objectStorePeer } from '../testing/object-store-peer.ts';
import { testApp } from '../testing/test-app.ts';
import { testUplinks } from '../testing/uplinks.ts';
import { deleteOldRejections } from './rejections.store.ts';
import { findLongestRetention } from './retention-sweep.store.ts';
import { sweepRetention } from './retention-sweep.ts';
import { rollUp } from './rollups.ts';
import { measureStorage } from './storage-use.store.ts';
import { telemetryUpkeep } from './telemetry-upkeep.ts';

const store = await objectStorePeer();
const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0', RESULTS_URL: store.url } });
const { services, uplinks, directory, send } = await testUplinks(app, { devices: 1 });
const { partitions } = uplinks;
const { db } = app.ctx;
const admin = app.as(app.admin);
const dayMs = 86_400_000;
const today = dayOf(Date.now() * 1000);

let channels = 0;
/** A channel with some devices that reported twice on each of some days, as messages, readings and rollups. */
async function aChannel(daysAgo: readonly number[], devices = 2) {
  const made = await makeDevices(app.ctx, `site-${++channels}`, devices);
  await partitions.ensure(
    'uplink',
    daysAgo.filter((days) => days < 30).map((days) => today - days),
  );
  for (const { channel_id, device_id } of made) {
    const device = await directory.findDevice(channel_id, device_id);
    if (!device) throw new Error('The device is missing.');
    for (const days of daysAgo) {
      const noon = (today - days + 0.5) * dayMs;
      await send(device, JSON.stringify([0, 90_000].map((ms) => ({ ts: noon + ms, values: { t: days, note: 'x' } }))));
      await uplinks.drain();
      const isNew = sql`device_pk = ${device.pk} and received_at > now() - interval '1 minute'`;
      // The database keeps messages for 30 days.
      if (days >= 30) await sql`delete from telemetry.uplink where ${isNew}`.execute(db);
      else await sql`update telemetry.uplink set received_at = ${new Date(noon)} where ${isNew}`.execute(db);
    }
  }
  await rollUp(app.ctx);
  const [first] = made;
  if (!first) throw new Error('There are no devices.');
  return { id: first.channel_id, pk: first.channel_pk, device: first };
}
type Made = Awaited<ReturnType<typeof aChannel>>;

const setRetention = ({ id }: Made, retention_days: number | null) =>
  admin.get(channelsApi.save, { params: { id }, body: { retention_days } });
const times = { uplink: 'received_at', metric_point: 'time', metric_minute: 'bucket', metric_hour: 'bucket' } as const;
/** The days before today of which a channel has rows, by table. */
async function keptDays({ pk }: Made) {
  const kept: Record<string, number[]> = {};
  for (const [table, column] of Object.entries(times)) {
    const { rows } = await sql<{ days: number }>`
      select distinct (${today} - floor(extract(epoch from ${sql.ref(column)}) / 86400))::int as days
      from ${sql.table(`telemetry.${table}`)} kept join telemetry.device on device.id = kept.device_pk where channel_pk = ${pk} order by 1`.execute(
      db,
    );
    kept[table] = rows.map(({ days }) => days);
  }
  return kept;
}
const rowCount = async ({ pk }: Made, table = 'metric_point') =>
  (
    await sql`select from ${sql.table(`telemetry.${table}`)} kept join telemetry.device on device.id = kept.device_pk where channel_pk = ${pk}`.execute(
      db,
    )
  ).rows.length;
const everywhere = (days: readonly number[]) => ({
  uplink: days.filter((one) => one < 30),
  metric_point: days,
  metric_minute: days,
  metric_hour: days,
});
const sweep = (pace?: Parameters<typeof sweepRetention>[2]) => sweepRetention(services, partitions, { budgetMs: 60_000, rest: 0, ...pace });
const isDone = async ({ pk }: Made) =>
  (await sql`select from telemetry.retention_sweep where channel_pk = ${pk} and done_at is not null`.execute(db)).rows.length === 1;

const reported = [1, 3, 5, 12, 40, 100] as const;
let other: Made;
beforeAll(async () => {
  other = await aChannel(reported);
});
afterEach(async () => {
  expect(await keptDays(other)).toEqual(everywhere(reported));
});

describe('iot-behaviour 1.8: the setting', () => {
  test('it is null at first, saved, read back, and taken back; the event names the days', async () => {
    const channel = await aChannel([], 1);
    const read = async () => (await admin.get(channelsApi.get, { params: { id: channel.id } })).settings.retention_days;
    expect(await read()).toBeNull();
    expect((await setRetention(channel, 30)).settings.retention_days).toBe(30);
    await admin.get(channelsApi.save, { params: { id: channel.id }, body: { channel_name: 'Renamed' } });
    expect(await read()).toBe(30);
    await setRetention(channel, null);
    expect(await read()).toBeNull();
    const { rows } = await sql<{ days: unknown; has: boolean }>`
      select properties->'retention_days' as days, properties ? 'retention_days' as has from events
      where object_type = 'channel' and object_id = ${channel.id} order by id`.execute(db);
    expect(rows).toEqual([
      { days: 30, has: true },
      { days: null, has: false },
      { days: null, has: true },
    ]);
  });

  test('a channel can be made with it', async () => {
    const made = await admin.get(channelsApi.create, { body: { channel_id: 'short-lived', settings: { retention_days: 7 } } as never });
    expect(made.settings.retention_days).toBe(7);
    await admin.get(channelsApi.remove, { params: { id: 'short-lived' } });
  });

  test.each([0, -1, 401, 3650, 1.5, '30', true])('%j is refused, and the message says why', async (retention_days) => {
    const refused = { status: 400, message: expect.stringContaining(retentionMessage) };
    const params = { id: other.id };
    expect(await admin.call(channelsApi.save, { params, body: { retention_days } as never })).toMatchObject(refused);
    expect(await admin.call(channelsApi.save, { params, body: { settings: { retention_days } } as never })).toMatchObject(refused);
    const body = { channel_id: 'never-made', settings: { retention_days } };
    expect(await admin.call(channelsApi.create, { body: body as never })).toMatchObject(refused);
  });

  test('who may only look at channels sees it and does not change it', async () => {
    const group = await app.make.group({ permissions: ['view_channel'] });
    const viewer = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
    const params = { id: other.id };
    expect((await viewer.call(channelsApi.save, { params, body: { retention_days: 1 } })).status).toBe(403);
    expect((await viewer.get(channelsApi.get, { params })).settings.retention_days).toBeNull();
  });

  test('the channel says what it takes on disk', async () => {
    const params = { id: other.id };
    expect(await admin.get(channelsApi.get, { params })).toMatchObject({ storage_bytes: null, storage_measured_at: null });
    await measureStorage(db);
    const { storage_bytes, storage_measured_at } = await admin.get(channelsApi.get, { params });
    expect(storage_bytes).toBeGreaterThan(10_000);
    expect(Date.now() - Date.parse(storage_measured_at ?? '')).toBeLessThan(60_000);
  });
});

describe('iot-behaviour 1.8: the sweep', () => {
  test('messages, readings and rollups before the cutoff are deleted, those of the last days stay', async () => {
    const channel = await aChannel(reported);
    expect(await keptDays(channel)).toEqual(everywhere(reported));
    await setRetention(channel, 4);
    await sweep();
    expect(await keptDays(channel)).toEqual(everywhere([1, 3]));
    expect(await isDone(channel)).toBe(true);
    // Messages are kept for 30 days at most, whatever the setting says.
    const second = await aChannel(reported);
    await setRetention(second, 40);
    await sweep();
    expect(await keptDays(second)).toEqual(everywhere([1, 3, 5, 12, 40]));
  });

  test('the default deletes nothing', async () => {
    const channel = await aChannel(reported);
    await setRetention(channel, null);
    await sweep();
    expect(await keptDays(channel)).toEqual(everywhere(reported));
    expect(await isDone(channel)).toBe(false);
  });

  test('a run without time deletes one batch, and the next one goes on', async () => {
    const channel = await aChannel([1, 50, 51], 5);
    await setRetention(channel, 10);
    const pace = { budgetMs: 0, rowsAtOnce: 3, devicesAtOnce: 2 };
    const counts = [await rowCount(channel)];
    let runs = 0;
    for (; !(await isDone(channel)); runs++) {
      expect(runs).toBeLessThan(200);
      await sweep(pace);
      const left = await rowCount(channel);
      expect((counts.at(-1) ?? 0) - left).toBeLessThanOrEqual(3);
      counts.push(left);
    }
    // 40 readings in batches of three; the partitions of other tables take their turns, too.
    expect(runs).toBeGreaterThan(40 / 3);
    expect(await keptDays(channel)).toEqual(everywhere([1]));
    expect(await rowCount(channel)).toBe(5 * 2 * 2);
  });

  test('a large channel does not keep a small one waiting', async () => {
    const [large, small] = [await aChannel([1, 50], 4), await aChannel([1, 50], 1)];
    await setRetention(large, 10);
    await setRetention(small, 10);
    const before = await rowCount(small);
    for (let run = 0; run < 40 && (await rowCount(small)) === before; run++) await sweep({ budgetMs: 0, rowsAtOnce: 1, devicesAtOnce: 1 });
    expect(await rowCount(small)).toBeLessThan(before);
    expect(await isDone(large)).toBe(false);
    await sweep();
    expect([await isDone(large), await isDone(small)]).toEqual([true, true]);
  });

  test('a channel that is done with is looked at again the next day, or with another setting', async () => {
    const channel = await aChannel([1, 12, 40]);
    await setRetention(channel, 20);
    await sweep();
    const late = await aChannelDevice(channel);
    const noon = (today - 60.5) * dayMs;
    await send(late, JSON.stringify({ ts: noon, values: { t: 1 } }));
    await rollUp(app.ctx);
    await sweep();
    expect((await keptDays(channel)).metric_point).toEqual([1, 12, 61]);
    await sweepRetention(services, partitions, { budgetMs: 60_000, rest: 0 }, new Date(Date.now() + dayMs));
    expect((await keptDays(channel)).metric_hour).toEqual([1, 12]);
    await setRetention(channel, 5);
    await sweep();
    expect((await keptDays(channel)).metric_point).toEqual([1]);
  });

  test('last values and attributes stay, and nothing that is due brings rollups back', async () => {
    const channel = await aChannel([40], 1);
    await setRetention(channel, 10);
    await sweep();
    const { rows } = await sql`
      select name, value from telemetry.metric_last join telemetry.attribute on attribute.id = attribute_id
      join telemetry.device_attribute using (device_pk, attribute_id) where device_pk = ${channel.device.pk} order by name`.execute(db);
    expect(rows).toEqual([
      { name: 'note', value: null },
      { name: 't', value: 40 },
    ]);
    await sql`
      insert into telemetry.rollup_due (device_pk, from_time, to_time)
      values (${channel.device.pk}, now() - interval '45 days', now() - interval '38 days')`.execute(db);
    await rollUp(app.ctx);
    expect(await sql`select from telemetry.rollup_due`.execute(db)).toMatchObject({ rows: [] });
    expect(await keptDays(channel)).toEqual(everywhere([]));
  });

  test('a day is deleted as a whole: no rollup is left without some of its readings', async () => {
    const channel = await aChannel([], 1);
    const device = await aChannelDevice(channel);
    const cutoff = retentionCutoff(9, new Date()).getTime();
    await send(device, JSON.stringify([-1, 0].map((ms) => ({ ts: cutoff + ms, values: { t: ms } }))));
    await rollUp(app.ctx);
    await setRetention(channel, 9);
    await sweep();
    for (const table of ['metric_point', 'metric_minute', 'metric_hour'])
      expect([table, await rowCount(channel, table)]).toEqual([table, 1]);
  });

  test('deleted devices, and those of a deleted channel, are swept as well', async () => {
    const channel = await aChannel([1, 40], 2);
    await setRetention(channel, 10);
    await sql`update telemetry.device set deleted_at = now() where id = ${channel.device.pk}`.execute(db);
    await admin.get(channelsApi.remove, { params: { id: channel.id } });
    await sweep();
    expect((await keptDays(channel)).metric_point).toEqual([1]);
  });

  test('rejected messages of the channel go with it, others after a week', async () => {
    const channel = await aChannel([], 1);
    await setRetention(channel, 2);
    for (const { pk } of [channel, other])
      await sql`
        insert into telemetry.uplink_rejected (uplink_id, channel_pk, device_id, time, topic, code, message, payload, bytes)
        select ${`rejected-${pk}-`} || days, ${pk}, 'x', now() - make_interval(days => days, hours => 1), 'up', 'bad_json', 'x', '', 0
        from unnest(array[1, 3, 8]) as days`.execute(db);
    await deleteOldRejections(db);
    const { rows } = await sql<{ uplink_id: string }>`select uplink_id from telemetry.uplink_rejected order by 1`.execute(db);
    expect(rows.map(({ uplink_id }) => uplink_id).sort()).toEqual(
      [`rejected-${channel.pk}-1`, `rejected-${other.pk}-1`, `rejected-${other.pk}-3`].sort(),
    );
  });

  test('archived messages of days before the cutoff are deleted from the object store', async () => {
    const channel = await aChannel([], 1);
    const { rows } = await sql<{ id: string }>`select installation as id from object_store`.execute(db);
    const folder = (pk: number, part: string) => `${rows[0]?.id}/uplinks/${pk}/${part}`;
    const nameOf = (daysAgo: number) => new Date((today - daysAgo) * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
    const old = [nameOf(101), '20240101m', `${nameOf(107)}w`];
    const kept = [nameOf(100), nameOf(40), `${nameOf(106)}w`, 'something'];
    for (const part of [...old, ...kept]) await services.objects?.put(`${folder(channel.pk, part)}/1-000000.ndjson.gz`, Buffer.from('x'));
    await services.objects?.put(`${folder(other.pk, nameOf(101))}/1-000000.ndjson.gz`, Buffer.from('x'));
    await setRetention(channel, 100);
    await sweep();
    await deleteQueuedObjects(app.ctx);
    const isStored = (pk: number, part: string) => [...store.objects.keys()].some((key) => key.includes(`${folder(pk, part)}/`));
    expect(old.filter((part) => isStored(channel.pk, part))).toEqual([]);
    expect(kept.filter((part) => isStored(channel.pk, part))).toEqual(kept);
    expect(isStored(other.pk, nameOf(101))).toBe(true);
  });

  test('it is a periodic duty', async () => {
    const channel = await aChannel([1, 40], 1);
    await setRetention(channel, 10);
    const duty = telemetryUpkeep(services, uplinks).find(({ name }) => name === 'telemetry.retention');
    for (let run = 0; run < 20 && !(await isDone(channel)); run++) await duty?.run();
    expect((await keptDays(channel)).metric_point).toEqual([1]);
  });

  const aChannelDevice = async ({ device }: Made) => {
    const found = await directory.findDevice(device.channel_id, device.device_id);
    if (!found) throw new Error('The device is missing.');
    return found;
  };
});

test('iot-behaviour 1.8: partitions that no channel needs are dropped, which is better than deleting rows', async () => {
  expect(await findLongestRetention(db)).toBeNull();
  const { rows } = await sql<{ channel_pk: number; days: number | null }>`
    with before as (select channel_pk, retention_days from channel_settings)
    update channel_settings settings set retention_days = 300 from before where before.channel_pk = settings.channel_pk
    returning settings.channel_pk, before.retention_days as days`.execute(db);
  expect(await findLongestRetention(db)).toBe(300);
  await partitions.ensure('metric_point', [today - 350, today - 200]);
  await partitions.ensure('metric_hour', [today - 500]);
  await partitions.dropExpired(today, { longestDays: await findLongestRetention(db) });
  const starts = async (table: 'metric_point' | 'metric_hour', daysAgo: number) =>
    (await partitions.listBefore(table, today - daysAgo)).length;
  expect([await starts('metric_point', 340), await starts('metric_point', 199), await starts('metric_hour', 480)]).toEqual([0, 1, 0]);
  for (const { channel_pk, days } of rows)
    await sql`update channel_settings set retention_days = ${days} where channel_pk = ${channel_pk}`.execute(db);
});
