import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { ulidMs } from '../uplinks/uplink-ids.ts';

export interface WatchedDevice {
  pk: number;
  device_id: string;
}

/** The records to read: those of a device that are newer than a time, or than another record. */
export interface Wanted {
  pk: number;
  since: Date;
  after: string;
  limit: number;
  /** Only records that were committed between these two snapshots of the database, however late. */
  committed?: { after: string; until: string };
}

interface RecordRow extends Omit<UplinkRecord, 'raw' | 'raw_truncated' | 'values'> {
  /** The index in the list of wanted ones. */
  place: number;
  pk: number;
  raw: Buffer;
  /** The times of its first and last point; null for a rejected message. */
  first: string | null;
  last: string | null;
}

export async function findDevices(db: Db, channelId: string, deviceIds: string[]): Promise<(WatchedDevice & { channel_pk: number })[]> {
  const { rows } = await sql<WatchedDevice & { channel_pk: number }>`
    select device.id as pk, device_id, channel_pk from telemetry.device join telemetry.channel on channel.id = channel_pk
    where channel_id = ${channelId} and device_id = any(${deviceIds}::text[]) and device.deleted_at is null and channel.deleted_at is null`.execute(
    db,
  );
  return rows;
}

export async function channelsOfDevices(db: Db, pks: number[]): Promise<{ pk: number; channel_pk: number }[]> {
  const { rows } = await sql<{ pk: number; channel_pk: number }>`
    select id as pk, channel_pk from telemetry.device where id = any(${pks}::int[])`.execute(db);
  return rows;
}

export async function readOnline(db: Db, pks: number[]): Promise<Map<number, boolean>> {
  const { rows } = await sql<Columns<'telemetry.device_state', 'device_pk' | 'online'>>`
    select device_pk, online from telemetry.device_state where device_pk = any(${pks}::int[])`.execute(db);
  return new Map(rows.map(({ device_pk, online }) => [device_pk, online]));
}

const micros = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** The transactions that have been committed by now. */
export async function readSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db);
  return rows[0]?.snapshot ?? '';
}

/**
 * Whether the row was committed between the two snapshots of `w`. A row tells the lower 32 bits of its transaction, which is none after the
 * later snapshot; a transaction after it looks like one long before, and is left to the next look.
 */
const isCommitted = sql`(w.committed_after is null or (
  not pg_visible_in_snapshot(greatest(3, w.last - ((w.last - xmin::text::bigint) & 4294967295))::text::xid8, w.committed_after::pg_snapshot)
  and pg_visible_in_snapshot(greatest(3, w.last - ((w.last - xmin::text::bigint) & 4294967295))::text::xid8, w.committed_until::pg_snapshot)))`;

/** Reads stored and rejected messages of each wanted device, oldest first; when there are more than wanted, the newest ones. */
export async function readRecords(db: Db, wanted: Wanted[]): Promise<UplinkRecord[][]> {
  const asked = sql`(select *, pg_snapshot_xmax(committed_until::pg_snapshot)::text::bigint as last
    from unnest(${wanted.map(({ pk }) => pk)}::int[], ${wanted.map(({ since }) => since.toISOString())}::timestamptz[],
      ${wanted.map(({ after }) => after)}::text[], ${wanted.map(({ limit }) => limit)}::int[],
      ${wanted.map(({ committed }) => committed?.after ?? null)}::text[], ${wanted.map(({ committed }) => committed?.until ?? null)}::text[])
    with ordinality as asked(pk, since, after, most, committed_after, committed_until, place)) w`;
  const { rows } = await sql<RecordRow>`
    select (w.place - 1)::int as place, w.pk, u.uplink_id, channel_id, device_id, device_name, u.source, u.status, ${micros('u.received_at')} as received_at,
      ${micros('u.time')} as time, u.points, u.encoding, coalesce(length(u.raw), 0) as bytes, coalesce(substring(u.raw for ${liveLimits.rawBytes}), '') as raw, u.fport, u.fcnt,
      case when jsonb_typeof(u.meta -> 'confirmed') = 'boolean' then (u.meta ->> 'confirmed')::boolean end as confirmed, dev_eui,
      case when jsonb_typeof(u.meta -> 'lora') = 'object' then u.meta -> 'lora' end as lora, coalesce(u.warnings, '{}') as warnings, coalesce(u.errors, '{}') as errors,
      coalesce(u.first_time, u.time)::text as first, u.time::text as last
    from ${asked} join telemetry.device on device.id = w.pk join telemetry.channel on channel.id = channel_pk
    cross join lateral (
      select * from telemetry.uplink where device_pk = w.pk and received_at > w.since and uplink_id > w.after and ${isCommitted}
      order by received_at desc limit w.most) u
    union all
    select (w.place - 1)::int, w.pk, r.uplink_id, channel_id, device.device_id, device_name, case when r.topic ~ '^/api/v1/' then 'http' when r.topic ~ '^/api/channels/' then 'simulated' else channel.kind end, 'rejected',
      ${micros('r.time')}, ${micros('r.time')}, 0, null, r.bytes, r.payload, null, null, null, dev_eui, null, '{}', array[r.code || ': ' || r.message],
      null, null
    from ${asked} join telemetry.device on device.id = w.pk join telemetry.channel on channel.id = channel_pk
    cross join lateral (
      select * from telemetry.uplink_rejected where device_pk = w.pk and time > w.since and uplink_id > w.after and ${isCommitted}
      order by time desc limit w.most) r
    order by uplink_id`.execute(db);
  const values = await readValues(
    db,
    rows.filter(({ points }) => points > 0),
  );
  const found = wanted.map((): UplinkRecord[] => []);
  for (const { place, pk: _pk, raw, first: _first, last: _last, ...row } of rows)
    found[place]?.push({
      ...row,
      raw: raw.toString('base64'),
      raw_truncated: row.bytes > raw.length,
      values: values.get(row.uplink_id) ?? {},
    });
  return found.map((records, place) => records.slice(-(wanted[place]?.limit ?? 0)));
}

const mostCounted = 100_000;
/** The largest assumed difference between the clocks of two processes. */
const skewMs = 60_000;

/** Counts the records of each device after this one, up to a maximum. */
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

/** Reads points by device and series, which is their order on disk. */
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
    // The name may be `__proto__`.
    Object.defineProperty(all, name, {
      value: kind === 'b' ? value === 1 : (value ?? value_text ?? ''),
      enumerable: true,
      configurable: true,
    });
    found.set(uplink_id, all);
  }
  return found;
}
