import type { PastPoint } from '@telltale/domain/alerts/rehearse.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** Lists the most recently seen devices first. */
export async function listScope(
  db: Db,
  channelPk: number,
  deviceIds: readonly string[],
  limit: number,
): Promise<{ pk: number; device_id: string }[]> {
  const { rows } = await sql<{ pk: number; device_id: string }>`
    select device.id as pk, device_id from telemetry.device left join telemetry.device_state seen on seen.device_pk = device.id
    where channel_pk = ${channelPk} and deleted_at is null and (${deviceIds.length === 0} or device_id = any(${[...deviceIds]}::text[]))
    order by last_seen_at desc nulls last, device_id limit ${limit}`.execute(db);
  return rows;
}

/** Lists readings, oldest first; when there are more than the limit, only the newest. */
export async function listPastReadings(
  db: Db,
  channelPk: number,
  devicePk: number,
  attribute: string,
  since: Date,
  limit: number,
): Promise<PastPoint[]> {
  const { rows } = await sql<PastPoint>`
    select (extract(epoch from time) * 1000)::float8 as at, kind::text as kind, value, value_text as text from telemetry.metric_point
    where device_pk = ${devicePk} and time >= ${since}
      and attribute_id = (select id from telemetry.attribute where channel_pk = ${channelPk} and name = ${attribute})
    order by time desc limit ${limit}`.execute(db);
  return rows.reverse();
}

export async function listPastUplinks(db: Db, devicePk: number, since: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from received_at) * 1000)::float8 as at from telemetry.uplink
    where device_pk = ${devicePk} and received_at >= ${since} order by received_at desc limit ${limit}`.execute(db);
  return rows.map(({ at }) => at).reverse();
}
