import type { DeviceChanges, DeviceListParams, DeviceState } from '@telltale/domain/channels/contract.ts';
import type { DeviceVariables } from '@telltale/domain/channels/variables.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { parseOrder } from '@telltale/domain/lists/paging.ts';
import { sql } from 'kysely';
import type { DeviceKeyRecord } from '../networks/device-key.ts';
import type { Columns, Db } from '../platform/database.ts';
import { listPage, nullsLast, substringPattern } from '../platform/lists.ts';
import { countTags, hasTags } from '../tags/tags.ts';

export interface DeviceRow extends Columns<'telemetry.device', 'device_id' | 'device_name' | 'dev_eui' | 'tags' | 'created_at'> {
  pk: number;
  key_sealed: Buffer | null;
  online: boolean;
  state: DeviceState;
  last_seen_at: string | null;
  is_disabled: boolean;
  latitude: number | null;
  longitude: number | null;
}

export interface DeviceDetailRow extends DeviceRow, Columns<'telemetry.device', 'online_window_seconds'> {
  variables: DeviceVariables;
  last_connect_at: string | null;
  key_rotated_at: string | null;
  rejected_count: number;
}

/** iot-behaviour 1.7: a device uses the window of its own setting, otherwise the window learned from its intervals, and ten minutes before one is learned. */
const onlineSeconds = sql`coalesce(device.online_window_seconds, state.online_seconds, 600)`;
export const stateOf = sql<DeviceState>`case
  when state.connected_sessions > 0 then 'connected'
  when state.last_seen_at > now() - make_interval(secs => ${onlineSeconds}) then 'reporting'
  when state.last_seen_at > now() - make_interval(secs => 3 * ${onlineSeconds}) then 'late'
  else 'silent' end`;

const fields = sql`device.id as pk, device_id, device_name, dev_eui, keys.key_sealed, coalesce(state.online, false) as online,
  ${stateOf} as state, state.last_seen_at,
  keys.disabled_at is not null as is_disabled, device.tags, state.latitude, state.longitude, device.created_at`;
const from = sql`telemetry.device left join telemetry.device_state state on state.device_pk = device.id
  left join device_keys keys on keys.device_pk = device.id`;
const orders = {
  name: sql`lower(device_name)`,
  device_id: sql`device_id`,
  created_at: sql`device.created_at`,
  last_seen_at: sql`state.last_seen_at`,
  online: sql`coalesce(state.online, false)`,
  state: sql`array_position(array['silent', 'late', 'reporting', 'connected'], ${stateOf})`,
};

/** Lists all devices or one page; newest first by default. */
export async function listDeviceRows(db: Db, channelPk: number, params: DeviceListParams): Promise<DeviceRow[] | Page<DeviceRow>> {
  const pattern = substringPattern(params.q);
  const where = sql`device.channel_pk = ${channelPk} and device.deleted_at is null
    and (${pattern}::text is null or device_id ilike ${pattern} or device_name ilike ${pattern} or dev_eui ilike ${pattern}
      or exists (select from unnest(tags) tag where tag ilike ${pattern}))
    and ${hasTags(params.tags)} and (${params.placed ?? null}::text is null or state.latitude is not null) and (${params.state ?? null}::text is null or ${stateOf} = ${params.state ?? null})`;
  const wanted = parseOrder(params.order) ?? { key: 'created_at', descending: true };
  const order = sql`${nullsLast(orders, wanted, orders.created_at)}, device.id desc`;
  if (params.page !== undefined) return listPage(db, params as ListParams, { fields: sql<DeviceRow>`${fields}`, from, where, order });
  return (await sql<DeviceRow>`select ${fields} from ${from} where ${where} order by ${order}`.execute(db)).rows;
}

export const countDeviceTags = (db: Db, channelPk: number) =>
  countTags(db, sql`telemetry.device`, sql`channel_pk = ${channelPk} and deleted_at is null`);

export async function countDevices(db: Db, channelId: string, deviceIds: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from telemetry.device join telemetry.channel on channel.id = channel_pk
    where channel_id = ${channelId} and device_id = any(${deviceIds}::text[]) and device.deleted_at is null and channel.deleted_at is null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export async function findDeviceRow(db: Db, channelPk: number, deviceId: string): Promise<DeviceDetailRow | undefined> {
  const { rows } = await sql<DeviceDetailRow>`
    select ${fields}, device.online_window_seconds, device.variables, state.last_connect_at, keys.rotated_at as key_rotated_at,
      (select count(*)::int from telemetry.uplink_rejected rejected where rejected.device_pk = device.id) as rejected_count
    from ${from} where device.channel_pk = ${channelPk} and device_id = ${deviceId} and device.deleted_at is null`.execute(db);
  return rows[0];
}

export const updateDevice = (db: Db, pk: number, { device_name, tags, online_window_seconds, variables }: DeviceChanges) =>
  sql`
    update telemetry.device set device_name = coalesce(${device_name ?? null}, device_name), tags = coalesce(${tags ?? null}::text[], tags),
      online_window_seconds = case when ${online_window_seconds !== undefined} then ${online_window_seconds ?? null}::int else online_window_seconds end,
      variables = coalesce(${variables ? JSON.stringify(variables) : null}::jsonb, variables)
    where id = ${pk}`.execute(db);

/** Counts the devices of the channel that are not deleted. */
export async function countDevicesOf(db: Db, channelPk: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from telemetry.device where channel_pk = ${channelPk} and deleted_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Inserts a device; returns undefined when the id is taken or the channel has been deleted meanwhile. */
export async function insertDevice(
  db: Db,
  channelPk: number,
  device: { device_id: string; device_name: string; dev_eui?: string | null; tags?: string[] | undefined },
  { lookup_id, key_hash, key_sealed }: DeviceKeyRecord,
): Promise<number | undefined> {
  const { rows } = await sql<{ pk: number }>`
    with made as (
      insert into telemetry.device (channel_pk, device_id, device_name, dev_eui, tags)
      select id, ${device.device_id}, ${device.device_name}, ${device.dev_eui ?? null}, ${device.tags ?? []}::text[]
      from (select id from telemetry.channel where id = ${channelPk} and deleted_at is null for share) channel
      on conflict do nothing returning id)
    insert into device_keys (device_pk, lookup_id, key_hash, key_sealed)
    select id, ${lookup_id}, ${key_hash}, ${key_sealed} from made returning device_pk as pk`.execute(db);
  return rows[0]?.pk;
}

export interface DeviceToInsert extends DeviceKeyRecord {
  device_id: string;
  device_name: string;
  dev_eui: string | null;
  tags: string[];
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/**
 * Inserts devices with their keys by one statement and returns their rows; those that are missing were taken meanwhile. The order keeps two
 * calls with the same ids from waiting for each other, and lists that show the newest first show these from a to z.
 */
export async function insertDevices(db: Db, channelPk: number, devices: readonly DeviceToInsert[]): Promise<number[]> {
  const given = devices.map((device) => ({ ...device, key_hash: hex(device.key_hash), key_sealed: hex(device.key_sealed) }));
  const { rows } = await sql<{ pk: number }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}::json)
        as given(device_id text, device_name text, dev_eui text, tags text[], lookup_id text, key_hash bytea, key_sealed bytea)),
    made as (
      insert into telemetry.device (channel_pk, device_id, device_name, dev_eui, tags)
      select channel.id, device_id, device_name, dev_eui, tags
      from given, (select id from telemetry.channel where id = ${channelPk} and deleted_at is null for share) channel
      order by device_id desc
      on conflict do nothing returning id, device_id)
    insert into device_keys (device_pk, lookup_id, key_hash, key_sealed)
    select made.id, lookup_id, key_hash, key_sealed from made join given using (device_id) returning device_pk as pk`.execute(db);
  return rows.map(({ pk }) => pk);
}

export async function listDevicesByPk(db: Db, pks: readonly number[]): Promise<DeviceRow[]> {
  return (await sql<DeviceRow>`select ${fields} from ${from} where device.id = any(${pks}::int[])`.execute(db)).rows;
}

/** The ids and DevEUIs among these that devices of the channel have already. */
export async function listTaken(
  db: Db,
  channelPk: number,
  ids: readonly string[],
  euis: readonly string[],
  exceptPks: readonly number[] = [],
): Promise<{ device_id: string; dev_eui: string | null }[]> {
  const { rows } = await sql<{ device_id: string; dev_eui: string | null }>`
    select device_id, dev_eui from telemetry.device
    where channel_pk = ${channelPk} and deleted_at is null and (device_id = any(${ids}::text[]) or dev_eui = any(${euis}::text[]))
      and id <> all(${exceptPks}::int[])`.execute(db);
  return rows;
}

export const replaceKey = (db: Db, pk: number, { lookup_id, key_hash, key_sealed }: DeviceKeyRecord) =>
  sql`
    insert into device_keys (device_pk, lookup_id, key_hash, key_sealed, rotated_at)
    values (${pk}, ${lookup_id}, ${key_hash}, ${key_sealed}, now())
    on conflict (device_pk) do update set lookup_id = excluded.lookup_id, key_hash = excluded.key_hash, key_sealed = excluded.key_sealed,
      rotated_at = now(), updated_at = now()`.execute(db);

/** Deletes a device but keeps its data; a new device with the same id starts without it (iot-behaviour 1.2). */
export const markDeviceDeleted = (db: Db, pk: number) =>
  sql`
    with gone as (update telemetry.device set deleted_at = now() where id = ${pk} and deleted_at is null returning id)
    delete from device_keys using gone where device_pk = gone.id`.execute(db);

/** A broker that restarts, or a machine that is busy, does not take the address off the page. */
const addressSeconds = 60;

/** The addresses of the brokers. */
export async function findBrokerAddresses(db: Db): Promise<{ address: string | null; tls_address: string | null }> {
  const { rows } = await sql<{ address: string | null; tls_address: string | null }>`
    select min(address) as address, min(tls_address) as tls_address from brokers join processes on processes.id = process_id
    where heartbeat_at > now() - make_interval(secs => ${addressSeconds})`.execute(db);
  return rows[0] ?? { address: null, tls_address: null };
}
