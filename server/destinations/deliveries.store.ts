import type { Delivery, DeliveryStatus } from '@telltale/domain/destinations/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';

export interface NewDelivery {
  key: string;
  destination_id: number | null;
  user_id: number | null;
  name: string;
  alert_id: number | null;
  command_id: number | null;
  device_id: string | null;
  subject: string;
  notice: string;
}

/** Inserts a delivery; returns undefined when its key exists already. */
export async function insertDelivery(db: Db, delivery: NewDelivery): Promise<number | undefined> {
  const { key, destination_id, user_id, name, alert_id, command_id, device_id, subject, notice } = delivery;
  const { rows } = await sql<Columns<'notice_deliveries', 'id'>>`
    insert into notice_deliveries (key, destination_id, user_id, target_id, name, alert_id, command_id, device_id, subject, notice)
    values (${key}, ${destination_id}, ${user_id}, ${destination_id ?? -1}, ${name}, ${alert_id}, ${command_id}, ${device_id}, ${subject}, ${notice}::jsonb)
    on conflict (key) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export interface WaitingDelivery
  extends Columns<'notice_deliveries', 'id' | 'key' | 'destination_id' | 'user_id' | 'attempts' | 'reached'> {
  notice: unknown;
}

export async function findWaiting(db: Db, id: number): Promise<WaitingDelivery | undefined> {
  const { rows } = await sql<WaitingDelivery>`
    select id, key, destination_id, user_id, notice, attempts, reached from notice_deliveries where id = ${id} and status = 'waiting'`.execute(
    db,
  );
  return rows[0];
}

/** Records each target as soon as it answers: the next attempt leaves it out, even after this process was killed. */
export const addReached = (db: Db, id: number, target: string) =>
  sql`update notice_deliveries set reached = reached || ${target}::text where id = ${id}`.execute(db);

/** The sweep leaves a delivery alone that has just become due. */
export const holdDelivery = (db: Db, id: number) =>
  sql`update notice_deliveries set next_attempt_at = now() where id = ${id} and status = 'waiting'`.execute(db);

export interface Attempt {
  status: DeliveryStatus;
  error: string | null;
  /** Seconds until the next attempt. */
  again: number | null;
}

/** Records an attempt; the last error stays visible after a later success. */
export const settleAttempt = (db: Db, id: number, { status, error, again }: Attempt) =>
  sql`
    update notice_deliveries set status = ${status}, attempts = attempts + 1, last_error = coalesce(${error}::text, last_error),
      sent_at = case when ${status} = 'sent' then now() end,
      next_attempt_at = case when ${again}::int is not null then now() + make_interval(secs => ${again ?? 0}) end
    where id = ${id} and status = 'waiting'`.execute(db);

const giveUp = (db: Db, where: RawBuilder<unknown>, reason: string) =>
  sql`update notice_deliveries set status = 'gave_up', last_error = ${reason}, next_attempt_at = null where status = 'waiting' and ${where}`.execute(
    db,
  );
export const giveUpOnDestination = (db: Db, id: number) => giveUp(db, sql`destination_id = ${id}`, 'The destination was deleted.');
export const giveUpOnAlert = (db: Db, id: number) => giveUp(db, sql`alert_id = ${id}`, 'The alert was deleted.');

/** Lists due deliveries without a job. */
export async function listForgotten(db: Db): Promise<{ id: number; target: string }[]> {
  const { rows } = await sql<{ id: number; target: string }>`
    select id, coalesce('destination ' || destination_id, 'user ' || user_id, '') as target from notice_deliveries d
    where status = 'waiting' and next_attempt_at < now() - interval '8 seconds' and not exists (
      select from jobs where name = 'notices.send' and status in (1, 2) and payload @> jsonb_build_object('delivery_id', d.id))
    order by next_attempt_at limit 500`.execute(db);
  return rows;
}

const fields = sql`id, 'destination' as kind, target_id, name, status, attempts, last_error, created_at, sent_at, subject,
  case when status = 'waiting' then next_attempt_at end as next_attempt_at, device_id`;

async function list(db: Db, params: ListParams, where: RawBuilder<unknown>): Promise<Page<Delivery>> {
  const page = await listPage(db, params, {
    fields: sql<Omit<Delivery, 'device_id'> & { device_id: string | null }>`${fields}`,
    from: sql`notice_deliveries`,
    where,
    order: sql`id desc`,
  });
  return { ...page, results: page.results.map(({ device_id, ...delivery }) => (device_id ? { ...delivery, device_id } : delivery)) };
}

export const listDeliveriesOfDestination = (db: Db, id: number, params: ListParams) => list(db, params, sql`destination_id = ${id}`);

export const deleteOldDeliveries = (db: Db, days: number) =>
  sql`delete from notice_deliveries where created_at < now() - make_interval(days => ${days})`.execute(db);
