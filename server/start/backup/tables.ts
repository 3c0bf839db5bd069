import type pg from 'pg';

/** Tables with the momentary state of processes, or with data that the next start makes anew. */
const passing = new Set([
  'console.migration',
  'console.processes',
  'console.leases',
  'console.brokers',
  'console.jobs',
  'console.job_members',
  'console.periodic_tasks',
  'console.reader',
  'console.reader_access',
  'console.ingest_marks',
  'console.network_inbox',
  'console.sessions',
  'telemetry.history_outbox',
  'telemetry.history_moves',
  'telemetry.retention_sweep',
  'console.object_store',
  'console.object_deletions',
]);

/** Readings and messages: as many as there were uplinks, so only on request. */
const readings = new Set([
  'telemetry.uplink',
  'telemetry.uplink_rejected',
  'telemetry.metric_point',
  'telemetry.metric_minute',
  'telemetry.metric_hour',
  'telemetry.entry_id',
  'telemetry.device_event',
  'telemetry.rollup_due',
]);

export interface Table {
  /** The name with its schema. */
  name: string;
  /** Stored columns only, without generated ones. */
  columns: string[];
  isPartitioned: boolean;
}

/** The tables to copy, by name. Partitions come with their partitioned table. */
export async function listTables(client: pg.Client, withTelemetry: boolean): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select n.nspname || '.' || c.relname as name, c.relkind = 'p' as "isPartitioned",
      array(select quote_ident(attname) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('console', 'telemetry') and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  return rows.filter(({ name }) => !passing.has(name) && (withTelemetry || !readings.has(name)));
}

export interface Part {
  name: string;
  of: string;
  bound: string;
}

export async function listParts(client: pg.Client): Promise<Part[]> {
  const { rows } = await client.query<Part>(`
    select n.nspname || '.' || quote_ident(c.relname) as name, p.nspname || '.' || quote_ident(parent.relname) as of, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits join pg_class c on c.oid = inhrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_class parent on parent.oid = inhparent join pg_namespace p on p.oid = parent.relnamespace
    where n.nspname = 'telemetry' and c.relkind in ('r', 'p') and c.relispartition and not inhdetachpending order by 1`);
  return rows;
}

export async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from console.migration order by name');
  return rows.map(({ name }) => name);
}
