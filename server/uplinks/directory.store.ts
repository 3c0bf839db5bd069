import { type RawBuilder, sql } from 'kysely';
import type { ChannelEntry, DeviceEntry } from '../networks/directory.ts';
import type { Db } from '../platform/database.ts';

type ChannelRow = ChannelEntry;
export type DeviceRow = Omit<DeviceEntry, 'channel'> & { channel: ChannelRow };
export type KeyRow = { key_hash: string } & ({ kind: 'device'; device: DeviceRow } | { kind: 'channel'; channel: ChannelRow });

/** A channel without a settings row has the default settings. */
const channelJson = sql`jsonb_build_object('pk', channel.id, 'channel_id', channel_id, 'channel_name', channel_name, 'kind', channel.kind,
  'isDisabled', settings.disabled_at is not null, 'auto_create', coalesce(auto_create, false),
  'thingsboard_topics', coalesce(thingsboard_topics, false), 'ack_points', coalesce(ack_points, false), 'network_id', settings.network_id, 'application_id', settings.application_id,
  'metadata', coalesce(settings.metadata, 'basic'))`;
const deviceJson = sql`jsonb_build_object('pk', device.id, 'device_id', device_id, 'device_name', device_name, 'dev_eui', dev_eui,
  'isDisabled', keys.disabled_at is not null or settings.disabled_at is not null,
  'variables', device.variables, 'channel', ${channelJson})`;
const channels = sql`telemetry.channel left join channel_settings settings on settings.channel_pk = channel.id`;
const devices = sql`telemetry.device join ${channels} on channel.id = device.channel_pk left join device_keys keys on keys.device_pk = device.id`;
const alive = sql`channel.deleted_at is null`;

async function findOne<T>(db: Db, query: RawBuilder<{ found: T }>): Promise<T | undefined> {
  return (await query.execute(db)).rows[0]?.found;
}

export const findChannelRow = (db: Db, channelId: string) =>
  findOne(db, sql<{ found: ChannelRow }>`select ${channelJson} as found from ${channels} where channel_id = ${channelId} and ${alive}`);

/** As many answers as are asked for, in their order. */
export async function findDeviceRows(
  db: Db,
  asked: readonly { channelId: string; deviceId: string }[],
): Promise<(DeviceRow | undefined)[]> {
  const { rows } = await sql<{ place: number; found: DeviceRow }>`
    select place, ${deviceJson} as found
    from unnest(${asked.map(({ channelId }) => channelId)}::text[], ${asked.map(({ deviceId }) => deviceId)}::text[])
      with ordinality as asked(in_channel, with_id, place)
    join ${devices} on channel_id = in_channel and device_id = with_id
    where ${alive} and device.deleted_at is null`.execute(db);
  const found = new Map(rows.map((row) => [row.place, row.found]));
  return asked.map((_, n) => found.get(n + 1));
}

export const findDeviceRowByEui = (db: Db, channelId: string, devEui: string) =>
  findOne(
    db,
    sql<{ found: DeviceRow }>`select ${deviceJson} as found from ${devices}
      where channel_id = ${channelId} and ${alive} and dev_eui = ${devEui} and device.deleted_at is null`,
  );

export async function listNetworkChannelRows(db: Db, networkId: number): Promise<ChannelRow[]> {
  const { rows } = await sql<{ found: ChannelRow }>`
    select ${channelJson} as found from ${channels} where settings.network_id = ${networkId} and ${alive} order by channel.id`.execute(db);
  return rows.map(({ found }) => found);
}

export async function listChannelIds(db: Db, where: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ channel_id: string }>`select channel_id from telemetry.channel where ${where} and ${alive}`.execute(db);
  return rows.map(({ channel_id }) => channel_id);
}

export async function listDeviceRows(db: Db, pks: readonly number[]): Promise<DeviceRow[]> {
  const { rows } = await sql<{ found: DeviceRow }>`
    select ${deviceJson} as found from ${devices} where device.id = any(${[...pks]}::int[]) and ${alive} and device.deleted_at is null`.execute(
    db,
  );
  return rows.map(({ found }) => found);
}

/** Keys that are found by their first parts, in the order asked for; the hash of the rest is the caller's to compare. */
export async function findKeyRows(db: Db, lookupIds: readonly string[]): Promise<(KeyRow | undefined)[]> {
  const { rows } = await sql<{ id: string; found: KeyRow }>`
    select keys.lookup_id as id, jsonb_build_object('kind', 'device', 'key_hash', encode(keys.key_hash, 'hex'), 'device', ${deviceJson}) as found
    from ${devices} where keys.lookup_id = any(${[...lookupIds]}::text[]) and ${alive} and device.deleted_at is null
    union all
    select settings.lookup_id, jsonb_build_object('kind', 'channel', 'key_hash', encode(settings.key_hash, 'hex'), 'channel', ${channelJson})
    from ${channels} where settings.lookup_id = any(${[...lookupIds]}::text[]) and ${alive}`.execute(db);
  // A device goes before a channel, should both ever have the same.
  const found = new Map(rows.toReversed().map((row) => [row.id, row.found]));
  return lookupIds.map((id) => found.get(id));
}
