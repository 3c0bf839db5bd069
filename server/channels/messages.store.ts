import type { MessageParams, Messages } from '@telltale/domain/channels/data-contract.ts';
import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { substringPattern } from '../platform/lists.ts';

/** A search looks at so many messages at a time and says where it stopped: an answer comes soon, however many there are. */
const mostSearched = 20_000;

type Row = Omit<UplinkRecord, 'raw' | 'raw_truncated'> & { raw: Buffer };

const micros = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Stored and rejected messages of a device, newest first. A term is looked for in the bytes as they came, and in what was said about them. */
export async function listMessages(db: Db, devicePk: number, { q, before, limit }: MessageParams): Promise<Messages> {
  const pattern = substringPattern(q);
  const most = pattern === null ? limit + 1 : mostSearched;
  const end = before ?? 'infinity';
  const looked = sql`
    select uplink_id, source, status, received_at, time, points, encoding, raw, fport, fcnt, meta, warnings, errors, coalesce(first_time, time) as first
    from (select * from telemetry.uplink where device_pk = ${devicePk} and received_at < ${end}::timestamptz order by received_at desc limit ${most}) stored
    union all
    select uplink_id, case when topic like '/api/%' then 'http' else 'mqtt' end, 'rejected', time, time, 0, null, payload, null, null, null, null,
      array[code || ': ' || message], null
    from (select * from telemetry.uplink_rejected where device_pk = ${devicePk} and time < ${end}::timestamptz order by time desc limit ${most}) rejected`;
  const fits = sql`(${pattern}::text is null or position(convert_to(${q ?? ''}, 'UTF8') in raw) > 0 or encode(raw, 'escape') ilike ${pattern}
    or uplink_id ilike ${pattern} or status ilike ${pattern} or array_to_string(errors, ' ') ilike ${pattern})`;
  const { rows } = await sql<Row & { seen: number; oldest: string | null }>`
    with looked as materialized (select * from (${looked}) messages order by received_at desc limit ${most}),
    found as (select * from looked where ${fits} order by received_at desc limit ${limit})
    select sums.seen, sums.oldest, found.uplink_id, channel_id, device_id, device_name, found.source, found.status,
      ${micros('found.received_at')} as received_at, ${micros('found.time')} as time, found.points, found.encoding,
      coalesce(length(found.raw), 0) as bytes, coalesce(substring(found.raw for ${liveLimits.rawBytes}), '') as raw, found.fport, found.fcnt,
      null::boolean as confirmed, dev_eui, found.meta -> 'lora' as lora, coalesce(found.warnings, '{}') as warnings,
      coalesce(found.errors, '{}') as errors, coalesce(points.values, '{}') as values
    from (select count(*) as seen, ${micros('min(received_at)')} as oldest from looked) sums
    join telemetry.device on device.id = ${devicePk} join telemetry.channel on channel.id = channel_pk
    left join found on true
    left join lateral (
      select jsonb_object_agg(name, case kind::text when 'b' then to_jsonb(value = 1) when 'n' then to_jsonb(value) else to_jsonb(value_text) end) as values
      from telemetry.device_attribute series join telemetry.attribute on attribute.id = series.attribute_id
      cross join lateral (
        select value, value_text, kind from telemetry.metric_point p
        where p.device_pk = ${devicePk} and p.attribute_id = series.attribute_id and p.time between found.first and found.time
          and p.uplink_id = found.uplink_id order by time desc limit 1) newest
      where series.device_pk = ${devicePk} and found.points > 0) points on true
    order by found.received_at desc`.execute(db);
  const { seen = 0, oldest = null } = rows[0] ?? {};
  const results = rows
    .filter(({ uplink_id }) => uplink_id !== null)
    .map(({ seen: _, oldest: __, raw, ...row }) => ({ ...row, raw: raw.toString('base64'), raw_truncated: row.bytes > raw.length }));
  const isFull = results.length === limit && (pattern !== null || seen > limit);
  return { results, next: isFull ? (results.at(-1)?.received_at ?? null) : seen === mostSearched ? oldest : null };
}
