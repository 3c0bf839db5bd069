import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export type ReaderRow = Columns<'reader', 'role_name' | 'password_sealed'>;

export async function findReader(db: Db): Promise<ReaderRow | undefined> {
  const { rows } = await sql<ReaderRow>`select role_name, password_sealed from reader`.execute(db);
  return rows[0];
}

export const storeReader = (db: Db, { role_name, password_sealed }: ReaderRow) =>
  sql`
    insert into reader (role_name, password_sealed) values (${role_name}, ${password_sealed})
    on conflict (id) do update set role_name = excluded.role_name, password_sealed = excluded.password_sealed`.execute(db);

export async function accessVersion(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`select version::text as version from reader_access`.execute(db);
  return rows[0]?.version;
}

/** Signs the access to these channels together with the current version of all access. */
export async function signAccess(db: Db, channels: string): Promise<string | undefined> {
  const { rows } = await sql<{ pass: string }>`
    select said || ':' || console.reader_signature(said) as pass
    from (select version || ':' || ${channels}::text as said from reader_access) access`.execute(db);
  return rows[0]?.pass;
}

/** The database itself: its number names the role of its readers. */
export async function findDatabase(db: Db): Promise<{ oid: number; name: string; owner: string } | undefined> {
  const { rows } = await sql<{ oid: number; name: string; owner: string }>`
    select oid::int as oid, current_database() as name, current_user as owner from pg_database where datname = current_database()`.execute(
    db,
  );
  return rows[0];
}
