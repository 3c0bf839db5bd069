import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** The bytes of stored results: of one user, or of everybody. */
export async function storedBytes(db: Db, userId: number | null): Promise<number> {
  const of = userId === null ? sql`true` : sql`charged_to = ${userId}`;
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(stored_bytes), 0)::float8 as bytes from query_results where ${of}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** The result is complete, no query shows it, and its runner had a minute to read it. */
const isUnreferenced = sql`is_complete and retrieved_at < now() - interval '1 minute'
  and not exists (select from queries where latest_query_data_id = query_results.id)`;

/** Deletes the oldest results until this many bytes are free; returns how many were freed. */
export async function deleteOldest(db: Db, userId: number | null, bytes: number): Promise<number> {
  const of = userId === null ? sql`true` : sql`charged_to = ${userId}`;
  const { rows } = await sql<{ bytes: number }>`
    with old as (
      select id, sum(stored_bytes) over (order by last_used_at, id) - stored_bytes as before from query_results
      where ${of} and ${isUnreferenced} and stored_bytes > 0),
    gone as (delete from query_results where id in (select id from old where before < ${bytes}) returning stored_bytes)
    select coalesce(sum(stored_bytes), 0)::float8 as bytes from gone`.execute(db);
  return rows[0]?.bytes ?? 0;
}

export interface PersonsResults {
  user_id: number;
  name: string;
  bytes: number;
}

export async function largestOwners(db: Db, count: number): Promise<PersonsResults[]> {
  const { rows } = await sql<PersonsResults>`
    select charged_to as user_id, users.name, sum(stored_bytes)::float8 as bytes
    from query_results join users on users.id = charged_to
    group by charged_to, users.name having sum(stored_bytes) > 0 order by bytes desc, charged_to limit ${count}`.execute(db);
  return rows;
}
