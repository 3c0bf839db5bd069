import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** The number of a table, which another table of the same name does not have. */
export async function tableNumber(db: Db, partition: string): Promise<number> {
  const { rows } = await sql<{ number: number }>`select ${`telemetry.${partition}`}::regclass::oid::int8 as number`.execute(db);
  return rows[0]?.number ?? 0;
}

/** Channels with messages in a partition that was detached. */
export async function listArchivedChannels(db: Db, partition: string): Promise<number[]> {
  const { rows } = await sql<{ channel_pk: number }>`
    select channel.id as channel_pk from telemetry.channel
    where channel.deleted_at is null and exists (
      select from telemetry.device join ${sql.table(`telemetry.${partition}`)} uplink on uplink.device_pk = device.id
      where device.channel_pk = channel.id and device.deleted_at is null)
    order by 1`.execute(db);
  return rows.map(({ channel_pk }) => channel_pk);
}

/** The columns of `app.uplink`, each message as one line of JSON with its bytes as base64. */
const line = sql`json_build_object('channel_id', channel.channel_id, 'device_id', device.device_id, 'uplink_id', uplink.uplink_id,
  'received_at', uplink.received_at, 'time', uplink.time, 'source', uplink.source, 'fport', uplink.fport, 'fcnt', uplink.fcnt,
  'encoding', uplink.encoding, 'raw', translate(encode(uplink.raw, 'base64'), E'\n', ''), 'meta', uplink.meta, 'status', uplink.status,
  'points', uplink.points, 'warnings', uplink.warnings, 'errors', uplink.errors, 'message_id', uplink.message_id,
  'decoder_version', uplink.decoder_version)::text`;

/** Opens a cursor in the transaction: a day of messages can be larger than memory. */
export const openArchiveCursor = (tx: Db, partition: string, channelPk: number) =>
  sql`
    declare archived no scroll cursor for select ${line} as line from ${sql.table(`telemetry.${partition}`)} uplink
    join telemetry.device on device.id = uplink.device_pk and device.deleted_at is null
    join telemetry.channel on channel.id = device.channel_pk and channel.id = ${sql.lit(channelPk)}
    order by uplink.received_at, uplink.uplink_id`.execute(tx);

/** So few at a time, because each of them may have the largest size of a message. */
export async function fetchArchiveLines(tx: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`fetch forward 100 from archived`.execute(tx);
  return rows.map(({ line }) => line);
}
