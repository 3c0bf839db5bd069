import type { DeviceWidget, LastValue, Series } from '@telltale/domain/channels/data-contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** iot-behaviour 1.8: Telltale's own attributes sort last. */
const builtInLast = sql`name ~ '^(lora|sys)\\.', name`;

export async function listLastValues(db: Db, devicePk: number): Promise<LastValue[]> {
  const { rows } = await sql<LastValue>`
    select name as attribute, time, value, value_text, kind::text as kind, coalesce(display->>'unit', unit) as unit
    from telemetry.metric_last join telemetry.attribute on attribute.id = attribute_id
    where device_pk = ${devicePk} order by ${builtInLast}`.execute(db);
  return rows;
}

interface Span {
  /** Null for all attributes. */
  names: readonly string[] | null;
  from: Date;
  until: Date;
  buckets: number;
}

const [minuteMs, hourMs] = [60_000, 3_600_000];
const iso = (ms: number) => new Date(ms).toISOString();

/** The times up to which the rollups of a device are complete. */
async function findRolledUp(db: Db, devicePk: number): Promise<{ minutes: number; hours: number }> {
  const { rows } = await sql<Columns<'telemetry.rollup_state', 'minutes_until' | 'hours_until'>>`
    select minutes_until, hours_until from telemetry.rollup_state
    where not exists (select from telemetry.rollup_due where device_pk = ${devicePk})`.execute(db);
  return { minutes: Date.parse(rows[0]?.minutes_until ?? iso(0)), hours: Date.parse(rows[0]?.hours_until ?? iso(0)) };
}

/**
 * iot-behaviour 1.8: reads rollups as far as they are complete and fine enough, then points. Buckets are whole minutes or hours in that
 * case, so that each rollup lies within one bucket.
 */
async function sourcesOf(db: Db, devicePk: number, { from, until, buckets }: Span) {
  const widthMs = (until.getTime() - from.getTime()) / buckets;
  const grain = widthMs >= hourMs ? hourMs : widthMs >= minuteMs ? minuteMs : 1;
  const begin = Math.floor(from.getTime() / grain) * grain;
  const rolledUp = grain === 1 ? { minutes: 0, hours: 0 } : await findRolledUp(db, devicePk);
  const wholeBefore = (ms: number, rolled: number) => Math.max(begin, Math.min(rolled, Math.floor(until.getTime() / ms) * ms));
  const hoursEnd = grain === hourMs ? wholeBefore(hourMs, rolledUp.hours) : begin;
  const minutesEnd = Math.max(hoursEnd, wholeBefore(minuteMs, rolledUp.minutes));
  const seconds = grain === 1 ? widthMs / 1000 : (Math.ceil(widthMs / grain) * grain) / 1000;
  return { begin: iso(begin), hoursEnd: iso(hoursEnd), minutesEnd: iso(minutesEnd), until: until.toISOString(), seconds };
}

/** Reads each series separately, in the order of the index: device, attribute and time. */
export async function listBuckets(db: Db, devicePk: number, span: Span): Promise<Series[]> {
  const { begin, hoursEnd, minutesEnd, until, seconds } = await sourcesOf(db, devicePk, span);
  const rollups = (table: string, from: string, to: string) => sql`
    select bucket as time, last_time as newest, count, sum, min, max from ${sql.table(table)} rollup
    where rollup.device_pk = ${devicePk} and rollup.attribute_id = series.attribute_id and bucket >= ${from} and bucket < ${to}`;
  const { rows } = await sql<Series>`
    select name as attribute, coalesce(found.buckets, '[]') as buckets
    from telemetry.device_attribute series join telemetry.attribute on attribute.id = series.attribute_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('time', to_char(newest at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'avg', mean, 'min', least, 'max', most, 'count', count) order by bucket) as buckets
      from (
        select date_bin(make_interval(secs => ${seconds}), time, ${begin}) as bucket, max(newest) as newest, sum(sum) / sum(count) as mean,
          min(min) as least, max(max) as most, sum(count) as count
        from (
          ${rollups('telemetry.metric_hour', begin, hoursEnd)}
          union all
          ${rollups('telemetry.metric_minute', hoursEnd, minutesEnd)}
          union all
          select time, time, 1, greatest(-1e290, least(1e290, value)), value, value from telemetry.metric_point point
          where point.device_pk = ${devicePk} and point.attribute_id = series.attribute_id
            and time >= ${minutesEnd} and time <= ${until} and value is not null) readings
        group by 1) grouped) found on true
    where series.device_pk = ${devicePk} and series.last_kind::text in ('n', 'b')
      and (${span.names === null} or name = any(${span.names ?? []}::text[]))
    order by ${builtInLast}`.execute(db);
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
