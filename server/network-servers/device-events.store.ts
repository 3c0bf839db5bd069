import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

const largestDetail = 16 * 1024;
const keptDays = 30;

export interface StoredEvent {
  device_pk: number;
  /** Microseconds; null means now. */
  at: number | null;
  source: string;
  event: string;
  level: 'info' | 'warning' | 'error';
  message: string;
  key: string | null;
  raw: unknown;
}

const timeOf = (at: number | null) => (at === null ? null : new Date(at / 1000).toISOString());

export async function hasDeviceEvent(db: Db, devicePk: number, key: string): Promise<boolean> {
  const { rows } = await sql`select from telemetry.device_event where device_pk = ${devicePk} and event_key = ${key}`.execute(db);
  return rows.length > 0;
}

/** Stores nothing when the same event is stored already, or its device is deleted. */
export async function insertDeviceEvent(db: Db, event: StoredEvent): Promise<void> {
  const text = storableJson(event.raw);
  const detail = text === null || text.length > largestDetail ? null : text;
  await sql`
    insert into telemetry.device_event (device_pk, time, source, event, level, message, event_key, detail)
    select id, coalesce(${timeOf(event.at)}::timestamptz, now()), ${event.source}, ${event.event}, ${event.level}, ${event.message},
      ${event.key}, ${detail}::jsonb
    from telemetry.device where id = ${event.device_pk}
    on conflict (device_pk, event_key) where event_key is not null do nothing`.execute(db);
}

export const forgetOldDeviceEvents = (db: Db) =>
  sql`delete from telemetry.device_event where received_at < now() - make_interval(days => ${keptDays})`.execute(db);

/** The newest frame that was stored: frame counters are compared with it after a restart. */
export async function findLastFrame(db: Db, devicePk: number): Promise<{ fcnt: number; session: string | null } | undefined> {
  const { rows } = await sql<{ fcnt: number; session: string | null }>`
    select fcnt, meta ->> 'session' as session from telemetry.uplink
    where device_pk = ${devicePk} and fcnt is not null order by received_at desc limit 1`.execute(db);
  return rows[0];
}

/** Adds to the frames of the channel that never arrived. */
export const addLostFrames = (db: Db, channelPk: number, lost: number) =>
  sql`
    insert into telemetry.channel_lost_frames as frames (channel_pk, lost) values (${channelPk}, ${lost})
    on conflict (channel_pk) do update set lost = frames.lost + excluded.lost, last_at = now()`.execute(db);

/** Stores the network's name of the device. */
export const upsertNetworkDevice = (db: Db, devicePk: number, network_device_id: string | null, application_id: string | null) =>
  sql`
    insert into network_devices (device_pk, network_device_id, application_id)
    select id, ${network_device_id}, ${application_id} from telemetry.device where id = ${devicePk}
    on conflict (device_pk) do update set network_device_id = coalesce(excluded.network_device_id, network_devices.network_device_id),
      application_id = coalesce(excluded.application_id, network_devices.application_id), updated_at = now()
    where (network_devices.network_device_id, network_devices.application_id) is distinct from
      (coalesce(excluded.network_device_id, network_devices.network_device_id), coalesce(excluded.application_id, network_devices.application_id))`.execute(
    db,
  );

export async function findNetworkDevice(
  db: Db,
  devicePk: number,
): Promise<{ network_device_id: string | null; application_id: string | null } | undefined> {
  const { rows } = await sql<Columns<'network_devices', 'network_device_id' | 'application_id'>>`
    select network_device_id, application_id from network_devices where device_pk = ${devicePk}`.execute(db);
  return rows[0];
}

/** Sets the EUI unless another device of the channel has it. */
export const setDevEui = (db: Db, devicePk: number, devEui: string) =>
  sql`
    update telemetry.device set dev_eui = ${devEui} where id = ${devicePk} and dev_eui is distinct from ${devEui} and not exists (
      select from telemetry.device other where other.channel_pk = device.channel_pk and other.dev_eui = ${devEui} and other.deleted_at is null)`.execute(
    db,
  );
