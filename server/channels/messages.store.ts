import type { Message, MessageParams, Messages } from '@telltale/domain/channels/data-contract.ts';
import { liveLimits } from '@telltale/domain/uplinks/live-record.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { substringPattern } from '../platform/lists.ts';

/** The number of messages that one search call reads: the answer says where it stopped, so that it always comes soon. */
const mostSearched = 20_000;

interface Sums {
  seen: number;
  oldest: string | null;
}

type Found = Sums & Omit<Message, 'raw' | 'raw_truncated'> & { raw: Buffer };
/** The only row of an answer without messages: the sums of what was searched. */
type NothingFound = Sums & { [Name in keyof Found]: Found[Name] | null } & { uplink_id: null };

/** Only networks write a boolean `confirmed` and an object `lora`; devices may send other values under the same names. */
const confirmedOf = (meta: string) =>
  sql.raw(`case when jsonb_typeof(${meta} -> 'confirmed') = 'boolean' then (${meta} ->> 'confirmed')::boolean end`);
const objectOf = (meta: string, name: string) =>
  sql.raw(`case when jsonb_typeof(${meta} -> '${name}') = 'object' then ${meta} -> '${name}' end`);
const micros = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/**
 * Lists the stored and rejected messages of a device and the events of its network, newest first. The search looks at the raw bytes and at
 * their details.
 */
export async function listMessages(db: Db, devicePk: number, { q, before, limit }: MessageParams): Promise<Messages> {
  const pattern = substringPattern(q);
  const most = pattern === null ? limit + 1 : mostSearched;
  const end = before ?? 'infinity';
  const looked = sql`
    select uplink_id, source, status, received_at, time, points, encoding, raw, fport, fcnt, meta, warnings, errors, coalesce(first_time, time) as first, null::jsonb as event
    from (select * from telemetry.uplink where device_pk = ${devicePk} and received_at < ${end}::timestamptz order by received_at desc limit ${most}) stored
    union all
    select uplink_id, case when topic ~ '^/api/v1/' then 'http' when topic ~ '^/api/channels/' then 'simulated' end, 'rejected', time, time, 0, null, payload, null, null, null, null,
      array[code || ': ' || message], null, null
    from (select * from telemetry.uplink_rejected where device_pk = ${devicePk} and time < ${end}::timestamptz order by time desc limit ${most}) rejected
    union all
    select 'event-' || id, source, 'event', received_at, time, 0, null, convert_to(coalesce(detail::text, ''), 'UTF8'), null, null, null,
      case when level = 'warning' then array[message] end, case when level = 'error' then array[message] end, null,
      jsonb_build_object('name', event, 'level', level, 'message', message)
    from (select * from telemetry.device_event where device_pk = ${devicePk} and received_at < ${end}::timestamptz order by received_at desc limit ${most}) told`;
  const fits = sql`(${pattern}::text is null or position(convert_to(${q ?? ''}, 'UTF8') in raw) > 0 or encode(raw, 'escape') ilike ${pattern}
    or uplink_id ilike ${pattern} or status ilike ${pattern} or event ->> 'name' ilike ${pattern} or event ->> 'message' ilike ${pattern} or array_to_string(errors, ' ') ilike ${pattern})`;
  const { rows } = await sql<Found | NothingFound>`
    with looked as materialized (select * from (${looked}) messages order by received_at desc limit ${most}),
    found as (select * from looked where ${fits} order by received_at desc limit ${limit})
    select sums.seen, sums.oldest, found.uplink_id, channel_id, device_id, device_name, coalesce(found.source, kind) as source, found.status, found.event,
      ${micros('found.received_at')} as received_at, ${micros('found.time')} as time, found.points, found.encoding,
      coalesce(length(found.raw), 0) as bytes, coalesce(substring(found.raw for ${liveLimits.rawBytes}), '') as raw, found.fport, found.fcnt,
      ${confirmedOf('found.meta')} as confirmed, dev_eui, ${objectOf('found.meta', 'lora')} as lora, ${objectOf('found.meta', 'user_properties')} as user_properties, coalesce(found.warnings, '{}') as warnings,
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
    .filter((row): row is Found => row.uplink_id !== null)
    .map(({ seen: _, oldest: __, raw, ...row }) => ({ ...row, raw: raw.toString('base64'), raw_truncated: row.bytes > raw.length }));
  const isFull = results.length === limit && (pattern !== null || seen > limit);
  return { results, next: isFull ? (results.at(-1)?.received_at ?? null) : seen === mostSearched ? oldest : null };
}
