import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export async function countMigrations(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from migration`.execute(db);
  return rows[0]?.count ?? 0;
}

interface Queue {
  queue: string;
  waiting: number;
  running: number;
  wait: number;
}

/** Counts the unfinished jobs of each queue, and how long the first one has been waiting, in seconds. */
export async function readQueues(db: Db): Promise<Queue[]> {
  const { rows } = await sql<Queue>`
    select queue, count(*) filter (where status = 1)::int as waiting, count(*) filter (where status = 2)::int as running,
      coalesce(extract(epoch from now() - min(enqueued_at) filter (where status = 1)), 0)::float8 as wait
    from jobs where status in (1, 2) group by queue`.execute(db);
  return rows;
}

export async function databaseSize(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
