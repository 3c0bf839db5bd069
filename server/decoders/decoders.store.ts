import type { Decoder, DecoderExample, DecoderVersion } from '@telltale/domain/decoders/contract.ts';
import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** A decoder in use; an empty script counts as none. */
export interface ActiveDecoder {
  channel_pk: number;
  version: number;
  script: string;
  paused_until: string | null;
}

export async function findActiveDecoder(db: Db, channelPk: number): Promise<ActiveDecoder | undefined> {
  const { rows } = await sql<ActiveDecoder>`
    select channel_pk, version, script, paused_until from decoders join decoder_versions using (channel_pk, version)
    where channel_pk = ${channelPk}`.execute(db);
  return rows[0];
}

export async function findDecoder(db: Db, channelPk: number): Promise<Decoder | undefined> {
  const { rows } = await sql<Decoder>`
    select script, examples, version, case when paused_until > now() then paused_until end as paused_until,
      stored.created_at as updated_at, users.name as updated_by
    from decoders join decoder_versions stored using (channel_pk, version) left join users on users.id = stored.created_by
    where channel_pk = ${channelPk}`.execute(db);
  return rows[0];
}

/** Locks the channel's decoder and returns its version; 0 when there is none. */
export async function lockDecoderVersion(db: Db, channelPk: number): Promise<number> {
  await sql`select from telemetry.channel where id = ${channelPk} for no key update`.execute(db);
  const { rows } = await sql<Columns<'decoders', 'version'>>`select version from decoders where channel_pk = ${channelPk}`.execute(db);
  return rows[0]?.version ?? 0;
}

export interface NewVersion {
  version: number;
  script: string;
  examples: readonly DecoderExample[];
  is_overridden: boolean;
  created_by: number;
}

/** Inserts a version and closes the circuit breaker, because the new script may be faster. */
export async function insertVersion(db: Db, channelPk: number, { version, script, examples, is_overridden, created_by }: NewVersion) {
  await sql`
    insert into decoder_versions (channel_pk, version, script, examples, is_overridden, created_by)
    values (${channelPk}, ${version}, ${script}, ${JSON.stringify(examples)}::jsonb, ${is_overridden}, ${created_by})`.execute(db);
  await sql`
    insert into decoders (channel_pk, version) values (${channelPk}, ${version})
    on conflict (channel_pk) do update set version = excluded.version, paused_until = null, updated_at = now()`.execute(db);
  await sql`delete from decoder_versions where channel_pk = ${channelPk} and version <= ${version - decoderLimits.versions}`.execute(db);
}

const versionFields = sql`version, octet_length(script) as bytes, is_overridden, stored.created_at, users.name as created_by`;
const versions = sql`decoder_versions stored left join users on users.id = stored.created_by`;

export async function listVersions(db: Db, channelPk: number): Promise<DecoderVersion[]> {
  const { rows } = await sql<DecoderVersion>`
    select ${versionFields} from ${versions} where channel_pk = ${channelPk} order by version desc`.execute(db);
  return rows;
}

export async function findVersion(db: Db, channelPk: number, version: number) {
  const { rows } = await sql<DecoderVersion & { script: string; examples: DecoderExample[] }>`
    select ${versionFields}, script, examples from ${versions} where channel_pk = ${channelPk} and version = ${version}`.execute(db);
  return rows[0];
}

/** iot-behaviour 4.3: pauses a decoder; true for the first process that does it. */
export async function pauseDecoder(db: Db, channelPk: number, version: number, pauseMs: number): Promise<boolean> {
  const { rows } = await sql`
    update decoders set paused_at = now(), paused_until = now() + make_interval(secs => ${pauseMs / 1000}::float8)
    where channel_pk = ${channelPk} and version = ${version} and (paused_until is null or paused_until < now()) returning version`.execute(
    db,
  );
  return rows.length > 0;
}

/** Finds the user who last saved a decoder, and its channel, for a notification. */
export async function findDecoderOwner(db: Db, channelPk: number) {
  const { rows } = await sql<{ channel_id: string; channel_name: string; name: string | null; email: string | null }>`
    select channel_id, channel_name, users.name, users.email
    from decoders join decoder_versions stored using (channel_pk, version) join telemetry.channel on channel.id = channel_pk
    left join channel_settings settings using (channel_pk)
    left join users on users.id = coalesce(stored.created_by, settings.created_by) and users.disabled_at is null
    where channel_pk = ${channelPk}`.execute(db);
  return rows[0];
}

/**
 * Whether a message consists of bytes of the device, which a decoder reads (iot-behaviour 2.5). Earlier versions kept the object that a network
 * had decoded as if its JSON text were bytes; a script would make nothing of it, and its points would be lost.
 */
export const hasDeviceBytes = sql`encoding = 'raw' and length(raw) > 0
  and not (decoder_version is null and coalesce(meta ? 'gateways', false) and (raw like '{"%}'::bytea or raw = '{}'::bytea))`;

export interface RecentRow {
  uplink_id: string;
  device_id: string;
  dev_eui: string | null;
  variables: Record<string, string>;
  received_at: string;
  fport: number | null;
  raw: Buffer;
  decoder_version: number | null;
}

/** Lists the newest binary messages of a channel, from the most recently seen devices. */
export async function listRecentUplinks(db: Db, channelPk: number, most: number): Promise<RecentRow[]> {
  const { rows } = await sql<RecentRow>`
    with seen as (
      select device.id, device_id, dev_eui, variables from telemetry.device left join telemetry.device_state state on state.device_pk = device.id
      where channel_pk = ${channelPk} and deleted_at is null order by coalesce(last_seen_at, device.created_at) desc limit 100)
    select uplink.uplink_id, seen.device_id, seen.dev_eui, seen.variables, uplink.received_at, uplink.fport, uplink.raw, uplink.decoder_version
    from seen cross join lateral (
      select * from telemetry.uplink where device_pk = seen.id and ${hasDeviceBytes}
      order by received_at desc limit ${most}) uplink
    order by uplink.received_at desc limit ${most}`.execute(db);
  return rows;
}
