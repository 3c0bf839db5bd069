import type { Condition, ScheduleRun } from '@telltale/domain/commands/schedule.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';

export interface ScheduleFields {
  type: 'o' | 'r' | 'e';
  name: string;
  timezone: string;
  schedule: string | null;
  channel_pk: number | null;
  device_pk: number | null;
  attribute: string | null;
  operator: string | null;
  value: unknown;
  condition: Condition | null;
  hold_seconds: number;
  clear_value: number | null;
  cooldown_seconds: number;
  state: 'armed' | 'active' | 'unknown' | null;
  /** For events: the newest time that was evaluated, in microseconds since 1970. */
  evaluated_at: number | null;
  next_run_at: Date | null;
}

export interface ScheduleRow extends Omit<ScheduleFields, 'next_run_at'> {
  id: number;
  command_id: number;
  channel_id: string | null;
  device_id: string | null;
  next_run_at: string | null;
  last_run_at: string | null;
  hold_until: string | null;
  suspended_at: string | null;
  suspended_reason: string | null;
  created_at: string;
  updated_at: string;
}

/** Keeps microseconds: two successive readings of one device may be less than a millisecond apart. */
const exactTime = (micros: number | null) => sql`to_timestamp(${micros}::float8 / 1000000)`;
const exactMicros = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000000)::float8`);

const fields = sql`schedule.id, command_id, type, name, timezone, schedule.schedule, schedule.channel_pk, schedule.device_pk, channel.channel_id,
  device.device_id, attribute, operator, value, condition, hold_seconds, clear_value, cooldown_seconds, state,
  ${exactMicros('evaluated_at')} as evaluated_at, hold_until, next_run_at, last_run_at, suspended_at, suspended_reason, schedule.created_at, updated_at`;
const from = sql`command_schedules schedule left join telemetry.channel on channel.id = schedule.channel_pk
  left join telemetry.device on device.id = schedule.device_pk`;

export async function listScheduleRows(db: Db, commandId: number): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select ${fields} from ${from} where command_id = ${commandId} order by schedule.created_at desc, schedule.id desc`.execute(db);
  return rows;
}

export async function findSchedule(db: Db, commandId: number, id: number): Promise<ScheduleRow | undefined> {
  const { rows } = await sql<ScheduleRow>`select ${fields} from ${from} where command_id = ${commandId} and schedule.id = ${id}`.execute(
    db,
  );
  return rows[0];
}

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

export async function insertSchedule(db: Db, commandId: number, userId: number, one: ScheduleFields): Promise<number> {
  const { rows } = await sql<Columns<'command_schedules', 'id'>>`
    insert into command_schedules (command_id, user_id, type, name, timezone, schedule, channel_pk, device_pk, attribute, operator, value, condition,
      hold_seconds, clear_value, cooldown_seconds, state, evaluated_at, next_run_at)
    values (${commandId}, ${userId}, ${one.type}, ${one.name}, ${one.timezone}, ${one.schedule}, ${one.channel_pk}, ${one.device_pk},
      ${one.attribute}, ${one.operator}, ${json(one.value)}::jsonb, ${json(one.condition)}::jsonb, ${one.hold_seconds}, ${one.clear_value},
      ${one.cooldown_seconds}, ${one.state}, ${exactTime(one.evaluated_at)}, ${one.next_run_at})
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** With `isSameCondition`, the state of the condition is kept. */
export const updateSchedule = (db: Db, id: number, one: ScheduleFields, isSameCondition: boolean) =>
  sql`
    update command_schedules set type = ${one.type}, name = ${one.name}, timezone = ${one.timezone}, schedule = ${one.schedule},
      channel_pk = ${one.channel_pk}, device_pk = ${one.device_pk}, attribute = ${one.attribute}, operator = ${one.operator},
      value = ${json(one.value)}::jsonb, condition = ${json(one.condition)}::jsonb, hold_seconds = ${one.hold_seconds},
      clear_value = ${one.clear_value}, cooldown_seconds = ${one.cooldown_seconds}, next_run_at = ${one.next_run_at}, updated_at = now()
      ${isSameCondition ? sql`` : sql`, state = ${one.state}, evaluated_at = ${exactTime(one.evaluated_at)}, hold_until = null`}
    where id = ${id}`.execute(db);

export const deleteSchedule = (db: Db, id: number) => sql`delete from command_schedules where id = ${id}`.execute(db);

export const resumeRow = (db: Db, id: number, next: Date | null) =>
  sql`
    update command_schedules set suspended_at = null, suspended_reason = null, next_run_at = coalesce(${next}::timestamptz, next_run_at), updated_at = now()
    where id = ${id}`.execute(db);

export const listRunRows = (db: Db, scheduleId: number, params: ListParams): Promise<Page<ScheduleRun>> =>
  listPage(db, params, {
    fields: sql<ScheduleRun>`id, schedule_id, due_at, status, reason, execution_id, created_at`,
    from: sql`command_schedule_runs`,
    where: sql`schedule_id = ${scheduleId}`,
    order: sql`id desc`,
  });

export interface LastValue {
  device_pk: number;
  name: string;
  kind: 'n' | 'b' | 's' | 'j';
  value: number | null;
  text: string | null;
  /** Microseconds since 1970. */
  at: number;
}

/** Reads the last values of devices by attribute, as they are written about once a second. */
export async function readLastValues(db: Db, devicePks: readonly number[]): Promise<LastValue[]> {
  const { rows } = await sql<LastValue>`
    select last.device_pk, attribute.name, last.kind, last.value, last.value_text as text, ${exactMicros('last.time')} as at
    from telemetry.metric_last last join telemetry.attribute on attribute.id = last.attribute_id where last.device_pk = any(${devicePks}::int[])`.execute(
    db,
  );
  return rows;
}

/** Reads the newest values of some attributes, those included that were stored after the last values were written. */
export async function readNewestValues(db: Db, devicePks: readonly number[], names: readonly string[]): Promise<LastValue[]> {
  const { rows } = await sql<LastValue>`
    select device.id as device_pk, attribute.name, newest.kind, newest.value, newest.value_text as text, ${exactMicros('newest.time')} as at
    from telemetry.device join telemetry.attribute on attribute.channel_pk = device.channel_pk and attribute.name = any(${[...names]}::text[])
    left join telemetry.metric_last last on last.device_pk = device.id and last.attribute_id = attribute.id
    cross join lateral (
      select last.time, last.kind, last.value, last.value_text where last.time is not null
      union all
      (select point.time, point.kind, point.value, point.value_text from telemetry.metric_point point
        where point.device_pk = device.id and point.attribute_id = attribute.id and point.time > coalesce(last.time, '-infinity')
        order by point.time desc limit 1)
      order by time desc limit 1) newest
    where device.id = any(${[...devicePks]}::int[])`.execute(db);
  return rows;
}

/** Claims a due schedule until the transaction ends. */
export async function claimDueSchedule(db: Db): Promise<ScheduleRow | undefined> {
  const { rows } = await sql<ScheduleRow>`
    select ${fields} from ${from} where schedule.id = (
      select id from command_schedules where next_run_at <= now() and suspended_at is null
      order by next_run_at limit 1 for update skip locked)`.execute(db);
  return rows[0];
}

export const setNextRun = (db: Db, id: number, next: Date | null, ran: Date | null) =>
  sql`update command_schedules set next_run_at = ${next}, last_run_at = coalesce(${ran}::timestamptz, last_run_at) where id = ${id}`.execute(
    db,
  );

export interface NewRun {
  schedule_id: number;
  due_at: Date;
  uplink_id?: string | null;
  status: ScheduleRun['status'];
  reason?: string | null;
}

/**
 * iot-behaviour 3.7.5: notes at most once an hour that a reading was of the wrong kind. The row of the schedule is locked. The uplink is not
 * named, because another reading in it may fire the schedule, once for an uplink.
 */
export const noteMismatch = (db: Db, scheduleId: number) =>
  sql`
    insert into command_schedule_runs (schedule_id, due_at, status, reason)
    select ${scheduleId}, clock_timestamp(), 'missed', 'type_mismatch'
    where not exists (select from command_schedule_runs
      where schedule_id = ${scheduleId} and reason = 'type_mismatch' and created_at > now() - interval '1 hour')
    on conflict do nothing`.execute(db);

/** Inserts a run; returns undefined when it exists already. */
export async function insertRun(
  db: Db,
  { schedule_id, due_at, uplink_id = null, status, reason = null }: NewRun,
): Promise<number | undefined> {
  const { rows } = await sql<Columns<'command_schedule_runs', 'id'>>`
    insert into command_schedule_runs (schedule_id, due_at, uplink_id, status, reason)
    values (${schedule_id}, ${due_at}, ${uplink_id}, ${status}, ${reason?.replaceAll('\0', '').slice(0, 500).toWellFormed() ?? null}) on conflict do nothing returning id`.execute(
    db,
  );
  return rows[0]?.id;
}

/** Lists event schedules. */
export async function listEventRows(db: Db, ids: readonly number[] | null): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select ${fields} from ${from} where type = 'e' and device.deleted_at is null and channel.deleted_at is null
      and (${ids}::int[] is null or schedule.id = any(${ids}::int[]))`.execute(db);
  return rows;
}

/** An event schedule with the number of its firings in the last minute. */
export interface EventRow extends ScheduleRow {
  recent_runs: number;
}
const recentRuns = sql`(select count(*) from command_schedule_runs
  where schedule_id = schedule.id and status <> 'missed' and created_at > now() - interval '1 minute') as recent_runs`;

export async function lockSchedules(db: Db, ids: readonly number[]): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${fields}, ${recentRuns} from ${from} where schedule.id = any(${ids}::int[]) order by schedule.id for update of schedule`.execute(
    db,
  );
  return rows;
}

export interface EdgeChange {
  state: 'armed' | 'active' | 'unknown';
  evaluated_at: number | null;
  hold_until: Date | null;
  /** True when the schedule has just fired. */
  hasRun: boolean;
}

/** Saves an edge; `notice` informs the processes that keep edges in memory. */
export const setEdge = (db: Db, id: number, change: EdgeChange, channel: string, notice: string) =>
  sql`
    with moved as (
      update command_schedules set state = ${change.state}, evaluated_at = ${exactTime(change.evaluated_at)}, hold_until = ${change.hold_until},
        last_run_at = case when ${change.hasRun} then now() else last_run_at end
      where id = ${id} returning id)
    select pg_notify(${channel}, ${notice}) from moved`.execute(db);

export const suspend = (db: Db, id: number, reason: string) =>
  sql`update command_schedules set suspended_at = now(), suspended_reason = ${reason}, hold_until = null where id = ${id}`.execute(db);

/** Claims a schedule whose condition has held for long enough. */
export async function claimHeld(db: Db): Promise<EventRow | undefined> {
  const { rows } = await sql<EventRow>`
    select ${fields}, ${recentRuns} from ${from} where schedule.id = (
      select id from command_schedules where hold_until <= now() and suspended_at is null
      order by hold_until limit 1 for update skip locked)`.execute(db);
  return rows[0];
}

export const deleteOldRuns = (db: Db, days: number) =>
  sql`delete from command_schedule_runs where created_at < now() - make_interval(days => ${days})`.execute(db);
