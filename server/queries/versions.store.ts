import type { QueryVersionDetail, VersionedField } from '@telltale/domain/queries/versions.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** Stores the query's current row as a version; call after the change, in its transaction. */
export const keepVersion = (db: Db, queryId: number, by: number, fields: VersionedField[]) =>
  sql`insert into query_versions (query_id, version, user_id, fields, name, description, query, data_source_id, schedule, options, tags, is_draft, is_archived)
      select id, version, ${by}::int, ${fields}::text[], name, description, query, data_source_id, schedule, options, tags, is_draft, is_archived
      from queries where id = ${queryId}`.execute(db);

/** The author of a query's text; null for texts that are older than the version history. */
export async function findAuthorOf(db: Db, queryId: number, textVersion: number): Promise<number | null> {
  const { rows } = await sql<Columns<'query_versions', 'user_id'>>`
    select user_id from query_versions where query_id = ${queryId} and version = ${textVersion}`.execute(db);
  return rows[0]?.user_id ?? null;
}

type VersionRow = Pick<QueryVersionDetail, 'version' | 'fields' | 'created_at'> & { user_id: number | null };

export async function listVersionRows(db: Db, queryId: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select version, user_id, fields, created_at from query_versions where query_id = ${queryId} order by version desc`.execute(db);
  return rows;
}

export async function findVersion(
  db: Db,
  queryId: number,
  version: number,
): Promise<(Omit<QueryVersionDetail, 'user'> & { user_id: number | null }) | undefined> {
  const { rows } = await sql<Omit<QueryVersionDetail, 'user'> & { user_id: number | null }>`
    select version, user_id, fields, created_at, name, description, query, data_source_id, schedule, options, tags, is_draft, is_archived
    from query_versions where query_id = ${queryId} and version = ${version}`.execute(db);
  return rows[0];
}
