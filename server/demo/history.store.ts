import { dayMicros, dayOf } from '@telltale/domain/uplinks/retention.ts';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../platform/database-types.ts';
import type { Logger } from '../platform/log.ts';
import { Partitions } from '../uplinks/storage/partitions.ts';
import type { Site } from './sites.ts';

const usualDays = 30;
/** The last days are as dense as live data looks on a chart; older ones are half as dense. */
const denseDays = 3;
const everyMinutes = 15;

/**
 * Thirty days of readings with their rollups, made by the database itself: a quarter of a million points in seconds. A site that has its
 * history is left alone, so that a start after a kill writes only what is missing. Minutes that are not over yet are counted by the worker.
 */
export async function writeHistory(db: Kysely<DB>, log: Logger, sites: readonly Site[], days = usualDays): Promise<number> {
  const partitions = new Partitions(db, log);
  const today = dayOf(Date.now() * 1000);
  const wanted = Array.from({ length: days + 2 }, (_, at) => today - days + at);
  for (const table of ['metric_point', 'metric_minute', 'metric_hour'] as const) await partitions.ensure(table, wanted);
  const counts = await Promise.all(sites.map((site) => writeSite(db, site, days)));
  const points = counts.reduce((sum, count) => sum + count, 0);
  if (points > 0) await sql`analyze telemetry.metric_point, telemetry.metric_minute, telemetry.metric_hour`.execute(db);
  log.info({ points, days, since: new Date(((today - days) * dayMicros) / 1000).toISOString() }, 'the history of the demo is written');
  return points;
}

async function writeSite(db: Kysely<DB>, { channel_id, attributes, devices, weather }: Site, days: number): Promise<number> {
  const spec = JSON.stringify(attributes.map((one, at) => ({ least: null, ...one, place: at })));
  const facts = JSON.stringify(devices.map(({ device_id, offset, phase, position }) => ({ device_id, offset, phase, ...position })));
  return db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx);
    const { rows } = await sql<{ pk: number; has_history: boolean }>`
      select channel.id as pk, exists (
        select from telemetry.device_attribute join telemetry.device on device.id = device_pk
        where channel_pk = channel.id and first_seen < now() - make_interval(days => ${days - 1})) as has_history
      from telemetry.channel where channel_id = ${channel_id} and deleted_at is null for update`.execute(tx);
    const channel = rows[0];
    if (!channel || channel.has_history) return 0;
    await sql`
      insert into telemetry.attribute (channel_pk, name, unit, kind_seen, first_seen, last_seen)
      select ${channel.pk}, spec.name, spec.unit, 'n', now() - make_interval(days => ${days}), now()
      from jsonb_to_recordset(${spec}::jsonb) as spec(name text, unit text)
      on conflict (channel_pk, name) do update set unit = excluded.unit, first_seen = excluded.first_seen`.execute(tx);
    await sql`create temporary table demo_reading on commit drop as
      select device.id as device_pk, attribute.id as attribute_id, moment as time,
        round(greatest(coalesce(spec.least, '-Infinity'::float8), spec.mean + (case when spec.place = 0 then facts.offset else 0 end)
          + spec.day * (sin(turn + facts.phase) + ${weather}::float8 * sin(turn / 4.7))
          + spec.noise * (0.5 * sin(extract(epoch from moment) / 613 + facts.phase * 9) + random() - 0.5))::numeric, spec.digits)::float8 as value
      from telemetry.device
      join jsonb_to_recordset(${facts}::jsonb) as facts(device_id text, "offset" float8, phase float8) using (device_id)
      join telemetry.attribute on attribute.channel_pk = ${channel.pk}
      join jsonb_to_recordset(${spec}::jsonb) as spec(name text, mean float8, day float8, noise float8, least float8, digits int, place int)
        on spec.name = attribute.name
      cross join generate_series(date_trunc('hour', now()) - make_interval(days => ${days}), now() - interval '1 minute',
        make_interval(mins => ${everyMinutes})) moment
      cross join lateral (select extract(epoch from moment)::float8 / 86400 * 2 * pi() as turn) as turning
      where device.channel_pk = ${channel.pk} and device.deleted_at is null
        and (moment > now() - make_interval(days => ${denseDays}) or extract(minute from moment)::int % ${2 * everyMinutes} = 0)`.execute(
      tx,
    );
    const { numAffectedRows } = await sql`
      insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
      select time, device_pk, attribute_id, value, 'n' from demo_reading on conflict do nothing`.execute(tx);
    await sql`
      insert into telemetry.metric_minute (device_pk, attribute_id, bucket, count, sum, min, max, last, last_time)
      select device_pk, attribute_id, date_bin('1 minute', time, '2000-01-01 00:00+00'), 1, value, value, value, value, time
      from demo_reading on conflict do nothing`.execute(tx);
    await sql`
      insert into telemetry.metric_hour (device_pk, attribute_id, bucket, count, sum, min, max, last, last_time)
      select device_pk, attribute_id, date_bin('1 hour', time, '2000-01-01 00:00+00'), count(*), sum(value), min(value), max(value),
        (array_agg(value order by time desc))[1], max(time)
      from demo_reading group by 1, 2, 3 on conflict do nothing`.execute(tx);
    await sql`
      insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
      select device_pk, attribute_id, now() - make_interval(days => ${days}), now(), 'n' from demo_reading group by 1, 2
      on conflict (device_pk, attribute_id) do update set first_seen = excluded.first_seen`.execute(tx);
    await sql`
      insert into telemetry.metric_last (device_pk, attribute_id, time, value, kind)
      select distinct on (device_pk, attribute_id) device_pk, attribute_id, time, value, 'n' from demo_reading
      where time > now() - interval '1 hour' order by device_pk, attribute_id, time desc
      on conflict do nothing`.execute(tx);
    await sql`
      insert into telemetry.device_state (device_pk, last_seen_at, latitude, longitude)
      select device.id, now() - interval '5 minutes', facts.latitude, facts.longitude
      from telemetry.device join jsonb_to_recordset(${facts}::jsonb) as facts(device_id text, latitude float8, longitude float8) using (device_id)
      where channel_pk = ${channel.pk} and deleted_at is null
      on conflict (device_pk) do update set latitude = excluded.latitude, longitude = excluded.longitude`.execute(tx);
    // As old as its history, so that pages offer all of it.
    await sql`update telemetry.device set created_at = now() - make_interval(days => ${days}) where channel_pk = ${channel.pk}`.execute(tx);
    await sql`drop table demo_reading`.execute(tx);
    return Number(numAffectedRows ?? 0);
  });
}
