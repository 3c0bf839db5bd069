import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** Grown by so much since they were last looked at, tables are looked at again. */
const changedShare = 0.2;
/** Parts of points are large: autovacuum looks at them as they grow; only the first look must not wait for it. */
const firstRows = 1000;

/**
 * Keeps the planner's idea of how many devices and attributes there are. Autovacuum looks once a minute, and never at a table with fewer than 50
 * rows, so that after a burst of new devices a count over all points was planned as a lookup for each device and attribute.
 */
export async function keepStatistics(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', stat.schemaname, stat.relname) as name
    from pg_stat_user_tables stat join pg_class on pg_class.oid = stat.relid
    where stat.schemaname = 'telemetry' and stat.n_mod_since_analyze > 0 and (
      (stat.relname in ('channel', 'device', 'attribute', 'device_attribute')
        and stat.n_mod_since_analyze > ${changedShare} * greatest(pg_class.reltuples, 0))
      or (stat.relname ~ '^metric_point_' and pg_class.reltuples <= 0 and stat.n_live_tup > ${firstRows}))`.execute(db);
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.raw(name)}`.execute(db);
  return rows.map(({ name }) => name);
}
