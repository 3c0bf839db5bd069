import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** Channels and devices as people choose them; what was deleted is not offered any more. */
export async function listChannelRows(db: Db): Promise<{ channel_id: string; channel_name: string }[]> {
  const { rows } = await sql<{ channel_id: string; channel_name: string }>`
    select channel_id, channel_name from telemetry.channel where deleted_at is null order by lower(channel_name), channel_id`.execute(db);
  return rows;
}

export async function findChannel(db: Db, channelId: string): Promise<{ id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from telemetry.channel where channel_id = ${channelId} and deleted_at is null`.execute(db);
  return rows[0];
}

export async function listDeviceRows(db: Db, channelPk: number): Promise<{ id: number; device_id: string; device_name: string }[]> {
  const { rows } = await sql<{ id: number; device_id: string; device_name: string }>`
    select id, device_id, device_name from telemetry.device where channel_pk = ${channelPk} and deleted_at is null
    order by lower(device_name), device_id`.execute(db);
  return rows;
}

/** iot-behaviour 1.8: what these devices have reported; what the house itself wrote comes last. */
export async function listAttributeRows(db: Db, devicePks: number[]): Promise<{ name: string; isText: boolean }[]> {
  const { rows } = await sql<{ name: string; isText: boolean }>`
    select name, bool_and(last_kind::text in ('s', 'j')) as "isText"
    from telemetry.device_attribute join telemetry.attribute on attribute.id = attribute_id
    where device_pk = any(${devicePks}::int[])
    group by name order by name ~ '^(lora|sys)\\.', name`.execute(db);
  return rows;
}
