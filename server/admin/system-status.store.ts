import type { SystemStatus } from '@telltale/domain/admin/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface Counts {
  queries_count: number;
  query_results_count: number;
  unused_query_results_count: number;
  dashboards_count: number;
  widgets_count: number;
  results_bytes: number;
  database_bytes: number;
}

/** Counts archived objects as well (server-behaviour 23.1). */
export async function countEverything(db: Db): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from queries) as queries_count, (select count(*) from query_results) as query_results_count,
      (select count(*) from query_results r where not exists (select from queries where latest_query_data_id = r.id)) as unused_query_results_count,
      (select count(*) from dashboards) as dashboards_count, (select count(*) from widgets) as widgets_count,
      pg_total_relation_size('console.query_result_chunks') as results_bytes, pg_database_size(current_database()) as database_bytes`.execute(
    db,
  );
  if (!rows[0]) throw new Error('The database counted nothing.');
  return rows[0];
}

/** A task is late after three missed runs, but not before one minute, so that a busy machine raises no alarm. */
export async function listPeriodicTasks(db: Db): Promise<SystemStatus['periodic']> {
  const { rows } = await sql<SystemStatus['periodic'][number]>`
    select name, last_run_at, last_run_at + make_interval(secs => every_ms / 1000.0) as next_run_at, last_error,
      last_run_at + make_interval(secs => greatest(every_ms * 3 / 1000.0, 60)) < now() as is_late
    from periodic_tasks order by name`.execute(db);
  return rows;
}

export async function listStorage(db: Db): Promise<SystemStatus['storage']> {
  const { rows } = await sql<SystemStatus['storage'][number]>`
    select channel.channel_id, bytes::float8 as bytes, measured_at
    from channel_storage join telemetry.channel on channel.id = channel_pk
    where deleted_at is null order by bytes desc, channel_id limit 1000`.execute(db);
  return rows;
}
