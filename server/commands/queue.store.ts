import type { PayloadEncoding } from '@telltale/domain/commands/payload.ts';
import { timing } from '@telltale/domain/commands/progress.ts';
import { sql } from 'kysely';
import type { ChannelEntry } from '../networks/directory.ts';
import type { Columns, Db } from '../platform/database.ts';
import { deliveryNotification } from './notices.ts';
import { notifyIds } from './progress.store.ts';

/** A delivery and the device that it is for. */
export interface AddressedDelivery {
  id: number;
  wire_id: string;
  attempt: number;
  device_pk: number;
  device_id: string;
  device_name: string;
  dev_eui: string | null;
  channel_pk: number;
  channel_id: string;
  channel_name: string;
  kind: ChannelEntry['kind'];
}

/** The next delivery of a device, with everything that is needed to send it. */
export interface Head extends AddressedDelivery {
  is_direct: boolean;
  command_name: string;
  mode: 'push' | 'replace';
  fport: number;
  confirm: boolean;
  encoding: PayloadEncoding;
  bytes: Buffer;
  object: Record<string, unknown> | null;
  is_encoded: boolean;
  max_attempts: number;
  created: number;
  expires: number;
  /** False when its channel has reached its limit for this second. */
  fits: boolean;
}

/**
 * iot-behaviour 3.2: reads the oldest due delivery of each device that has none in flight. Devices behind a network have no such limit: the
 * network keeps the order.
 */
export async function readHeads(db: Db, devicePks: readonly number[], perSecond: number): Promise<Head[]> {
  const { rows } = await sql<Head>`
    with heads as (
      select distinct on (device_pk) id, device_pk, channel_pk from command_deliveries ready
      where device_pk = any(${devicePks}::int[]) and stage = 'ready' and next_at <= now() and expires_at > now()
        and not (is_direct and exists (select from command_deliveries other
          where other.device_pk = ready.device_pk and other.is_direct and other.stage in ('flying', 'answer')))
      order by device_pk, id),
    rooms as (
      select channel_pk, ${perSecond} - (select count(*) from command_deliveries sent
        where sent.channel_pk = channels.channel_pk and handed_at > now() - interval '1 second') as room
      from (select distinct channel_pk from heads) channels)
    select delivery.id, wire_id, delivery.attempt, is_direct, delivery.device_pk, device_id, device_name, dev_eui, delivery.channel_pk,
      channel.channel_id, channel.channel_name, channel.kind, command_name, mode, coalesce(delivery.fport, execution.fport) as fport,
      delivery.confirm, encoding, coalesce(delivery.bytes, execution.bytes) as bytes, object, is_encoded,
      delivery.max_attempts, (extract(epoch from delivery.created_at) * 1000)::float8 as created,
      (extract(epoch from expires_at) * 1000)::float8 as expires,
      row_number() over (partition by delivery.channel_pk order by delivery.id) <= room as fits
    from heads join command_deliveries delivery on delivery.id = heads.id join rooms on rooms.channel_pk = heads.channel_pk
    join command_executions execution on execution.id = execution_id
    join telemetry.device on device.id = delivery.device_pk join telemetry.channel on channel.id = device.channel_pk
    where device.deleted_at is null and channel.deleted_at is null
    order by delivery.id`.execute(db);
  return rows;
}

/** Claims deliveries for this process; a second claim of the same delivery gets nothing. */
export async function claim(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<Columns<'command_deliveries', 'id'>>`
    update command_deliveries set stage = 'flying', attempt = attempt + 1, handed_at = clock_timestamp(),
      next_at = clock_timestamp() + make_interval(secs => ${timing.flyingMs / 1000})
    where id in (select id from command_deliveries where id = any(${ids}::int[]) and stage = 'ready' order by id for update skip locked)
    returning id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Releases the deliveries of devices that are reachable again: waiting ones become due, and those sent to an earlier connection are sent
 * again under the same id.
 */
export async function release(db: Db, devicePks: readonly number[], handedBefore: Date | null): Promise<void> {
  await sql`
    update command_deliveries set next_at = now(), stage = 'ready', state = 'queued',
      attempt = attempt - case when stage = 'flying' then 1 else 0 end
    where device_pk = any(${devicePks}::int[]) and is_direct
      and ((stage = 'ready' and state = 'queued') or (stage = 'flying' and handed_at < ${handedBefore}::timestamptz))`.execute(db);
}

/** Tells whether any delivery has not ended or waits to be taken out of a network: without one, sweeps have nothing to look for. */
export async function isAnyOpen(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_open: boolean }>`
    select exists (select from command_deliveries where stage <> 'done') or exists (select from command_deliveries where to_withdraw) as is_open`.execute(
    db,
  );
  return rows[0]?.is_open === true;
}

/** Lists devices with due deliveries, oldest first. */
export async function dueDevices(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ device_pk: number }>`
    select device_pk from (select device_pk, next_at from command_deliveries where stage = 'ready' and next_at <= now() and expires_at > now()
      order by next_at limit ${limit}) due group by device_pk order by min(next_at)`.execute(db);
  return rows.map(({ device_pk }) => device_pk);
}

/** Lists devices of our own broker with waiting deliveries. */
export async function waitedFor(db: Db): Promise<{ device_pk: number; device_id: string; channel_pk: number; channel_id: string }[]> {
  const { rows } = await sql<{ device_pk: number; device_id: string; channel_pk: number; channel_id: string }>`
    select device.id as device_pk, device_id, channel.id as channel_pk, channel_id
    from (select distinct device_pk from command_deliveries where stage = 'ready' and is_direct limit 50000) waiting
    join telemetry.device on device.id = device_pk join telemetry.channel on channel.id = device.channel_pk`.execute(db);
  return rows;
}

/** Lists deliveries that have timed out or expired. */
export async function timedOut(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (select id from command_deliveries where stage in ('flying', 'network', 'answer', 'effect') and next_at <= now() limit ${limit})
    union (select id from command_deliveries where stage in ('ready', 'flying', 'network') and expires_at <= now() limit ${limit})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Reschedules overdue deliveries that this process cannot send. Devices connected to another process are left to that process; devices
 * connected here that do not listen are tried again after a while; devices without any connection wait until they connect.
 */
export async function settleUnreached(db: Db, devicePks: readonly number[], processId: string): Promise<void> {
  const { rows } = await sql<{ id: number; was_pending: boolean }>`
    with late as (
      select id, state = 'pending' as was_pending, attempt, is_direct and not exists (select from mqtt_connections open
        where open.device_pk = delivery.device_pk) as is_offline
      from command_deliveries delivery
      where device_pk = any(${devicePks}::int[]) and stage = 'ready' and next_at < now() - interval '2 seconds'
        and not exists (select from mqtt_connections open where open.device_pk = delivery.device_pk and open.process_id <> ${processId})
      for update of delivery skip locked),
    settled as (
      update command_deliveries delivery set state = 'queued', next_at = case when is_offline then null else now() + interval '5 seconds' end
      from late where delivery.id = late.id returning delivery.id, was_pending, late.attempt),
    logged as (
      insert into command_delivery_log (delivery_id, attempt, state, reason)
      select id, attempt, 'queued', 'device_offline' from settled where was_pending)
    select id, was_pending from settled`.execute(db);
  await notifyIds(
    db,
    deliveryNotification,
    rows.filter(({ was_pending }) => was_pending).map(({ id }) => id),
  );
}

/** Lists deliveries that ended while they were in a network's queue, without some that are left out. */
export async function takeWithdrawn(db: Db, leftOut: readonly number[], limit: number): Promise<AddressedDelivery[]> {
  const { rows } = await sql<AddressedDelivery>`
    select delivery.id, wire_id, delivery.attempt, delivery.device_pk, device_id, device_name, dev_eui, delivery.channel_pk, channel.channel_id,
      channel.channel_name, channel.kind
    from command_deliveries delivery join telemetry.device on device.id = delivery.device_pk
    join telemetry.channel on channel.id = device.channel_pk
    where to_withdraw and delivery.id <> all(${leftOut}::int[]) order by delivery.id limit ${limit}`.execute(db);
  return rows;
}

export const noteWithdrawn = (db: Db, ids: readonly number[]) =>
  sql`update command_deliveries set to_withdraw = false where id = any(${ids}::int[])`.execute(db);
