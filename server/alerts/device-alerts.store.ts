import type { AlertDevice, DeviceAlert } from '@telltale/domain/alerts/contract.ts';
import { readingOf, stepDevice } from '@telltale/domain/alerts/device-state.ts';
import type { AlertState } from '@telltale/domain/alerts/options.ts';
import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { AlertRow } from './alerts.store.ts';
import type { DeviceFacts } from './notice-text.ts';

export interface DeviceStateRow {
  alert_id: number;
  device_pk: number;
  state: AlertState;
  value: unknown;
  /** Time of the reading: milliseconds since 1970, exact to the microsecond. */
  value_at: number | null;
  since: string | null;
  last_triggered_at: string | null;
  pending_since: string | null;
  due_at: string | null;
}

/** Keeps microseconds: cut to milliseconds, two successive readings of one device could have the same time. */
const exactMs = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);
const fields = sql`alert_id, device_pk, state, value, ${exactMs('value_at')} as value_at, since, last_triggered_at, pending_since, due_at`;

export interface LockedState extends DeviceStateRow {
  device: DeviceFacts;
}

/**
 * Locks one row for each pair, with facts about its device, and creates missing rows. A fixed order prevents deadlocks; deleted devices and
 * alerts get no row.
 */
export async function lockDeviceStates(db: Db, pairs: readonly { alert_id: number; device_pk: number }[]): Promise<LockedState[]> {
  const [alertIds, devicePks] = [pairs.map(({ alert_id }) => alert_id), pairs.map(({ device_pk }) => device_pk)];
  const { rows } = await sql<LockedState>`
    with facts as (
      select device.id as pk, device_id, device_name, channel_id
      from telemetry.device join telemetry.channel on channel.id = channel_pk
      where device.id = any(${devicePks}::int[]) and device.deleted_at is null and channel.deleted_at is null),
    locked as (
      insert into alert_devices (alert_id, device_pk)
      select distinct wanted.* from unnest(${alertIds}::int[], ${devicePks}::int[]) as wanted(alert_id, device_pk)
      join alerts on alerts.id = wanted.alert_id join facts on facts.pk = wanted.device_pk
      order by 1, 2 on conflict (alert_id, device_pk) do update set alert_id = excluded.alert_id returning *)
    select ${fields}, to_jsonb(facts) as device from locked join facts on facts.pk = locked.device_pk`.execute(db);
  return rows;
}

function exactTime(ms: number): string {
  const micros = Math.round(ms * 1000);
  const rest = String(micros % 1000).padStart(3, '0');
  return new Date(Math.floor(micros / 1000)).toISOString().replace('Z', `${rest}Z`);
}

/** Saves a state; `notice` informs the processes that keep states in memory. */
export const saveDeviceState = (db: Db, row: DeviceStateRow, channel: string, notice: string) =>
  sql`
    with saved as (
      update alert_devices set state = ${row.state}, value = ${storableJson(row.value ?? null)}::jsonb, value_at = ${row.value_at === null ? null : exactTime(row.value_at)}, since = ${row.since},
        last_triggered_at = ${row.last_triggered_at}, pending_since = ${row.pending_since}, due_at = ${row.due_at}
      where alert_id = ${row.alert_id} and device_pk = ${row.device_pk} returning alert_id)
    select pg_notify(${channel}, ${notice}) from saved`.execute(db);

/** design 8.1: an alert is triggered while one of its devices is triggered. */
export const refreshAlertState = (db: Db, alertId: number, isNews: boolean) =>
  sql`
    update alerts set state = next.state, unknown_reason = null,
      last_triggered_at = case when ${isNews} then now() else last_triggered_at end,
      updated_at = case when ${isNews} or alerts.state <> next.state then now() else updated_at end
    from (select case
      when exists (select from alert_devices join telemetry.device on device.id = device_pk
        where alert_id = ${alertId} and state = 'triggered' and deleted_at is null) then 'triggered'
      when exists (select from alert_devices where alert_id = ${alertId} and state <> 'unknown') then 'ok'
      else 'unknown' end as state) next
    where alerts.id = ${alertId} and (${isNews} or alerts.state <> next.state)`.execute(db);

export const forgetDeviceStates = (db: Db, alertId: number) => sql`delete from alert_devices where alert_id = ${alertId}`.execute(db);

/** Lists pending states whose condition has held for long enough. */
export async function listDue(db: Db, limit: number): Promise<DeviceStateRow[]> {
  const { rows } = await sql<DeviceStateRow>`
    select ${fields} from alert_devices where due_at <= now() and exists (
      select from telemetry.device join telemetry.channel on channel.id = channel_pk
      where device.id = alert_devices.device_pk and device.deleted_at is null and channel.deleted_at is null)
    order by due_at limit ${limit} for update skip locked`.execute(db);
  return rows;
}

/** Lists triggered alerts whose triggered devices have all been deleted. */
export async function listStaleStates(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from alerts where kind <> 'query' and state = 'triggered' and not exists (
      select from alert_devices join telemetry.device on device.id = device_pk
      where alert_id = alerts.id and state = 'triggered' and deleted_at is null)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists the stored states of some devices, for every alert that has one, with the time at which its condition was set. */
export async function listStatesOf(db: Db, devicePks: readonly number[]): Promise<(DeviceStateRow & { armed_at: string })[]> {
  const { rows } = await sql<DeviceStateRow & { armed_at: string }>`
    select own.*, armed_at from (select ${fields} from alert_devices where device_pk = any(${[...devicePks]}::int[])) own
    join alerts on alerts.id = alert_id`.execute(db);
  return rows;
}

const mostDevices = 1000;

interface ListedDevice extends AlertDevice {
  has_state: boolean;
  last_kind: string | null;
  last_value: number | null;
  last_text: string | null;
  last_time: string | null;
  is_heard: boolean;
}

/**
 * Lists the devices of an alert, triggered ones first. A device without any news for the alert has no row: its state follows from its last
 * value.
 */
export async function listAlertDevices(db: Db, { id, options, armed_at }: AlertRow): Promise<AlertDevice[]> {
  if (options.kind === 'query') return [];
  const { rows } = await sql<ListedDevice>`
    select device_id, device_name, coalesce(state.state, 'unknown') as state, state.value, state.since, state.alert_id is not null as has_state,
      last.kind::text as last_kind, last.value as last_value, last.value_text as last_text, last.time as last_time,
      coalesce(seen.last_seen_at >= now() - make_interval(secs => ${options.kind === 'silence' ? options.silent_seconds : 0}), false) as is_heard
    from alerts join telemetry.device on device.channel_pk = alerts.channel_pk and device.deleted_at is null
    left join alert_devices state on state.alert_id = alerts.id and state.device_pk = device.id
    left join telemetry.attribute on attribute.channel_pk = alerts.channel_pk and attribute.name = ${options.kind === 'device' ? options.attribute : ''}
    left join telemetry.metric_last last on last.device_pk = device.id and last.attribute_id = attribute.id and last.time >= ${armed_at}
    left join telemetry.device_state seen on seen.device_pk = device.id
    where alerts.id = ${id} and (${options.device_ids.length === 0} or device_id = any(${options.device_ids}::text[]))
    order by state.state = 'triggered' desc nulls last, device_id limit ${mostDevices}`.execute(db);
  return rows.map(({ device_id, device_name, state, value, since, has_state, is_heard, ...last }) => {
    if (has_state) return { device_id, device_name, state, value, since };
    if (options.kind === 'silence') return { device_id, device_name, state: is_heard ? 'ok' : 'unknown', value: null, since: null };
    if (last.last_kind === null) return { device_id, device_name, state: 'unknown', value: null, since: null };
    const reading = readingOf({ kind: last.last_kind, value: last.last_value, text: last.last_text }, options.value);
    const { state: derived } = stepDevice({ state: 'unknown', pendingSince: null }, reading, 0, { ...options, for_seconds: 0 });
    return { device_id, device_name, state: derived === 'triggered' ? 'unknown' : derived, value: reading, since: null };
  });
}

export async function listAlertsOfDevice(db: Db, channelId: string, deviceId: string): Promise<DeviceAlert[]> {
  const { rows } = await sql<DeviceAlert>`
    select alerts.id, alerts.name, alerts.options, alerts.rearm,
      coalesce(own.state, case when alerts.state = 'unknown' then 'unknown' else 'ok' end) as state, own.value, own.since
    from alerts join telemetry.channel on channel.id = alerts.channel_pk and channel.deleted_at is null
    join telemetry.device on device.channel_pk = channel.id and device.deleted_at is null
    left join alert_devices own on own.alert_id = alerts.id and own.device_pk = device.id
    where channel_id = ${channelId} and device_id = ${deviceId}
      and (jsonb_array_length(alerts.options -> 'device_ids') = 0 or alerts.options -> 'device_ids' ? ${deviceId}::text)
    order by own.state = 'triggered' desc nulls last, alerts.name, alerts.id`.execute(db);
  return rows;
}

export interface LastReading {
  device_pk: number;
  /** Milliseconds since 1970, exact to the microsecond. */
  at: number;
  kind: string;
  value: number | null;
  text: string | null;
}

/** Lists the last reading of each device of an alert. */
export async function listLastReadings(db: Db, alertId: number, attribute: string): Promise<LastReading[]> {
  const { rows } = await sql<LastReading>`
    select last.device_pk, ${exactMs('last.time')} as at, last.kind::text as kind, last.value, last.value_text as text
    from alerts join telemetry.attribute on attribute.channel_pk = alerts.channel_pk and attribute.name = ${attribute}
    join telemetry.device on device.channel_pk = alerts.channel_pk and device.deleted_at is null
      and (jsonb_array_length(alerts.options -> 'device_ids') = 0 or alerts.options -> 'device_ids' ? device_id)
    join telemetry.metric_last last on last.device_pk = device.id and last.attribute_id = attribute.id
    where alerts.id = ${alertId} order by last.device_pk`.execute(db);
  return rows;
}

export interface RecentPoint extends LastReading {
  device_id: string;
  channel_pk: number;
  attribute: string;
  /** The alerts for which this reading is a match that is about to be handled, and when their condition was set. */
  matched: { alert_id: number; armedAt: number | null }[];
}

/** Lists the readings of some channels since a time, oldest first; with more than `limit`, only the newest. */
export async function listRecentPoints(db: Db, channelPks: readonly number[], since: string, limit: number): Promise<RecentPoint[]> {
  const { rows } = await sql<RecentPoint>`
    select recent.*, (
      select coalesce(jsonb_agg(jsonb_build_object('alert_id', subject_id, 'armedAt', payload -> 'armedAt')), '[]') from uplink_matches
      where watcher = 'alerts' and uplink_matches.device_pk = recent.device_pk and (payload->>'at')::float8 = recent.at) as matched
    from (
      select point.device_pk, device_id, device.channel_pk, attribute.name as attribute, ${exactMs('point.time')} as at, point.kind::text as kind, point.value, point.value_text as text
      from telemetry.metric_point point join telemetry.device on device.id = point.device_pk join telemetry.attribute on attribute.id = point.attribute_id
      where point.time >= ${since} and device.channel_pk = any(${[...channelPks]}::int[]) and device.deleted_at is null
      order by point.time desc limit ${limit}) recent
    order by at`.execute(db);
  return rows;
}
