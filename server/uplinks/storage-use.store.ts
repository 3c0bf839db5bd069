import { type Kysely, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { DB } from '../platform/database-types.ts';

/** The number of sampled rows per partition: enough for a share, few enough to be cheap. */
const sampledRows = 50_000;

interface Part {
  name: string;
  bytes: number;
  rows: number;
}

/**
 * Measures the disk space of each channel: the size of each partition of the tables of readings, divided among the channels by their rows.
 * Small partitions are counted, large ones sampled.
 */
export async function measureStorage(db: Kysely<DB>): Promise<void> {
  const { rows: parts } = await sql<Part>`
    select part.oid::regclass::text as name, pg_total_relation_size(part.oid)::float8 as bytes, greatest(part.reltuples, 0)::float8 as rows
    from pg_inherits join pg_class part on part.oid = inhrelid
    where inhparent in ('telemetry.uplink'::regclass, 'telemetry.metric_point'::regclass,
      'telemetry.metric_minute'::regclass, 'telemetry.metric_hour'::regclass)`.execute(db);
  const used = new Map<number, number>();
  for (const part of parts) {
    for (const { channel_pk, share } of await sharesOf(db, part)) used.set(channel_pk, (used.get(channel_pk) ?? 0) + share * part.bytes);
  }
  const found = JSON.stringify([...used].map(([channel_pk, bytes]) => ({ channel_pk, bytes: Math.round(bytes) })));
  await sql`
    insert into channel_storage (channel_pk, bytes, measured_at)
    select channel.id, coalesce(found.bytes, 0), now()
    from telemetry.channel left join jsonb_to_recordset(${found}::jsonb) as found (channel_pk int, bytes bigint) on found.channel_pk = channel.id
    on conflict (channel_pk) do update set bytes = excluded.bytes, measured_at = excluded.measured_at`.execute(db);
}

/** A partition that was dropped meanwhile has no shares. */
async function sharesOf(db: Db, { name, rows }: Part): Promise<{ channel_pk: number; share: number }[]> {
  const percent = rows > sampledRows * 2 ? (sampledRows / rows) * 100 : 100;
  const sample = percent < 100 ? sql`tablesample system (${sql.lit(percent)})` : sql``;
  try {
    const { rows: shares } = await sql<{ channel_pk: number; share: number }>`
      select channel_pk, (sum(n) / sum(sum(n)) over ())::float8 as share
      from (select device_pk, count(*) as n from ${sql.raw(name)} ${sample} group by device_pk) counted
      join telemetry.device on device.id = device_pk group by channel_pk`.execute(db);
    return shares;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42P01') return [];
    throw error;
  }
}
