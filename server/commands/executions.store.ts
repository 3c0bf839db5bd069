import type { RetryUntil } from '@telltale/domain/commands/command.ts';
import type { Execution } from '@telltale/domain/commands/delivery.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db, Effects } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';
import type { EncodedPayload } from './encoder.ts';
import { deliveryNotification, downlinkNotification } from './notices.ts';
import type { NewRun } from './schedules.store.ts';

interface NewExecution extends Omit<EncodedPayload, 'own'> {
  command_id: number;
  command_name: string;
  channel_pk: number;
  source: Execution['source'];
  schedule_id: number | null;
  alert_id: number | null;
  user_id: number | null;
  dedupe_key: string | null;
  due_at: Date;
  is_late: boolean;
  mode: 'push' | 'replace';
  confirm: boolean;
  max_attempts: number;
  retry_until: RetryUntil | null;
  wait_seconds: number | null;
  devices: number;
}

/** iot-behaviour 3.2: locks the devices, so that commands replace each other one after the other. */
export const lockDevices = (db: Db, devicePks: readonly number[]) =>
  sql`select from telemetry.device where id = any(${devicePks}::int[]) order by id for no key update`.execute(db);

/** When `write` fails, only what it has written is undone: the transaction around it can go on. */
export async function separately<T>(db: Db, write: () => Promise<T>): Promise<T> {
  await sql`savepoint separately`.execute(db);
  try {
    const answer = await write();
    await sql`release savepoint separately`.execute(db);
    return answer;
  } catch (error) {
    await sql`rollback to savepoint separately`.execute(db);
    throw error;
  }
}

export async function openDeliveries(db: Db, devicePks: readonly number[]): Promise<number[]> {
  const { rows } = await sql<Columns<'command_deliveries', 'id'>>`
    select id from command_deliveries where device_pk = any(${devicePks}::int[]) and stage <> 'done'`.execute(db);
  return rows.map(({ id }) => id);
}

export interface NewDelivery {
  device_pk: number;
  wire_id: string;
  /** The delay in milliseconds before it may be sent. */
  afterMs: number;
  /** Null where they are those of the execution. */
  bytes: Buffer | null;
  fport: number | null;
  /** Nothing is sent: the device already reports the effect (3.5.9), or there are no bytes for it. */
  ended: { state: 'succeeded' | 'failed'; reason: string } | null;
}

export interface MadeDelivery {
  id: number;
  device_pk: number;
  state: 'pending' | 'queued' | 'succeeded' | 'failed';
  reason: string | null;
}

export interface NewFiring {
  execution: NewExecution;
  /** The run of a schedule; its unique row makes the run happen once. */
  run: NewRun | null;
  is_direct: boolean;
  ttl_seconds: number;
  deliveries: readonly NewDelivery[];
}

/** A notification holds 8,000 bytes; the ids are hints, and listeners read the rows. */
const idsPerNotice = 700;

/**
 * Inserts a whole firing in one round trip: the run of its schedule, the execution, the deliveries with their first log lines, and the
 * notifications. Deliveries to devices of our own broker without any connection start as `queued`. Returns undefined when the same firing
 * exists already.
 */
export async function insertFiring(
  db: Db,
  { execution: one, run, is_direct, ttl_seconds, deliveries }: NewFiring,
): Promise<{ execution_id: number; deliveries: MadeDelivery[] } | undefined> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const devices = JSON.stringify(
    deliveries.map(({ device_pk, wire_id, afterMs, bytes, fport, ended }) => ({
      device_pk,
      wire_id,
      after_ms: afterMs,
      bytes: bytes?.toString('hex'),
      fport,
      ended_state: ended?.state,
      ended_reason: ended?.reason,
    })),
  );
  const once = run
    ? sql`insert into command_schedule_runs (schedule_id, due_at, uplink_id, status, execution_id)
        select ${run.schedule_id}::int, ${run.due_at}::timestamptz, ${run.uplink_id ?? null}::text, ${run.status}::text, id from numbered
        on conflict do nothing returning execution_id as id`
    : sql`select id from numbered`;
  const { rows } = await sql<MadeDelivery & Effects & { execution_id: number }>`
    with numbered as materialized (select nextval(pg_get_serial_sequence('console.command_executions', 'id'))::int as id),
    once as (${once}),
    execution as (
      insert into command_executions (id, command_id, command_name, channel_pk, source, schedule_id, alert_id, user_id, dedupe_key, due_at, is_late,
        mode, fport, confirm, encoding, bytes, object, is_encoded, max_attempts, retry_until, wait_seconds, devices)
      overriding system value
      select id, ${one.command_id}, ${one.command_name}, ${one.channel_pk}, ${one.source}, ${one.schedule_id}::int, ${one.alert_id}::int,
        ${one.user_id}::int, ${one.dedupe_key}, ${one.due_at}::timestamptz, ${one.is_late}::boolean, ${one.mode}, ${one.fport}::smallint,
        ${one.confirm}::boolean, ${one.encoding}, ${one.bytes}::bytea, ${json(one.object)}::jsonb, ${one.is_encoded}::boolean,
        ${one.max_attempts}::smallint, ${json(one.retry_until)}::jsonb, ${one.wait_seconds}::int, ${one.devices}::int
      from once on conflict (dedupe_key) do nothing returning id),
    made as (
      insert into command_deliveries (execution_id, command_id, channel_pk, device_pk, wire_id, state, stage, max_attempts, confirm, has_condition,
        is_direct, wait_seconds, expires_at, next_at, bytes, fport, reason, finished_at)
      select execution.id, ${one.command_id}, ${one.channel_pk}, device_pk, wire_id,
        case when ended_state is not null then ended_state when ${is_direct} and not exists (select from mqtt_connections open where open.device_pk = new.device_pk) then 'queued' else 'pending' end,
        case when ended_state is null then 'ready' else 'done' end, ${one.max_attempts}::smallint, ${one.confirm}, ${one.retry_until !== null}, ${is_direct}, ${one.wait_seconds}::int,
        clock_timestamp() + make_interval(secs => ${ttl_seconds}), case when ended_state is null then clock_timestamp() + after_ms * interval '1 millisecond' end,
        decode(bytes, 'hex'), fport, ended_reason, case when ended_state is not null then clock_timestamp() end
      from execution cross join jsonb_to_recordset(${devices}::jsonb) as new(device_pk int, wire_id text, after_ms float8, bytes text, fport smallint,
        ended_state text, ended_reason text)
      returning id, execution_id, device_pk, state, reason),
    logged as (
      insert into command_delivery_log (delivery_id, attempt, state, reason)
      select id, 0, state, coalesce(reason, case when state = 'queued' then 'device_offline' end) from made),
    told as materialized (
      select pg_notify(${downlinkNotification}, string_agg(device_pk::text, ' ')) as devices, pg_notify(${deliveryNotification}, string_agg(id::text, ' ')) as ids
      from (select made.*, (row_number() over (order by id) - 1) / ${idsPerNotice}::int as part from made) parts group by part)
    select id, execution_id, device_pk, state, reason, (select count(devices) + count(ids) from told) as told from made order by id`.execute(
    db,
  );
  const [first] = rows;
  if (!first) return undefined;
  return {
    execution_id: first.execution_id,
    deliveries: rows.map(({ id, device_pk, state, reason }) => ({ id, device_pk, state, reason })),
  };
}

interface ExecutionRow extends Omit<Execution, 'user'> {
  user_id: number | null;
  user_name: string | null;
}

/** Lists the executions on the channels that `reached` allows, newest first. */
export async function listExecutionRows(
  db: Db,
  commandId: number,
  params: ListParams,
  reached: RawBuilder<boolean>,
): Promise<Page<Execution>> {
  const page = await listPage(db, params, {
    fields: sql<ExecutionRow>`execution.id, execution.command_id, source, schedule_id, alert_id, execution.user_id, users.name as user_name, due_at, is_late, mode,
      devices, execution.created_at, figures.*`,
    from: sql`command_executions execution left join users on users.id = execution.user_id cross join lateral (
      select coalesce(jsonb_object_agg(state, count), '{}') as states, coalesce(bool_and(is_final), true) as is_final,
        case when bool_and(is_final) then max(finished_at) end as finished_at
      from (select state, count(*) as count, bool_and(stage = 'done') as is_final, max(finished_at) as finished_at
        from command_deliveries where execution_id = execution.id group by state) by_state) figures`,
    where: sql`execution.command_id = ${commandId} and execution.channel_pk in (select channel.id from telemetry.channel where ${reached})`,
    order: sql`execution.id desc`,
  });
  const results = page.results.map(({ user_id, user_name, ...row }) => ({
    ...row,
    user: user_id === null ? null : { id: user_id, name: user_name ?? '' },
  }));
  return { ...page, results };
}
