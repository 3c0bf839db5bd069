import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

type State = Columns<'telemetry.retention_sweep', 'channel_pk' | 'part' | 'device_pk'>;

export interface Sweep extends State {
  retention_days: number;
  /** The cutoff of the last pass; null before the first one. */
  cutoff: string | null;
  is_done: boolean;
}

/** Channels with a retention of their own, also deleted ones; the one that has waited longest comes first. */
export async function listSweeps(db: Db): Promise<Sweep[]> {
  const { rows } = await sql<Sweep>`
    select settings.channel_pk, retention_days, cutoff, part, device_pk, done_at is not null as is_done
    from channel_settings settings left join telemetry.retention_sweep sweep on sweep.channel_pk = settings.channel_pk
    where retention_days is not null order by worked_at nulls first, settings.channel_pk`.execute(db);
  return rows;
}

export const noteSweep = (db: Db, { channel_pk, part, device_pk }: State, cutoff: Date, isDone: boolean) =>
  sql`
    insert into telemetry.retention_sweep (channel_pk, cutoff, part, device_pk, done_at)
    values (${channel_pk}, ${cutoff}, ${part}, ${device_pk}, case when ${isDone} then now() end)
    on conflict (channel_pk) do update set cutoff = excluded.cutoff, part = excluded.part, device_pk = excluded.device_pk,
      done_at = excluded.done_at, worked_at = now()`.execute(db);

/** Deleted devices are among them: their readings take up space like those of others. */
export async function listDevicesAfter(db: Db, channelPk: number, devicePk: number, most: number): Promise<number[]> {
  const { rows } = await sql<Columns<'telemetry.device', 'id'>>`
    select id from telemetry.device where channel_pk = ${channelPk} and id > ${devicePk} order by id limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The longest retention among channels, or null while one of them has the default. */
export async function findLongestRetention(db: Db): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select case when bool_and(retention_days is not null) then max(retention_days) end as days
    from telemetry.channel left join channel_settings on channel_pk = channel.id where deleted_at is null`.execute(db);
  return rows[0]?.days ?? null;
}

/** The tables that a sweep goes through, with their column of times. Rollups come after what they are counted from. */
export const sweptTables = { uplink: 'received_at', metric_point: 'time', metric_minute: 'bucket', metric_hour: 'bucket' } as const;
export type SweptTable = keyof typeof sweptTables;

export interface SweptPart {
  table: SweptTable;
  name: string;
  /** False for the partition that the cutoff lies in. */
  isExpired: boolean;
}

/**
 * Deletes rows of some devices before the cutoff, at most so many; returns how many they were. It names the partition itself: no other is
 * locked or planned, and the triggers that note changes for ClickHouse are silent, because expired readings are deleted there by a statement
 * of its own (server/history/expired-readings.ts). Rows are found by the index alone; the planner would read a whole partition.
 */
export async function deleteExpiredRows(
  tx: Db,
  part: SweptPart,
  devicePks: readonly number[],
  cutoff: Date,
  most: number,
): Promise<number> {
  const table = sql.table(`telemetry.${part.name}`);
  await sql`set local lock_timeout = '1s'; set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(tx);
  const { numAffectedRows } = await sql`
    delete from ${table} where ctid = any(array(${expiredRows(part, table, devicePks, cutoff, most)}))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

function expiredRows({ table, isExpired }: SweptPart, part: RawBuilder<unknown>, devicePks: readonly number[], cutoff: Date, most: number) {
  const devices = sql`any(${[...devicePks]}::int[])`;
  const isOld = isExpired ? sql`true` : sql`${sql.ref(sweptTables[table])} < ${cutoff}`;
  if (isExpired || table === 'uplink') return sql`select ctid from ${part} where device_pk = ${devices} and ${isOld} limit ${most}`;
  // In the order of the index, the old rows of each series lie together.
  return sql`
    select old.ctid from telemetry.device_attribute series cross join lateral (
      select ctid from ${part} point where point.device_pk = series.device_pk and point.attribute_id = series.attribute_id and ${isOld}
      limit ${most}) old
    where series.device_pk = ${devices} limit ${most}`;
}
