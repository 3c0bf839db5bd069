import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** The folder below which the objects of this database lie. */
export async function installationFolder(db: Db): Promise<string> {
  const { rows } = await sql<{ folder: string }>`select installation || '/results/' as folder from object_store`.execute(db);
  return rows[0]?.folder ?? '';
}

/** Folders that wait for their deletion, those not tried for longest first. */
export async function listDeletions(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ folder: string }>`
    select folder from object_deletions where tried_at is null or tried_at < ${before}
    order by tried_at nulls first, queued_at limit ${limit}`.execute(db);
  return rows.map(({ folder }) => folder);
}

export const forgetDeletion = (db: Db, folder: string) => sql`delete from object_deletions where folder = ${folder}`.execute(db);

export const noteFailedDeletion = (db: Db, folder: string, error: string) =>
  sql`update object_deletions set tried_at = now(), last_error = ${error} where folder = ${folder}`.execute(db);

/** Queues the deletion of those folders that no result has; returns how many they are. */
export async function queueOrphans(db: Db, folders: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into object_deletions (folder)
    select folder from unnest(${folders}::text[]) as listed(folder)
    where not exists (select from query_results where object_folder = folder)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
