import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** A new key, in its two stored forms. */
export interface NewKey {
  api_key_hash: Buffer;
  api_key_sealed: Buffer;
}

interface KnownKey {
  id: number;
  org_id: number;
  /** The owner of the query, and the holder of the key. */
  owner_id: number;
  user_id: number;
  is_stale: boolean;
}

export async function findQueryByKey(db: Db, keyHash: Buffer): Promise<KnownKey | undefined> {
  const { rows } = await sql<KnownKey>`
    select queries.id, queries.org_id, queries.user_id as owner_id, query_keys.user_id,
      coalesce(last_used_at < now() - interval '1 minute', true) as is_stale
    from query_keys join queries on queries.id = query_id
    where query_keys.api_key_hash = ${keyHash} and revoked_at is null and not is_archived`.execute(db);
  return rows[0];
}

export const noteKeyUse = (db: Db, keyHash: Buffer) =>
  sql`update query_keys set last_used_at = now() where api_key_hash = ${keyHash}`.execute(db);

/** The user's own key, made on the first request; sealed, or null when it was revoked. */
export async function findOrInsertKey(db: Db, queryId: number, userId: number, make: () => NewKey): Promise<Buffer | null> {
  const own = await findKey(db, queryId, userId);
  if (own) return own.revoked_at === null ? own.api_key_sealed : null;
  await insertKey(db, queryId, userId, make());
  return (await findKey(db, queryId, userId))?.api_key_sealed ?? null;
}

async function findKey(db: Db, queryId: number, userId: number) {
  const { rows } = await sql<Columns<'query_keys', 'api_key_sealed' | 'revoked_at'>>`
    select api_key_sealed, revoked_at from query_keys where query_id = ${queryId} and user_id = ${userId}`.execute(db);
  return rows[0];
}

/** With two concurrent inserts both callers get the first key. */
const insertKey = (db: Db, queryId: number, userId: number, key: NewKey) =>
  sql`insert into query_keys (query_id, user_id, api_key_hash, api_key_sealed)
      values (${queryId}, ${userId}, ${key.api_key_hash}, ${key.api_key_sealed})
      on conflict (query_id, user_id) do nothing`.execute(db);

/** Deletes all keys of a query. Revoked ones stay, so that their holders get no new key, except for these users. */
export const deleteKeys = (db: Db, queryId: number, alsoRevokedOf: number[]) =>
  sql`delete from query_keys where query_id = ${queryId} and (revoked_at is null or user_id = any(${alsoRevokedOf}::int[]))`.execute(db);

export async function setKeyRevoked(db: Db, queryId: number, userId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update query_keys set revoked_at = coalesce(revoked_at, now()) where query_id = ${queryId} and user_id = ${userId}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export interface KeyRow extends Columns<'query_keys', 'query_id' | 'user_id' | 'created_at' | 'last_used_at' | 'revoked_at'> {
  query_name: string;
}

/** Keys in use come first. */
export async function listKeyRows(db: Db, where: RawBuilder<unknown>): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select query_id, queries.name as query_name, query_keys.user_id, query_keys.created_at, last_used_at, revoked_at
    from query_keys join queries on queries.id = query_id
    where not is_archived and ${where}
    order by revoked_at is not null, last_used_at desc nulls last, query_keys.created_at desc, query_id, query_keys.user_id
    limit 5000`.execute(db);
  return rows;
}

export const listKeyRowsOf = (db: Db, queryId: number): Promise<KeyRow[]> => listKeyRows(db, sql`queries.id = ${queryId}`);
