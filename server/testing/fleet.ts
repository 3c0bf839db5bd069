import { sql } from 'kysely';
import { newDeviceKey } from '../networks/device-key.ts';
import type { Ctx } from '../platform/context.ts';

export interface MadeDevice {
  channel_id: string;
  device_id: string;
  pk: number;
  channel_pk: number;
  api_key: string;
}

/** Inserts a channel and some devices with their keys directly into the tables. */
export async function makeDevices(ctx: Ctx, channelId: string, count: number, name = (n: number) => `d-${String(n).padStart(5, '0')}`) {
  const found = await sql<{ id: number }>`
    insert into telemetry.channel (channel_id, channel_name, kind) values (${channelId}, ${`Channel ${channelId}`}, 'mqtt')
    on conflict (channel_id) where deleted_at is null do update set channel_name = excluded.channel_name returning id`.execute(ctx.db);
  const channel_pk = found.rows[0]?.id ?? 0;
  await sql`
    insert into channel_settings (channel_pk, org_id) select ${channel_pk}, id from organizations on conflict do nothing`.execute(ctx.db);
  const ids = Array.from({ length: count }, (_, n) => name(n));
  const { rows } = await sql<{ id: number; device_id: string }>`
    insert into telemetry.device (channel_pk, device_id, device_name) select ${channel_pk}, id, 'Device ' || id from unnest(${ids}::text[]) as id
    returning id, device_id`.execute(ctx.db);
  const made = rows.map(({ id, device_id }) => ({ channel_id: channelId, channel_pk, device_id, pk: id, ...newDeviceKey(ctx.secrets) }));
  await sql`
    insert into device_keys (device_pk, lookup_id, key_hash, key_sealed)
    select * from unnest(${made.map(({ pk }) => pk)}::int[], ${made.map(({ record }) => record.lookup_id)}::text[],
      ${made.map(({ record }) => record.key_hash)}::bytea[], ${made.map(({ record }) => record.key_sealed)}::bytea[])`.execute(ctx.db);
  return made.map(({ record: _, ...device }): MadeDevice => device);
}
