import type { Channel, ChannelKind, ChannelSettings } from '@telltale/domain/channels/contract.ts';
import { sql } from 'kysely';
import type { DeviceKeyRecord } from '../networks/device-key.ts';
import type { Db } from '../platform/database.ts';

export type ChannelRow = Channel & { pk: number; settings: ChannelSettings; key_sealed: Buffer | null };

/** iot-behaviour 1.2: nobody inherits the id of a channel that was deleted a moment ago, with devices that still use it. */
const tombstoneHours = 24;

const rowsOf = (kinds: readonly ChannelKind[], channelId: string | null) => sql<ChannelRow>`
  select channel.id as pk, channel_id, channel_name, kind, channel.created_at, settings.disabled_at is not null as is_disabled,
    jsonb_build_object('auto_create', coalesce(auto_create, false), 'thingsboard_topics', coalesce(thingsboard_topics, false)) as settings,
    settings.key_sealed, coalesce(devices.device_count, 0) as device_count, coalesce(devices.online_count, 0) as online_count
  from telemetry.channel
  left join channel_settings settings on settings.channel_pk = channel.id
  left join lateral (
    select count(*) as device_count, count(*) filter (where state.online) as online_count
    from telemetry.device left join telemetry.device_state state on state.device_pk = device.id
    where device.channel_pk = channel.id and device.deleted_at is null) devices on true
  where channel.deleted_at is null and kind = any(${[...kinds]}::text[]) and (${channelId}::text is null or channel_id = ${channelId})
  order by channel.created_at desc, channel.id desc`;

export const listChannelRows = async (db: Db, kinds: readonly ChannelKind[]): Promise<ChannelRow[]> =>
  (await rowsOf(kinds, null).execute(db)).rows;

export async function findChannelRow(db: Db, channelId: string, kinds: readonly ChannelKind[]): Promise<ChannelRow | undefined> {
  return (await rowsOf(kinds, channelId).execute(db)).rows[0];
}

export async function wasDeletedLately(db: Db, channelId: string): Promise<boolean> {
  const { rows } = await sql`
    select from telemetry.channel where channel_id = ${channelId}
      and deleted_at > now() - make_interval(hours => ${tombstoneHours}) limit 1`.execute(db);
  return rows.length > 0;
}

/** Nothing when the id is taken. */
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

export const setChannelSettings = (db: Db, pk: number, { auto_create, thingsboard_topics }: Partial<ChannelSettings>) =>
  sql`
    update channel_settings set auto_create = coalesce(${auto_create ?? null}, auto_create),
      thingsboard_topics = coalesce(${thingsboard_topics ?? null}, thingsboard_topics), updated_at = now()
    where channel_pk = ${pk}`.execute(db);

/** Without a record there is no key any more. */
export const setChannelKey = (db: Db, pk: number, record?: DeviceKeyRecord) =>
  sql`
    update channel_settings set lookup_id = ${record?.lookup_id ?? null}, key_hash = ${record?.key_hash ?? null},
      key_sealed = ${record?.key_sealed ?? null}, updated_at = now()
    where channel_pk = ${pk}`.execute(db);

/** Its devices go with it: whoever looks for one asks for the channel, too. */
export const markChannelDeleted = (db: Db, pk: number) =>
  sql`update telemetry.channel set deleted_at = now() where id = ${pk} and deleted_at is null`.execute(db);
