import type { Channel, ChannelDetail, ChannelKind, ChannelSettings, SettingChanges } from '@telltale/domain/channels/contract.ts';
import { lorawanKinds } from '@telltale/domain/channels/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { DeviceKeyRecord } from '../networks/device-key.ts';
import type { Columns, Db } from '../platform/database.ts';

const lorawan = sql.raw(lorawanKinds.map((kind) => `'${kind}'`).join(', '));

export type ChannelRow = Channel & { pk: number; settings: ChannelSettings; key_sealed: Buffer | null } & Pick<
    ChannelDetail,
    'storage_bytes' | 'storage_measured_at' | 'lost_frames' | 'lost_frame_at'
  > & { has_network_error: boolean; are_credentials_refused: boolean };

/** iot-behaviour 1.2: the id of a deleted channel stays reserved for a while, because devices may still use it. */
const tombstoneHours = 24;

const rowsOf = (kinds: readonly ChannelKind[], channelId: string | null, where: RawBuilder<unknown> = sql`true`) => sql<ChannelRow>`
  select channel.id as pk, channel_id, channel_name, kind, channel.created_at, settings.disabled_at is not null as is_disabled,
    jsonb_build_object('auto_create', coalesce(auto_create, false), 'thingsboard_topics', coalesce(thingsboard_topics, false),
      'ack_points', coalesce(ack_points, false), 'network_id', settings.network_id, 'application_id', application_id, 'metadata', coalesce(metadata, 'basic'),
      'retention_days', retention_days) as settings,
    settings.key_sealed, coalesce(devices.device_count, 0) as device_count, coalesce(devices.online_count, 0) as online_count,
    storage.bytes::float8 as storage_bytes, storage.measured_at as storage_measured_at,
    coalesce(frames.lost, 0) as lost_frames, frames.last_at as lost_frame_at, networks.name as network_name,
    coalesce((network_states.state = 'error' or network_states.are_credentials_refused) and networks.disabled_at is null, false) as has_network_error,
    coalesce(network_states.are_credentials_refused and networks.disabled_at is null, false) as are_credentials_refused,
    devices.last_seen_at, lately.uplinks as uplinks_last_hour
  from telemetry.channel
  left join channel_settings settings on settings.channel_pk = channel.id
  left join networks on networks.id = settings.network_id
  left join network_states on network_states.network_id = networks.id
  left join channel_storage storage on storage.channel_pk = channel.id
  left join telemetry.channel_lost_frames frames on frames.channel_pk = channel.id
  left join lateral (
    -- Of the slow kinds alone: counting what MQTT devices send would read millions of rows.
    select count(*) as uplinks from telemetry.device join telemetry.uplink on uplink.device_pk = device.id
    where device.channel_pk = channel.id and device.deleted_at is null and uplink.received_at > now() - interval '1 hour'
  ) lately on channel.kind in (${lorawan})
  left join lateral (
    select count(*) as device_count, count(*) filter (where state.online) as online_count, max(state.last_seen_at) as last_seen_at
    from telemetry.device left join telemetry.device_state state on state.device_pk = device.id
    where device.channel_pk = channel.id and device.deleted_at is null) devices on true
  where channel.deleted_at is null and kind = any(${[...kinds]}::text[]) and (${channelId}::text is null or channel_id = ${channelId}) and ${where}
  order by channel.created_at desc, channel.id desc`;

export const listChannelRows = async (db: Db, kinds: readonly ChannelKind[], where: RawBuilder<unknown>): Promise<ChannelRow[]> =>
  (await rowsOf(kinds, null, where).execute(db)).rows;

export async function findChannelRow(db: Db, channelId: string, kinds: readonly ChannelKind[]): Promise<ChannelRow | undefined> {
  return (await rowsOf(kinds, channelId).execute(db)).rows[0];
}

export async function wasDeletedLately(db: Db, channelId: string): Promise<boolean> {
  const { rows } = await sql`
    select from telemetry.channel where channel_id = ${channelId}
      and deleted_at > now() - make_interval(hours => ${tombstoneHours}) limit 1`.execute(db);
  return rows.length > 0;
}

/** Inserts a channel; returns undefined when the id is taken. */
export async function insertChannel(
  db: Db,
  channel: Pick<Channel, 'channel_id' | 'channel_name' | 'kind'>,
  by: { org_id: number; user_id: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into telemetry.channel (channel_id, channel_name, kind) values (${channel.channel_id}, ${channel.channel_name}, ${channel.kind})
      on conflict (channel_id) where deleted_at is null do nothing returning id),
    settings as (
      insert into channel_settings (channel_pk, org_id, created_by) select id, ${by.org_id}, ${by.user_id} from made returning channel_pk)
    select channel_pk as id from settings`.execute(db);
  return rows[0]?.id;
}

export const renameChannel = (db: Db, pk: number, channelName: string) =>
  sql`update telemetry.channel set channel_name = ${channelName} where id = ${pk}`.execute(db);

export const setChannelDisabled = (db: Db, pk: number, isDisabled: boolean) =>
  sql`
    update channel_settings set disabled_at = case when ${isDisabled} then coalesce(disabled_at, now()) end, updated_at = now()
    where channel_pk = ${pk}`.execute(db);

export const setChannelSettings = (db: Db, pk: number, changes: SettingChanges) =>
  sql`
    update channel_settings set auto_create = coalesce(${changes.auto_create ?? null}, auto_create),
      thingsboard_topics = coalesce(${changes.thingsboard_topics ?? null}, thingsboard_topics),
      ack_points = coalesce(${changes.ack_points ?? null}, ack_points),
      network_id = case when ${changes.network_id === undefined} then network_id else ${changes.network_id ?? null}::int end,
      application_id = case when ${changes.application_id === undefined} then application_id else ${changes.application_id ?? null}::text end,
      retention_days = case when ${changes.retention_days === undefined} then retention_days else ${changes.retention_days ?? null}::int end,
      metadata = coalesce(${changes.metadata ?? null}, metadata), updated_at = now()
    where channel_pk = ${pk}`.execute(db);

/** Finds the network for a channel, and another channel that is already bound to the same application. */
export async function findNetworkFor(
  db: Db,
  { network_id, application_id }: { network_id: number; application_id: string | null },
  exceptPk: number | null,
): Promise<{ type: string; taken_by: string | null } | undefined> {
  const { rows } = await sql<{ type: string; taken_by: string | null }>`
    select type, (
      select channel_id from channel_settings settings join telemetry.channel on channel.id = settings.channel_pk
      where settings.network_id = networks.id and settings.application_id is not distinct from ${application_id}::text
        and channel.deleted_at is null and channel.id is distinct from ${exceptPk}::int limit 1) as taken_by
    from networks where id = ${network_id}`.execute(db);
  return rows[0];
}

/** Sets the channel's key; without a record it removes the key. */
export const setChannelKey = (db: Db, pk: number, record?: DeviceKeyRecord) =>
  sql`
    update channel_settings set lookup_id = ${record?.lookup_id ?? null}, key_hash = ${record?.key_hash ?? null},
      key_sealed = ${record?.key_sealed ?? null}, updated_at = now()
    where channel_pk = ${pk}`.execute(db);

/** Deletes the channel and thereby its devices: every device lookup checks the channel as well. */
export const markChannelDeleted = (db: Db, pk: number) =>
  sql`update telemetry.channel set deleted_at = now() where id = ${pk} and deleted_at is null`.execute(db);

export async function listDevicePks(db: Db, channelPk: number): Promise<number[]> {
  const { rows } = await sql<Columns<'telemetry.device', 'id'>>`select id from telemetry.device where channel_pk = ${channelPk}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
