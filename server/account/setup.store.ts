import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export async function hasUsers(db: Db): Promise<boolean> {
  const { rows } = await sql`select from users limit 1`.execute(db);
  return rows.length > 0;
}

export const storeCode = (db: Db, hash: Buffer) =>
  sql`insert into setup (code_hash) values (${hash}) on conflict (id) do update set code_hash = excluded.code_hash, created_at = now()`.execute(
    db,
  );

/** Deletes the row with this code; false if there is none. */
export async function takeCode(db: Db, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`delete from setup where code_hash = ${hash} returning id`.execute(db);
  return rows.length > 0;
}

export const deleteCodes = (db: Db) => sql`delete from setup`.execute(db);
