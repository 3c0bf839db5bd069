import type { ColumnDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { DeviceSelection } from '@telltale/domain/queries/device-query.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** Channels and devices to choose from; deleted ones are not offered. */
export async function listChannelRows(db: Db, where: RawBuilder<unknown>): Promise<{ channel_id: string; channel_name: string }[]> {
  const { rows } = await sql<Columns<'telemetry.channel', 'channel_id' | 'channel_name'>>`
    select channel_id, channel_name from telemetry.channel
    where deleted_at is null and ${where} order by lower(channel_name), channel_id`.execute(db);
  return rows;
}

export async function findChannel(db: Db, channelId: string): Promise<{ id: number } | undefined> {
  const { rows } = await sql<Columns<'telemetry.channel', 'id'>>`
    select id from telemetry.channel where channel_id = ${channelId} and deleted_at is null`.execute(db);
  return rows[0];
}

export async function listDeviceRows(db: Db, channelPk: number): Promise<{ id: number; device_id: string; device_name: string }[]> {
  const { rows } = await sql<Columns<'telemetry.device', 'id' | 'device_id' | 'device_name'>>`
    select id, device_id, device_name from telemetry.device where channel_pk = ${channelPk} and deleted_at is null
    order by lower(device_name), device_id`.execute(db);
  return rows;
}

/** iot-behaviour 1.8: the attributes that these devices have reported; Telltale's own come last. */
export async function listAttributeRows(db: Db, devicePks: number[]): Promise<{ name: string; isText: boolean }[]> {
  const { rows } = await sql<{ name: string; isText: boolean }>`
    select name, bool_and(last_kind::text in ('s', 'j')) as "isText"
    from telemetry.device_attribute join telemetry.attribute on attribute.id = attribute_id
    where device_pk = any(${devicePks}::int[])
    group by name order by name ~ '^(lora|sys)\\.', name`.execute(db);
  return rows;
}

/** How the columns of a query over devices are shown. */
export async function findColumnDisplay(db: Db, selection: DeviceSelection): Promise<ColumnDisplay> {
  const { rows } = await sql<{ display: ColumnDisplay }>`
    select console.column_display(${JSON.stringify(selection)}::jsonb) as display`.execute(db);
  return rows[0]?.display ?? {};
}
