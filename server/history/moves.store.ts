import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { WaitingReading } from './outbox.store.ts';

/** A part of the readings: a partition of telemetry.metric_point, or the last values. */
export interface Move {
  part: string;
  device_pk: number | null;
  attribute_id: number | null;
  time: string | null;
  points: number;
}

/** What is not moved yet: last values, then hours, then readings, the newest partitions first. */
export async function listMoves(db: Db): Promise<Move[]> {
  const { rows } = await sql<Move>`
    select part, device_pk, attribute_id, time::text as time, coalesce(points, 0)::float8 as points from (
      select 'metric_last' as part, 0 as place, '' as bound union all
      select relname, case inhparent when 'telemetry.metric_hour'::regclass then 1 else 2 end,
        coalesce(substring(pg_get_expr(relpartbound, pg_class.oid) from '\\d{4}-\\d\\d-\\d\\d'), '')
      from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent in ('telemetry.metric_point'::regclass, 'telemetry.metric_hour'::regclass)) parts
    left join telemetry.history_moves using (part) where done_at is null order by place, bound desc`.execute(db);
  return rows;
}

export const isOfHours = ({ part }: Move): boolean => part.startsWith('metric_hour');

type MovedReading = Omit<WaitingReading, 'target'> & { attribute_id: number; time: string };

/** The next readings of a part, in the order of their key. Version 0: what the outbox sent of them is newer. */
export async function listPiece(db: Db, move: Move, most: number): Promise<MovedReading[]> {
  const { part, device_pk, attribute_id, time } = move;
  const key = isOfHours(move) ? sql`device_pk, attribute_id, bucket` : sql`device_pk, attribute_id, time`;
  const after = device_pk === null ? sql`true` : sql`(${key}) > (${device_pk}, ${attribute_id}, ${time}::timestamptz)`;
  // The text of an hour is that of the outbox.
  const columns = isOfHours(move)
    ? sql`bucket as time, device_pk, attribute_id, null::float8 as value, concat_ws(E'\\t', count, sum, min, max, last) as value_text,
        '' as kind, null::text as uplink_id`
    : sql`*`;
  const { rows } = await sql<MovedReading>`
    select 0 as id, false as is_deleted, (extract(epoch from point.time) * 1000000)::bigint::float8 as micros, point.device_pk, point.attribute_id,
      point.time::text as time, point.value, point.value_text, point.kind::text as kind, point.uplink_id, device.channel_pk, device.of_channel as channel_id,
      device.device_id, attribute.name as attribute
    from (select ${columns} from ${sql.table(`telemetry.${part}`)} where ${after} order by ${key} limit ${most}) point
    left join telemetry.device on device.id = point.device_pk
    left join telemetry.attribute on attribute.id = point.attribute_id
    order by point.device_pk, point.attribute_id, point.time`.execute(db);
  return rows;
}

export const noteMove = (db: Db, { part, device_pk, attribute_id, time, points }: Move, isDone: boolean) =>
  sql`
    insert into telemetry.history_moves (part, device_pk, attribute_id, time, points, done_at)
    values (${part}, ${device_pk}, ${attribute_id}, ${time}, ${points}, case when ${isDone} then now() end)
    on conflict (part) do update set device_pk = excluded.device_pk, attribute_id = excluded.attribute_id, time = excluded.time,
      points = excluded.points, done_at = excluded.done_at`.execute(db);
