import { type Kysely, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import type { DB } from '../platform/database-types.ts';
import { deadAfterMs } from '../platform/process-registry.ts';

export interface ConnectionChange {
  device_pk: number;
  client_id: string;
  isOpen: boolean;
}

export type Turned = Columns<'telemetry.device_state', 'device_pk' | 'online'>;

/**
 * Opens and closes connections of this broker, then stores the number of connections of each device. The row of the device is locked
 * meanwhile, so two brokers never overwrite each other's count (iot-behaviour 1.7). Returns the devices whose online state changed.
 */
export async function writeConnections(db: Kysely<DB>, processId: string, changes: ConnectionChange[]): Promise<Turned[]> {
  const pks = [...new Set(changes.map(({ device_pk }) => device_pk))].sort((a, b) => a - b);
  const pick = (isOpen: boolean) => changes.filter((change) => change.isOpen === isOpen);
  const [opened, closed] = [pick(true), pick(false)];
  return db.transaction().execute(async (tx) => {
    await sql`
      insert into telemetry.device_state (device_pk) select id from telemetry.device where id = any(${pks}::int[]) order by id
      on conflict do nothing`.execute(tx);
    await sql`select from telemetry.device_state where device_pk = any(${pks}::int[]) order by device_pk for update`.execute(tx);
    await sql`
      delete from mqtt_connections using unnest(${closed.map(({ device_pk }) => device_pk)}::int[], ${closed.map(({ client_id }) => client_id)}::text[])
        as gone(device_pk, client_id)
      where process_id = ${processId} and mqtt_connections.device_pk = gone.device_pk and mqtt_connections.client_id = gone.client_id`.execute(
      tx,
    );
    await sql`
      insert into mqtt_connections (process_id, device_pk, client_id)
      select ${processId}, new.* from unnest(${opened.map(({ device_pk }) => device_pk)}::int[], ${opened.map(({ client_id }) => client_id)}::text[])
        as new(device_pk, client_id)
      where exists (select from telemetry.device where id = device_pk) on conflict do nothing`.execute(tx);
    return recount(
      tx,
      pks,
      closed.map(({ device_pk }) => device_pk),
    );
  });
}

export async function countConnections(db: Db, processId: string): Promise<number> {
  const { rows } = await sql<{ stored: number }>`
    select count(*)::int as stored from mqtt_connections where process_id = ${processId}`.execute(db);
  return rows[0]?.stored ?? 0;
}

/** A connection whose end was not recorded. */
export interface Ended {
  device_pk: number;
  seconds: number;
}

/** Drops the connections of dead brokers; those lasted until their broker's last heartbeat. */
export async function dropDeadConnections(db: Kysely<DB>): Promise<{ turned: Turned[]; ended: Ended[] }> {
  return db.transaction().execute(async (tx) => {
    const { rows: ended } = await sql<Ended>`
      delete from mqtt_connections using (
        select broker.process_id, heartbeat_at from (select distinct process_id from mqtt_connections) broker
        left join processes on processes.id = broker.process_id
        where heartbeat_at is null or heartbeat_at < now() - make_interval(secs => ${deadAfterMs / 1000})) gone
      where mqtt_connections.process_id = gone.process_id
      returning device_pk, greatest(0, round(extract(epoch from coalesce(heartbeat_at, now()) - connected_at)))::int as seconds`.execute(
      tx,
    );
    if (ended.length === 0) return { turned: [], ended };
    const pks = [...new Set(ended.map(({ device_pk }) => device_pk))];
    await sql`select from telemetry.device_state where device_pk = any(${pks}::int[]) order by device_pk for update`.execute(tx);
    return { turned: await recount(tx, pks, pks), ended };
  });
}

/**
 * A device with connections is online; one that never had any is online as long as it reports. A device that connected and disconnected
 * between two counts has had one (`closed`).
 */
async function recount(tx: Db, pks: number[], closed: number[]): Promise<Turned[]> {
  const { rows } = await sql<Turned>`
    with now_open as (
      select device_pk, (select count(*) from mqtt_connections c where c.device_pk = s.device_pk) as sessions
      from telemetry.device_state s where device_pk = any(${pks}::int[])),
    before as (select device_pk, online from telemetry.device_state where device_pk = any(${pks}::int[])),
    changed as (
      update telemetry.device_state s set connected_sessions = sessions, online = sessions > 0, version = version + 1,
        last_connect_at = case when sessions > s.connected_sessions or last_connect_at is null then now() else last_connect_at end,
        last_disconnect_at = case when s.device_pk = any(${closed}::int[]) then now() else last_disconnect_at end
      from now_open where now_open.device_pk = s.device_pk returning s.device_pk, s.online)
    select device_pk, changed.online from changed join before using (device_pk) where before.online is distinct from changed.online`.execute(
    tx,
  );
  return rows;
}

export const writeState = (db: Db, devicePk: number, state: string | null) =>
  sql`
    insert into telemetry.device_state (device_pk, state, state_at) select id, ${state}::jsonb, now() from telemetry.device where id = ${devicePk}
    on conflict (device_pk) do update set state = excluded.state, state_at = now(), version = device_state.version + 1`.execute(db);

/** Writes the position of a device, as a network or another source reports it. */
export const writePosition = (db: Db, devicePk: number, { latitude, longitude }: { latitude: number; longitude: number }) =>
  sql`
    insert into telemetry.device_state (device_pk, latitude, longitude) select id, ${latitude}, ${longitude} from telemetry.device where id = ${devicePk}
    on conflict (device_pk) do update set latitude = excluded.latitude, longitude = excluded.longitude, version = device_state.version + 1`.execute(
    db,
  );

/**
 * iot-behaviour 1.7: devices without connections are online while they report. The window is the device's own setting, else two and a half
 * times the usual gap, within ten minutes and 26 hours. Changes only rows that are unchanged since they were read.
 */
export async function sweepSilent(db: Kysely<DB>): Promise<Turned[]> {
  const { rows } = await sql<Turned>`
    with windows as (select id, online_window_seconds from telemetry.device where online_window_seconds is not null),
    due as (
      select device_pk, version, last_seen_at > now() - make_interval(secs => coalesce(online_window_seconds, online_seconds, 600)) as online
      from telemetry.device_state left join windows on windows.id = device_pk
      where connected_sessions = 0 and last_seen_at is not null
        and online is distinct from (last_seen_at > now() - make_interval(secs => coalesce(online_window_seconds, online_seconds, 600)))
        -- A device that came by MQTT is offline when its connections are.
        and (last_disconnect_at is null or last_seen_at > last_disconnect_at + interval '1 second' or online)
      limit 10000)
    update telemetry.device_state s set online = due.online, version = s.version + 1
    from due where due.device_pk = s.device_pk and due.version = s.version returning s.device_pk, s.online`.execute(db);
  return rows;
}

/** Learns the gaps between the last reports of devices without connections, also of those that connect only to report. */
export const learnWindows = (db: Db) =>
  sql`
    with recent as (
      select device_pk from telemetry.device_state
      where connected_sessions = 0 and last_seen_at > now() - interval '26 hours'),
    gaps as (
      select recent.device_pk, extract(epoch from received_at - lag(received_at) over (partition by recent.device_pk order by received_at)) as gap
      from recent cross join lateral (
        select received_at from telemetry.uplink where uplink.device_pk = recent.device_pk and received_at > now() - interval '3 days'
        order by received_at desc limit 21) u),
    windows as (
      select device_pk, least(93600, greatest(600, 2.5 * percentile_cont(0.5) within group (order by gap)))::int as seconds
      from gaps where gap is not null group by device_pk)
    update telemetry.device_state s set online_seconds = seconds from windows
    where windows.device_pk = s.device_pk and s.online_seconds is distinct from seconds`.execute(db);
