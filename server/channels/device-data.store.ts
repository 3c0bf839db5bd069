import type { DeviceWidget, LastValue, Series } from '@telltale/domain/channels/data-contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** iot-behaviour 1.8: what the house itself wrote comes last. */
const houseLast = sql`name ~ '^(lora|sys)\\.', name`;

export async function listLastValues(db: Db, devicePk: number): Promise<LastValue[]> {
  const { rows } = await sql<LastValue>`
    select name as attribute, time, value, value_text, kind::text as kind, unit
    from telemetry.metric_last join telemetry.attribute on attribute.id = attribute_id
    where device_pk = ${devicePk} order by ${houseLast}`.execute(db);
  return rows;
}

interface Span {
  /** All unless given. */
  names: readonly string[] | null;
  from: Date;
  until: Date;
  buckets: number;
}

/** Each series is read where it lies: by device, attribute and time. */
export async function listBuckets(db: Db, devicePk: number, { names, from, until, buckets }: Span): Promise<Series[]> {
  const seconds = (until.getTime() - from.getTime()) / 1000 / buckets;
  const { rows } = await sql<Series>`
    select name as attribute, coalesce(found.buckets, '[]') as buckets
    from telemetry.device_attribute series join telemetry.attribute on attribute.id = series.attribute_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('time', to_char(newest at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'avg', mean, 'min', least, 'max', most, 'count', count) order by bucket) as buckets
      from (
        select date_bin(make_interval(secs => ${seconds}), time, ${from.toISOString()}) as bucket, max(time) as newest, avg(value) as mean, min(value) as least,
          max(value) as most, count(*) as count
        from telemetry.metric_point point
        where point.device_pk = ${devicePk} and point.attribute_id = series.attribute_id
          and time >= ${from.toISOString()} and time <= ${until.toISOString()} and value is not null
        group by 1) grouped) found on true
    where series.device_pk = ${devicePk} and series.last_kind::text in ('n', 'b')
      and (${names === null} or name = any(${names ?? []}::text[]))
    order by ${houseLast}`.execute(db);
  return rows;
}

export async function findLayout(db: Db, devicePk: number): Promise<DeviceWidget[] | undefined> {
  const { rows } = await sql<{ widgets: DeviceWidget[] }>`select widgets from device_dashboards where device_pk = ${devicePk}`.execute(db);
  return rows[0]?.widgets;
}

export const upsertLayout = (db: Db, devicePk: number, widgets: DeviceWidget[], userId: number) =>
  sql`
    insert into device_dashboards (device_pk, widgets, updated_by) values (${devicePk}, ${JSON.stringify(widgets)}::jsonb, ${userId})
    on conflict (device_pk) do update set widgets = excluded.widgets, updated_by = excluded.updated_by, updated_at = now()`.execute(db);
