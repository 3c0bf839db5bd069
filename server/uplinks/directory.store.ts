import { type RawBuilder, sql } from 'kysely';
import type { ChannelEntry, DeviceEntry } from '../networks/directory.ts';
import type { Db } from '../platform/database.ts';

type ChannelRow = ChannelEntry;
export type DeviceRow = Omit<DeviceEntry, 'channel'> & { channel: ChannelRow };
export type KeyRow = { key_hash: string } & ({ kind: 'device'; device: DeviceRow } | { kind: 'channel'; channel: ChannelRow });

/** A channel without settings is one that nobody has set anything for. */
const channelJson = sql`jsonb_build_object('pk', channel.id, 'channel_id', channel_id, 'channel_name', channel_name, 'kind', channel.kind,
  'isDisabled', settings.disabled_at is not null, 'auto_create', coalesce(auto_create, false),
  'thingsboard_topics', coalesce(thingsboard_topics, false))`;
const deviceJson = sql`jsonb_build_object('pk', device.id, 'device_id', device_id, 'device_name', device_name, 'dev_eui', dev_eui,
  'isDisabled', keys.disabled_at is not null or settings.disabled_at is not null, 'channel', ${channelJson})`;
const channels = sql`telemetry.channel left join channel_settings settings on settings.channel_pk = channel.id`;
const devices = sql`telemetry.device join ${channels} on channel.id = device.channel_pk left join device_keys keys on keys.device_pk = device.id`;
const alive = sql`channel.deleted_at is null`;

async function findOne<T>(db: Db, query: RawBuilder<{ found: T }>): Promise<T | undefined> {
  return (await query.execute(db)).rows[0]?.found;
}

export const findChannelRow = (db: Db, channelId: string) =>
  findOne<ChannelRow>(db, sql`select ${channelJson} as found from ${channels} where channel_id = ${channelId} and ${alive}`);

export const findDeviceRow = (db: Db, channelId: string, deviceId: string) =>
  findOne<DeviceRow>(
    db,
    sql`select ${deviceJson} as found from ${devices}
      where channel_id = ${channelId} and ${alive} and device_id = ${deviceId} and device.deleted_at is null`,
  );

export async function listDeviceRows(db: Db, pks: readonly number[]): Promise<DeviceRow[]> {
  const { rows } = await sql<{ found: DeviceRow }>`
    select ${deviceJson} as found from ${devices} where device.id = any(${[...pks]}::int[]) and ${alive} and device.deleted_at is null`.execute(
    db,
  );
  return rows.map(({ found }) => found);
}

/** A key that is found by its first part; the hash of the rest is the caller's to compare. */
export async function findKeyRow(db: Db, lookupId: string): Promise<KeyRow | undefined> {
  const device = await findOne<KeyRow>(
    db,
    sql`select jsonb_build_object('kind', 'device', 'key_hash', encode(keys.key_hash, 'hex'), 'device', ${deviceJson}) as found from ${devices}
      where keys.lookup_id = ${lookupId} and ${alive} and device.deleted_at is null`,
  );
  if (device) return device;
  return findOne<KeyRow>(
    db,
    sql`select jsonb_build_object('kind', 'channel', 'key_hash', encode(settings.key_hash, 'hex'), 'channel', ${channelJson}) as found
      from ${channels} where settings.lookup_id = ${lookupId} and ${alive}`,
  );
}
