import type { ArrayListParams, ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { parseOrder } from '@telltale/domain/lists/paging.ts';
import { sql } from 'kysely';
import type { DeviceKeyRecord } from '../networks/device-key.ts';
import type { Db } from '../platform/database.ts';
import { listPage, nullsLast, substringPattern } from '../platform/lists.ts';
import { silentAfterMs } from '../platform/process-registry.ts';

export interface DeviceRow {
  pk: number;
  device_id: string;
  device_name: string;
  key_sealed: Buffer | null;
  online: boolean;
  last_seen_at: string | null;
  is_disabled: boolean;
  created_at: string;
}

export interface DeviceDetailRow extends DeviceRow {
  latitude: number | null;
  longitude: number | null;
  last_connect_at: string | null;
  key_rotated_at: string | null;
}

const fields = sql`device.id as pk, device_id, device_name, keys.key_sealed, coalesce(state.online, false) as online, state.last_seen_at,
  keys.disabled_at is not null as is_disabled, device.created_at`;
const from = sql`telemetry.device left join telemetry.device_state state on state.device_pk = device.id
  left join device_keys keys on keys.device_pk = device.id`;
const orders = {
  name: sql`lower(device_name)`,
  device_id: sql`device_id`,
  created_at: sql`device.created_at`,
  last_seen_at: sql`state.last_seen_at`,
  online: sql`coalesce(state.online, false)`,
};

/** All of them, or a page; newest first unless asked otherwise. */
export async function listDeviceRows(db: Db, channelPk: number, params: ArrayListParams): Promise<DeviceRow[] | Page<DeviceRow>> {
  const pattern = substringPattern(params.q);
  const where = sql`device.channel_pk = ${channelPk} and device.deleted_at is null
    and (${pattern}::text is null or device_id ilike ${pattern} or device_name ilike ${pattern})`;
  const wanted = parseOrder(params.order) ?? { key: 'created_at', descending: true };
  const order = sql`${nullsLast(orders, wanted, orders.created_at)}, device.id desc`;
  if (params.page !== undefined) return listPage<DeviceRow>(db, params as ListParams, { fields, from, where, order });
  return (await sql<DeviceRow>`select ${fields} from ${from} where ${where} order by ${order}`.execute(db)).rows;
}

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
    select ${fields}, state.latitude, state.longitude, state.last_connect_at, keys.rotated_at as key_rotated_at
    from ${from} where device.channel_pk = ${channelPk} and device_id = ${deviceId} and device.deleted_at is null`.execute(db);
  return rows[0];
}

/** Nothing when the id is taken, or the channel went away meanwhile. */
export async function insertDevice(
  db: Db,
  channelPk: number,
  device: { device_id: string; device_name: string },
  { lookup_id, key_hash, key_sealed }: DeviceKeyRecord,
): Promise<number | undefined> {
  const { rows } = await sql<{ pk: number }>`
    with made as (
      insert into telemetry.device (channel_pk, device_id, device_name)
      select id, ${device.device_id}, ${device.device_name}
      from (select id from telemetry.channel where id = ${channelPk} and deleted_at is null for share) channel
      on conflict (channel_pk, device_id) where deleted_at is null do nothing returning id)
    insert into device_keys (device_pk, lookup_id, key_hash, key_sealed)
    select id, ${lookup_id}, ${key_hash}, ${key_sealed} from made returning device_pk as pk`.execute(db);
  return rows[0]?.pk;
}

export const replaceKey = (db: Db, pk: number, { lookup_id, key_hash, key_sealed }: DeviceKeyRecord) =>
  sql`
    insert into device_keys (device_pk, lookup_id, key_hash, key_sealed, rotated_at)
    values (${pk}, ${lookup_id}, ${key_hash}, ${key_sealed}, now())
    on conflict (device_pk) do update set lookup_id = excluded.lookup_id, key_hash = excluded.key_hash, key_sealed = excluded.key_sealed,
      rotated_at = now(), updated_at = now()`.execute(db);

/** What it reported stays with it; a new device of the same id begins anew (iot-behaviour 1.2). */
export const markDeviceDeleted = (db: Db, pk: number) =>
  sql`
    with gone as (update telemetry.device set deleted_at = now() where id = ${pk} and deleted_at is null returning id)
    delete from device_keys using gone where device_pk = gone.id`.execute(db);

/** Where brokers listen that are alive. */
export async function findBrokerAddresses(db: Db): Promise<{ address: string | null; tls_address: string | null }> {
  const { rows } = await sql<{ address: string | null; tls_address: string | null }>`
    select min(address) as address, min(tls_address) as tls_address from brokers join processes on processes.id = process_id
    where heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000})`.execute(db);
  return rows[0] ?? { address: null, tls_address: null };
}
