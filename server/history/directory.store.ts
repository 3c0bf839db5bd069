import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export interface DirectoryRow {
  pk: number;
  values: (string | number | boolean | null)[];
  /** Microseconds since 1970. */
  times: (number | null)[];
}

export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ micros: number }>`select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros`.execute(db);
  return rows[0]?.micros ?? 0;
}

const micros = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::float8`;

export async function listDevices(db: Db): Promise<DirectoryRow[]> {
  const { rows } = await sql<DirectoryRow>`
    select device.id as pk, jsonb_build_array(device.id, channel.id, channel.channel_id, channel.channel_name, device.device_id, device.device_name,
        device.dev_eui, state.latitude, state.longitude, coalesce(state.online, false)) as values,
      jsonb_build_array(${micros('state.last_seen_at')}, ${micros('device.created_at')}) as times
    from telemetry.device join telemetry.channel on channel.id = device.channel_pk
    left join telemetry.device_state state on state.device_pk = device.id
    where device.deleted_at is null and channel.deleted_at is null`.execute(db);
  return rows;
}

export async function listChannels(db: Db): Promise<DirectoryRow[]> {
  const { rows } = await sql<DirectoryRow>`
    select id as pk, jsonb_build_array(id, channel_id, channel_name, kind) as values, jsonb_build_array(${micros('created_at')}) as times
    from telemetry.channel where deleted_at is null`.execute(db);
  return rows;
}

export type ChannelRetention = Columns<'telemetry.channel', 'channel_id'> & { channel_pk: number; retention_days: number };

/** Channels with a retention of their own, also deleted ones. */
export async function listRetentions(db: Db): Promise<ChannelRetention[]> {
  const { rows } = await sql<ChannelRetention>`
    select channel_pk, channel_id, retention_days from channel_settings join telemetry.channel on channel.id = channel_pk
    where retention_days is not null order by channel_pk`.execute(db);
  return rows;
}
