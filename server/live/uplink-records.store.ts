import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { ulidMs } from '../uplinks/uplink-ids.ts';

export interface WatchedDevice {
  pk: number;
  device_id: string;
}

/** What to look for: records of a device that are newer than a moment, or than another record. */
export interface Wanted {
  pk: number;
  since: Date;
  after: string;
  limit: number;
}

interface RecordRow extends Omit<UplinkRecord, 'raw' | 'raw_truncated' | 'values'> {
  pk: number;
  raw: Buffer;
  first: string;
  last: string;
}

export async function findDevices(db: Db, channelId: string, deviceIds: string[]): Promise<WatchedDevice[]> {
  const { rows } = await sql<WatchedDevice>`
    select device.id as pk, device_id from telemetry.device join telemetry.channel on channel.id = channel_pk
    where channel_id = ${channelId} and device_id = any(${deviceIds}::text[]) and device.deleted_at is null and channel.deleted_at is null`.execute(
    db,
  );
  return rows;
}

export async function readOnline(db: Db, pks: number[]): Promise<Map<number, boolean>> {
  const { rows } = await sql<{ device_pk: number; online: boolean }>`
    select device_pk, online from telemetry.device_state where device_pk = any(${pks}::int[])`.execute(db);
  return new Map(rows.map(({ device_pk, online }) => [device_pk, online]));
}

const micros = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Stored and rejected ones, oldest first; each device's newest ones if there are more than wanted. */
export async function readRecords(db: Db, wanted: Wanted[]): Promise<Map<number, UplinkRecord[]>> {
  const asked = sql`unnest(${wanted.map(({ pk }) => pk)}::int[], ${wanted.map(({ since }) => since.toISOString())}::timestamptz[],
    ${wanted.map(({ after }) => after)}::text[], ${wanted.map(({ limit }) => limit)}::int[]) as w(pk, since, after, most)`;
  const { rows } = await sql<RecordRow>`
    select w.pk, u.uplink_id, channel_id, device_id, device_name, u.source, u.status, ${micros('u.received_at')} as received_at,
      ${micros('u.time')} as time, u.points, u.encoding, length(u.raw) as bytes, substring(u.raw for ${liveLimits.rawBytes}) as raw, u.fport, u.fcnt,
      null::boolean as confirmed, dev_eui, u.meta -> 'lora' as lora, coalesce(u.warnings, '{}') as warnings, coalesce(u.errors, '{}') as errors,
      coalesce(u.first_time, u.time)::text as first, u.time::text as last
    from ${asked} join telemetry.device on device.id = w.pk join telemetry.channel on channel.id = channel_pk
    cross join lateral (
      select * from telemetry.uplink where device_pk = w.pk and received_at > w.since and uplink_id > w.after order by received_at desc limit w.most) u
    union all
    select w.pk, r.uplink_id, channel_id, device.device_id, device_name, case when r.topic like '/api/%' then 'http' else 'mqtt' end, 'rejected',
      ${micros('r.time')}, ${micros('r.time')}, 0, null, r.bytes, r.payload, null, null, null, dev_eui, null, '{}', array[r.code || ': ' || r.message],
      null, null
    from ${asked} join telemetry.device on device.id = w.pk join telemetry.channel on channel.id = channel_pk
    cross join lateral (
      select * from telemetry.uplink_rejected where device_pk = w.pk and time > w.since and uplink_id > w.after order by time desc limit w.most) r
    order by uplink_id`.execute(db);
  const values = await readValues(
    db,
    rows.filter(({ points }) => points > 0),
  );
  const found = new Map<number, UplinkRecord[]>();
  for (const { pk, raw, first: _first, last: _last, ...row } of rows) {
    const record = { ...row, raw: raw.toString('base64'), raw_truncated: row.bytes > raw.length, values: values.get(row.uplink_id) ?? {} };
    found.set(pk, [...(found.get(pk) ?? []), record]);
  }
  for (const { pk, limit } of wanted) found.set(pk, (found.get(pk) ?? []).slice(-limit));
  return found;
}

const mostCounted = 100_000;
/** Clocks of two processes may differ by this much. */
const skewMs = 60_000;

/** How many records of each device came after this one; so many at most. */
export async function countRecords(db: Db, pks: number[], after: string): Promise<Map<number, number>> {
  if (pks.length === 0) return new Map();
  const since = new Date(Math.max(0, ulidMs(after) - skewMs)).toISOString();
  const { rows } = await sql<{ pk: number; count: number }>`
    select pk, (select count(*) from (select from telemetry.uplink where device_pk = pk and received_at > ${since}::timestamptz and uplink_id > ${after}
        limit ${mostCounted}) stored)
      + (select count(*) from (select from telemetry.uplink_rejected where device_pk = pk and time > ${since}::timestamptz and uplink_id > ${after}
        limit ${mostCounted}) rejected) as count
    from unnest(${pks}::int[]) as wanted(pk)`.execute(db);
  return new Map(rows.map(({ pk, count }) => [pk, count]));
}

/** Points are found by the series of their device, which is how they lie on disk. */
async function readValues(db: Db, rows: RecordRow[]): Promise<Map<string, UplinkRecord['values']>> {
  const found = new Map<string, UplinkRecord['values']>();
  if (rows.length === 0) return found;
  const points = await sql<{ uplink_id: string; name: string; value: number | null; value_text: string | null; kind: string }>`
    select w.uplink_id, name, value, value_text, kind
    from unnest(${rows.map(({ pk }) => pk)}::int[], ${rows.map(({ uplink_id }) => uplink_id)}::text[],
      ${rows.map(({ first }) => first)}::timestamptz[], ${rows.map(({ last }) => last)}::timestamptz[]) as w(pk, uplink_id, first, last)
    join telemetry.device_attribute series on series.device_pk = w.pk join telemetry.attribute on attribute.id = series.attribute_id
    cross join lateral (
      select value, value_text, kind, time from telemetry.metric_point p
      where p.device_pk = w.pk and p.attribute_id = series.attribute_id and p.time between w.first and w.last and p.uplink_id = w.uplink_id
      order by time desc limit 1) p
    order by attribute.id`.execute(db);
  for (const { uplink_id, name, value, value_text, kind } of points.rows) {
    const all = found.get(uplink_id) ?? {};
    // A name may be `__proto__`.
    Object.defineProperty(all, name, {
      value: kind === 'b' ? value === 1 : (value ?? value_text ?? ''),
      enumerable: true,
      configurable: true,
    });
    found.set(uplink_id, all);
  }
  return found;
}
