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

/** Archived ones count, too (server-behaviour 23.1). */
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
