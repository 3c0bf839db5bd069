import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface WaitingReading {
  /** The id of the row in the outbox, which ClickHouse uses as the version of the reading. */
  id: number;
  target: 'point' | 'last' | 'hour';
  is_deleted: boolean;
  micros: number;
  device_pk: number;
  value: number | null;
  value_text: string | null;
  kind: string;
  uplink_id: string | null;
  channel_pk: number;
  channel_id: string;
  device_id: string;
  attribute: string;
}

const triggers = [
  { table: 'metric_point', call: "telemetry.note_history('point')" },
  { table: 'metric_last', call: "telemetry.note_history('last')" },
  { table: 'metric_hour', call: 'telemetry.note_history_hours()' },
].flatMap((trigger) => ['insert', 'update', 'delete'].map((event) => ({ ...trigger, event })));
const nameOf = ({ event }: { event: string }) => `note_history_${event}`;

/** True when every change is noted; false also when an update of Telltale has brought further triggers. */
export async function isNoting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'telemetry'::regnamespace and not relispartition and starts_with(tgname, 'note_history_')`.execute(db);
  return rows[0]?.n === triggers.length;
}

/** True while processes of other hosts, or of a console that is being replaced, are alive. */
export async function hasOtherProcesses(db: Db): Promise<boolean> {
  const { rows } = await sql`select from processes where heartbeat_at > now() - interval '10 seconds' limit 1`.execute(db);
  return rows.length > 0;
}

/** Writers wait for a moment while their tables get these triggers; from then on nothing is missed. */
export async function startNoting(tx: Db): Promise<void> {
  for (const trigger of triggers) {
    const rows = trigger.event === 'delete' ? 'old' : 'new';
    await sql`create or replace trigger ${sql.raw(nameOf(trigger))} after ${sql.raw(trigger.event)} on telemetry.${sql.raw(trigger.table)}
      referencing ${sql.raw(rows)} table as changed for each statement execute function ${sql.raw(trigger.call)}`.execute(tx);
  }
  // What was moved before may have changed meanwhile.
  await sql`delete from telemetry.history_moves`.execute(tx);
}

export async function stopNoting(tx: Db): Promise<void> {
  for (const trigger of triggers)
    await sql`drop trigger if exists ${sql.raw(nameOf(trigger))} on telemetry.${sql.raw(trigger.table)}`.execute(tx);
}

/** Results and schemas in the other dialect are not shown any more. */
export const renewIotData = (tx: Db) => sql`update data_sources set version = version + 1 where type = 'telltale'`.execute(tx);

/** The oldest waiting readings; rows of the outbox come whole. Readings of devices that are gone for good are left out. */
export async function listWaiting(db: Db, most: number): Promise<{ ids: number[]; readings: WaitingReading[] }> {
  const { rows: taken } = await sql<{ id: number }>`
    select id from (
      select id, points, sum(points) over (order by id) as sum from (
        select id, points from telemetry.history_outbox order by id limit 2000) oldest) counted
    where sum - points < ${most} order by id`.execute(db);
  const ids = taken.map(({ id }) => id);
  if (ids.length === 0) return { ids, readings: [] };
  const { rows } = await sql<WaitingReading>`
    select box.id, box.target, box.is_deleted, (extract(epoch from point.time) * 1000000)::bigint::float8 as micros, point.device_pk, point.value,
      point.value_text, coalesce(point.kind, '') as kind, point.uplink_id, device.channel_pk, device.of_channel as channel_id, device.device_id, attribute.name as attribute
    from telemetry.history_outbox box
    cross join lateral unnest(box.times, box.device_pks, box.attribute_ids, box.numbers, box.texts, box.kinds, box.uplink_ids)
      as point(time, device_pk, attribute_id, value, value_text, kind, uplink_id)
    join telemetry.device on device.id = point.device_pk
    join telemetry.attribute on attribute.id = point.attribute_id and attribute.channel_pk = device.channel_pk
    where box.id = any(${ids}::bigint[])`.execute(db);
  return { ids, readings: rows };
}

export const deleteSent = (db: Db, ids: readonly number[]) =>
  sql`delete from telemetry.history_outbox where id = any(${[...ids]}::bigint[])`.execute(db);

interface Backlog {
  points: number;
  /** Seconds since the oldest of them was stored. */
  seconds: number;
}

export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select coalesce(sum(points), 0)::float8 as points, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from telemetry.history_outbox`.execute(db);
  return rows[0] ?? { points: 0, seconds: 0 };
}
