import type { LogLine, Progress } from '@telltale/domain/commands/progress.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { Observed } from './effects.ts';

/** The fields of a delivery that its progress depends on. */
export interface ProgressRow extends Progress {
  id: number;
  command_id: number | null;
  device_pk: number;
  wire_id: string;
  /** The time to wait for an uplink; null until it is known. */
  wait_seconds: number | null;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8 as ${sql.ref(column)}`;

/** Locks deliveries in the order of their ids, which prevents deadlocks. */
export async function lockDeliveries(db: Db, ids: readonly number[], wireIds: readonly string[]): Promise<ProgressRow[]> {
  const { rows } = await sql<ProgressRow>`
    select id, command_id, device_pk, wire_id, state, stage, reason, attempt, max_attempts, confirm, has_condition, is_direct, wait_seconds,
      ${ms('sent_at')}, ${ms('next_at')}, ${ms('expires_at')}
    from command_deliveries where id = any(${ids}::int[]) or wire_id = any(${wireIds}::text[])
    order by id for update`.execute(db);
  return rows;
}

export async function writeProgress(db: Db, rows: readonly (ProgressRow & { to_withdraw: boolean })[]): Promise<void> {
  const changed = rows.map(({ id, state, stage, reason, attempt, sent_at, next_at, wait_seconds, to_withdraw }) => ({
    id,
    state,
    stage,
    reason,
    attempt,
    sent_at,
    next_at,
    wait_seconds,
    to_withdraw,
  }));
  await sql`
    update command_deliveries set state = new.state, stage = new.stage, reason = new.reason, attempt = new.attempt,
      sent_at = to_timestamp(new.sent_at / 1000), next_at = to_timestamp(new.next_at / 1000), wait_seconds = new.wait_seconds,
      to_withdraw = new.to_withdraw,
      finished_at = case when new.stage = 'done' then coalesce(finished_at, clock_timestamp()) end
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as new(id int, state text, stage text, reason text, attempt smallint,
      sent_at float8, next_at float8, wait_seconds int, to_withdraw boolean)
    where command_deliveries.id = new.id`.execute(db);
}

export interface NewLogRow extends LogLine {
  delivery_id: number;
  attempt: number;
  raw: unknown;
}

export async function insertLog(db: Db, rows: readonly NewLogRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into command_delivery_log (delivery_id, attempt, state, reason, is_late, raw)
    select delivery_id, attempt, state, reason, is_late, raw
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(delivery_id int, attempt smallint, state text, reason text, is_late boolean,
      raw jsonb)`.execute(db);
}

/** The median of the last twenty gaps between uplinks in seconds, for devices that have reported. */
export async function medianGaps(db: Db, devicePks: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ device_pk: number; seconds: number }>`
    select wanted.device_pk, seconds from unnest(${devicePks}::int[]) as wanted(device_pk) cross join lateral (
      select percentile_cont(0.5) within group (order by gap)::float8 as seconds from (
        select extract(epoch from received_at - lag(received_at) over (order by received_at)) as gap from (
          select received_at from telemetry.uplink where uplink.device_pk = wanted.device_pk and received_at > now() - interval '30 days'
          order by received_at desc limit 21) newest) gaps
      where gap is not null) median
    where seconds is not null`.execute(db);
  return new Map(rows.map(({ device_pk, seconds }) => [device_pk, seconds]));
}

/** A notification holds 8,000 bytes; the ids are hints, and listeners read the rows. */
const idsPerNotice = 700;

export async function notifyIds(db: Db, channel: string, ids: Iterable<number>): Promise<void> {
  const all = [...new Set(ids)];
  for (let at = 0; at < all.length; at += idsPerNotice)
    await sql`select pg_notify(${channel}, ${all.slice(at, at + idsPerNotice).join(' ')})`.execute(db);
}

/** Reads the values that devices reported for the conditions of these deliveries after they were delivered. */
export async function readPointsSince(db: Db, ids: readonly number[]): Promise<(Observed & { delivery_id: number })[]> {
  const { rows } = await sql<Observed & { delivery_id: number }>`
    select delivery.id as delivery_id, retry_until -> 'options' as until, point.kind, point.value, point.value_text as text,
      (extract(epoch from point.time) * 1000)::float8 as at
    from command_deliveries delivery join command_executions execution on execution.id = execution_id
    join telemetry.attribute on attribute.channel_pk = delivery.channel_pk and attribute.name = retry_until -> 'options' ->> 'column'
    cross join lateral (select * from telemetry.metric_point where metric_point.device_pk = delivery.device_pk and attribute_id = attribute.id
      and time >= date_trunc('milliseconds', delivery.sent_at) order by time desc limit 200) point
    where delivery.id = any(${ids}::int[]) and delivery.sent_at is not null`.execute(db);
  return rows;
}

/** Lists open deliveries with a condition that uplinks can meet. */
export async function listOpenConditions(db: Db, ids: readonly number[] | null) {
  const { rows } = await sql<{ id: number; device_pk: number; until: Observed['until'] }>`
    select delivery.id, device_pk, retry_until -> 'options' as until
    from command_deliveries delivery join command_executions execution on execution.id = execution_id
    where has_condition and stage <> 'done' and (${ids}::int[] is null or delivery.id = any(${ids}::int[]))`.execute(db);
  return rows;
}
