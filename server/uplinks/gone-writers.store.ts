import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { deadAfterMs } from '../platform/process-registry.ts';
import { addedCodes } from './storage/flush-rows.ts';

/** The row with the sums of all ended processes. */
const total = '00000000-0000-0000-0000-000000000000';
/** Covers differences of clocks and the second between two rounds. */
const slackSeconds = 5;

export async function listGoneWriters(db: Db): Promise<{ writer: string; since: string }[]> {
  const { rows } = await sql<{ writer: string; since: string }>`
    select writer, min(settled_at)::text as since from ingest_marks
    where writer <> ${total} and settled_at < now() - make_interval(secs => ${deadAfterMs / 1000})
      and not exists (select from processes where id = writer) group by writer`.execute(db);
  return rows;
}

/** Rebuilds the last values of all series of the devices that have reported since. */
export async function rebuildLastValues(db: Db, since: string): Promise<void> {
  const reported = sql`(
    select device_pk, max(received_at) as seen_at from telemetry.uplink
    where received_at > ${since}::timestamptz - make_interval(secs => ${slackSeconds}) group by device_pk)`;
  await sql`
    insert into telemetry.metric_last as last (device_pk, attribute_id, time, value, value_text, kind, uplink_id)
    select series.device_pk, series.attribute_id, p.time, p.value, p.value_text, p.kind, p.uplink_id
    from ${reported} reported join telemetry.device_attribute series using (device_pk)
    cross join lateral (
      select * from telemetry.metric_point where device_pk = series.device_pk and attribute_id = series.attribute_id
      order by time desc limit 1) p
    order by 1, 2
    on conflict (device_pk, attribute_id) do update set time = excluded.time, value = excluded.value, value_text = excluded.value_text,
      kind = excluded.kind, uplink_id = excluded.uplink_id where excluded.time >= last.time`.execute(db);
  // Their minutes may have been rolled up without them. A busy writer settled a second ago; an idle one left nothing.
  await sql`
    insert into telemetry.rollup_due (device_pk, from_time, to_time)
    select device_pk, min(received_at) - interval '1 minute', max(received_at) + interval '1 minute' from telemetry.uplink
    where received_at > greatest(${since}::timestamptz - make_interval(secs => ${slackSeconds}), now() - interval '2 hours')
    group by device_pk, date_bin('1 hour', received_at, '2000-01-01 00:00+00')`.execute(db);
  await sql`
    insert into telemetry.device_state as state (device_pk, last_seen_at)
    select device_pk, seen_at from ${reported} reported where exists (select from telemetry.device where id = device_pk) order by 1
    on conflict (device_pk) do update set last_seen_at = greatest(state.last_seen_at, excluded.last_seen_at)`.execute(db);
}

/** Adds the figures of an ended process to the total. */
export const addToTotal = (db: Db, writer: string) =>
  sql`
    with gone as (
      delete from ingest_marks where writer = ${writer} returning *),
    sums as (
      select sum(received) as received, sum(stored) as stored, sum(duplicate) as duplicate, sum(rejected) as rejected,
        coalesce((select jsonb_object_agg(key, n) from (
          select key, sum(value::bigint) as n from gone g, jsonb_each_text(g.codes) group by key) each), '{}') as codes
      from gone)
    update ingest_marks m set received = m.received + sums.received, stored = m.stored + sums.stored,
      duplicate = m.duplicate + sums.duplicate, rejected = m.rejected + sums.rejected, codes = ${sql.raw(addedCodes('m.codes', 'sums.codes'))}
    from sums where m.writer = ${total} and sums.received is not null`.execute(db);

export interface UplinkFigures {
  received: number;
  stored: number;
  duplicate: number;
  rejected: Record<string, number>;
}

/** Figures of everything ever committed: received is always stored + duplicate + rejected. */
export async function uplinkFigures(db: Db): Promise<UplinkFigures> {
  const { rows } = await sql<UplinkFigures>`
    select coalesce(sum(received), 0)::float8 as received, coalesce(sum(stored), 0)::float8 as stored,
      coalesce(sum(duplicate), 0)::float8 as duplicate,
      coalesce((select jsonb_object_agg(key, n) from (
        select key, sum(value::bigint) as n from ingest_marks, jsonb_each_text(codes) group by key) each), '{}') as rejected
    from ingest_marks`.execute(db);
  return rows[0] ?? { received: 0, stored: 0, duplicate: 0, rejected: {} };
}
