import type { DeliveryListParams } from '@telltale/domain/commands/contract.ts';
import type { Delivery, DeliveryLogRow } from '@telltale/domain/commands/delivery.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';

const fields = sql`delivery.id, delivery.execution_id, delivery.command_id, execution.command_name, channel.channel_id, device.device_id,
  device.device_name, execution.source, delivery.state, delivery.stage = 'done' as is_final, delivery.reason, delivery.attempt,
  delivery.max_attempts, execution.mode, delivery.confirm, coalesce(delivery.fport, execution.fport) as fport, execution.encoding,
  encode(coalesce(delivery.bytes, execution.bytes), 'hex') as bytes_hex,
  delivery.created_at, delivery.sent_at, delivery.finished_at, delivery.expires_at`;
const from = sql`command_deliveries delivery join command_executions execution on execution.id = execution_id
  join telemetry.device on device.id = delivery.device_pk join telemetry.channel on channel.id = device.channel_pk`;

/** Lists deliveries of the channels that `reached` allows, newest first. */
export function listDeliveryRows(
  db: Db,
  of: { command_id: number } | { device_pk: number },
  params: DeliveryListParams,
  reached: RawBuilder<boolean>,
): Promise<Page<Delivery>> {
  const conditions: RawBuilder<unknown>[] = [
    'command_id' in of ? sql`delivery.command_id = ${of.command_id}` : sql`delivery.device_pk = ${of.device_pk}`,
    reached,
  ];
  if (params.state.length > 0) conditions.push(sql`delivery.state = any(${params.state}::text[])`);
  if (params.device_id !== undefined) conditions.push(sql`device.device_id = ${params.device_id}`);
  if (params.execution_id !== undefined) conditions.push(sql`delivery.execution_id = ${params.execution_id}`);
  const where = sql.join(conditions, sql` and `);
  return listPage(db, params, { fields: sql<Delivery>`${fields}`, from, where, order: sql`delivery.id desc` });
}

export type DeliveryWithDevice = Delivery & { device_pk: number; channel_pk: number };

export async function findDeliveries(db: Db, ids: readonly number[]): Promise<DeliveryWithDevice[]> {
  const { rows } = await sql<DeliveryWithDevice>`
    select ${fields}, delivery.device_pk, device.channel_pk from ${from} where delivery.id = any(${ids}::int[]) order by delivery.id`.execute(
    db,
  );
  return rows;
}

/** Whether a delivery with this id was ever made for the device. */
export async function hasDelivery(db: Db, devicePk: number, wireId: string): Promise<boolean> {
  const { rows } = await sql`select from command_deliveries where wire_id = ${wireId} and device_pk = ${devicePk}`.execute(db);
  return rows.length > 0;
}

const logFields = sql`log.id, log.delivery_id, log.at, device.device_id, log.attempt, log.state, log.reason, log.is_late, log.raw`;
const logFrom = sql`command_delivery_log log join command_deliveries delivery on delivery.id = log.delivery_id
  join telemetry.device on device.id = delivery.device_pk`;

export async function readLog(db: Db, deliveryId: number): Promise<DeliveryLogRow[]> {
  const { rows } = await sql<DeliveryLogRow>`
    select ${logFields} from ${logFrom} where log.delivery_id = ${deliveryId} order by log.id`.execute(db);
  return rows;
}

/** Lists the log lines of deliveries after an id with their devices, oldest first. */
export async function readLogAfter(
  db: Db,
  deliveryIds: readonly number[],
  after: number,
): Promise<(DeliveryLogRow & { device_pk: number })[]> {
  const { rows } = await sql<DeliveryLogRow & { device_pk: number }>`
    select ${logFields}, delivery.device_pk from ${logFrom}
    where log.delivery_id = any(${deliveryIds}::int[]) and log.id > ${after} order by log.id limit 2000`.execute(db);
  return rows;
}

export async function newestLogId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from command_delivery_log`.execute(db);
  return rows[0]?.id ?? 0;
}

export async function openOfCommand(db: Db, commandId: number): Promise<number[]> {
  const { rows } = await sql<Columns<'command_deliveries', 'id'>>`
    select id from command_deliveries where command_id = ${commandId} and stage <> 'done'`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes old executions, with all their rows, whose deliveries have all ended long ago. */
export const deleteOldExecutions = (db: Db, days: number) =>
  sql`
    delete from command_executions where created_at < now() - make_interval(days => ${days})
      and not exists (select from command_deliveries where execution_id = command_executions.id
        and (stage <> 'done' or finished_at > now() - make_interval(days => ${days})))`.execute(db);

export async function findDevicesOf(
  db: Db,
  channelId: string,
  deviceIds: readonly string[],
): Promise<{ pk: number; device_id: string; channel_pk: number }[]> {
  const { rows } = await sql<{ pk: number; device_id: string; channel_pk: number }>`
    select device.id as pk, device_id, channel_pk from telemetry.device join telemetry.channel on channel.id = channel_pk
    where channel_id = ${channelId} and device_id = any(${deviceIds}::text[]) and device.deleted_at is null and channel.deleted_at is null`.execute(
    db,
  );
  return rows;
}
