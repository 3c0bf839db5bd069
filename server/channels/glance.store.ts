import { type DeviceGlance, mostGlanceValues } from '@telltale/domain/channels/data-contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

const hours = 24;

/**
 * Values of the product (`lora.`, `sys.`) are left out. Positions, which the map shows, and housekeeping values such as the battery come
 * last. A sparkline has a point for each hour, from the rollups as far as they go and from the points after that.
 */
export async function listGlances(db: Db, channelPk: number, deviceIds: readonly string[]): Promise<DeviceGlance[]> {
  const { rows } = await sql<DeviceGlance>`
    with asked as (
      select id, device_id from telemetry.device
      where channel_pk = ${channelPk} and deleted_at is null and device_id = any(${[...deviceIds]}::text[])),
    rolled as (select coalesce(max(hours_until), '-infinity') as until from telemetry.rollup_state),
    latest as (
      select asked.id, attribute_id, attribute.name, time, value, value_text, kind::text as kind, coalesce(display->>'unit', unit) as unit,
        row_number() over (partition by asked.id order by (kind::text not in ('n', 'b')),
          attribute.name ~* '^(lat|lon|lng|latitude|longitude|altitude|battery.*|interval|uptime|counter|seq)$', attribute.name) as place
      from asked join telemetry.metric_last on metric_last.device_pk = asked.id join telemetry.attribute on attribute.id = attribute_id
      where attribute.name !~ '^(lora|sys)\\.'),
    drawn as (select id, attribute_id, name from latest where place = 1 and kind in ('n', 'b'))
    select asked.device_id,
      coalesce((
        select jsonb_agg(jsonb_build_object('attribute', name, 'time', to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'value', value, 'value_text', left(value_text, 100), 'kind', kind, 'unit', unit) order by place)
        from latest where latest.id = asked.id and place <= ${mostGlanceValues}), '[]') as values,
      (select jsonb_build_object('attribute', drawn.name, 'points', (
        select jsonb_agg(mean order by hour) from (
          select hour, (
            select sum(readings.sum) / nullif(sum(readings.count), 0) from (
              select sum, count from telemetry.metric_hour rollup, rolled
              where rollup.device_pk = asked.id and rollup.attribute_id = drawn.attribute_id and rollup.bucket = hour and hour < rolled.until
              union all
              select value, 1 from telemetry.metric_point point, rolled
              where point.device_pk = asked.id and point.attribute_id = drawn.attribute_id and hour >= rolled.until
                and point.time >= hour and point.time < hour + interval '1 hour' and value is not null) readings) as mean
          from generate_series(date_trunc('hour', now()) - make_interval(hours => ${hours - 1}), now(), interval '1 hour') hour) hourly))
       from drawn where drawn.id = asked.id) as spark
    from asked`.execute(db);
  return rows;
}
