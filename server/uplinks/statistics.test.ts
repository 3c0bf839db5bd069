import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';
import { keepStatistics } from './statistics.store.ts';

const app = await testApp();
const { db } = app.ctx;
const planOf = async () =>
  (await sql<{ 'QUERY PLAN': string }>`explain select count(*) from app.metric`.execute(db)).rows
    .map((row) => row['QUERY PLAN'])
    .join('\n');

test('issue 19: after a burst of devices a count reads the points once instead of looking up each device and attribute', async () => {
  const devices = await makeDevices(app.ctx, 'burst', 500);
  const [{ channel_pk } = { channel_pk: 0 }] = devices;
  await sql`
    insert into telemetry.attribute (channel_pk, name, first_seen, last_seen) select ${channel_pk}, 'a' || n, now(), now() from generate_series(1, 8) n`.execute(
    db,
  );
  await sql`create table telemetry.metric_point_burst partition of telemetry.metric_point for values from ('2020-01-01') to ('2020-01-08')`.execute(
    db,
  );
  await sql`
    insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind, uplink_id)
    select timestamptz '2020-01-02' + make_interval(secs => n), device.id, attribute.id, n, 'n', 'x'
    from telemetry.device, telemetry.attribute, generate_series(1, 10) n where attribute.channel_pk = ${channel_pk} and device.channel_pk = ${channel_pk}`.execute(
    db,
  );
  const known = async () =>
    (
      await sql<{ name: string; rows: number }>`
        select relname as name, reltuples::int as rows from pg_class where relname in ('channel', 'device', 'attribute', 'metric_point_burst')
          and relnamespace = 'telemetry'::regnamespace order by relname`.execute(db)
    ).rows.map(({ name, rows }) => `${name} ${rows}`);
  // The database counts changes a moment after they were made.
  const kept = async () => {
    await keepStatistics(db);
    return known();
  };
  await expect.poll(kept).toEqual(['attribute 8', 'channel 1', 'device 500', 'metric_point_burst 40000']);
  expect(await planOf()).toMatch(/Seq Scan on metric_point_burst/);
  expect(await planOf()).toMatch(/Hash Join/);
  expect(await keepStatistics(db)).toEqual([]);
});
