import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** The folder of a channel's archived messages; keys in the object store begin with the id of this installation. */
export async function archiveFolder(db: Db, channelPk: number): Promise<string> {
  const { rows } = await sql<{ folder: string }>`
    select installation || '/uplinks/' || ${channelPk}::int as folder from object_store`.execute(db);
  return rows[0]?.folder ?? '';
}

/** Queues folders below that of a channel. */
export const queuePartDeletions = (db: Db, folders: readonly string[]) =>
  sql`insert into object_deletions (folder) select unnest(${[...folders]}::text[]) on conflict do nothing`.execute(db);

/** The upkeep of the object store empties queued folders, and repeats that until the store has confirmed it. */
export const queueArchiveDeletion = (db: Db, channelPk: number, { onlyDeleted = false } = {}) =>
  sql`
    insert into object_deletions (folder) select installation || '/uplinks/' || channel.id from object_store, telemetry.channel
    where channel.id = ${channelPk} and (channel.deleted_at is not null or not ${onlyDeleted})
    on conflict do nothing`.execute(db);
