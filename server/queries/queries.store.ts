import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import type { Visualization } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface QueryRow {
  id: number;
  org_id: number;
  data_source_id: number | null;
  latest_query_data_id: number | null;
  name: string;
  description: string | null;
  query: string;
  query_hash: string;
  api_key_sealed: Buffer;
  user_id: number;
  last_modified_by_id: number | null;
  is_archived: boolean;
  is_draft: boolean;
  schedule: Record<string, unknown> | null;
  options: QueryOptions;
  tags: string[];
  version: number;
  created_at: string;
  updated_at: string;
}

const fields = sql`
  id, org_id, data_source_id, latest_query_data_id, name, description, query, query_hash, api_key_sealed, user_id, last_modified_by_id,
  is_archived, is_draft, schedule, options, tags, version, created_at, updated_at`;

export async function findQuery(db: Db, id: number): Promise<QueryRow | undefined> {
  const { rows } = await sql<QueryRow>`select ${fields} from queries where id = ${id}`.execute(db);
  return rows[0];
}

export async function findQueryByKey(db: Db, keyHash: Buffer): Promise<{ id: number; org_id: number } | undefined> {
  const { rows } = await sql<{ id: number; org_id: number }>`
    select queries.id, queries.org_id from queries join users on users.id = user_id
    where queries.api_key_hash = ${keyHash} and not is_archived and users.disabled_at is null`.execute(db);
  return rows[0];
}

export type QueryFields = Pick<
  QueryRow,
  'name' | 'description' | 'query' | 'query_hash' | 'data_source_id' | 'schedule' | 'options' | 'tags' | 'is_draft'
>;

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

export async function insertQuery(
  db: Db,
  query: QueryFields & { org_id: number; user_id: number; api_key_hash: Buffer; api_key_sealed: Buffer },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into queries (org_id, user_id, last_modified_by_id, name, description, query, query_hash, data_source_id, schedule, options, tags, is_draft, api_key_hash, api_key_sealed)
    values (${query.org_id}, ${query.user_id}, ${query.user_id}, ${query.name}, ${query.description}, ${query.query}, ${query.query_hash},
            ${query.data_source_id}, ${json(query.schedule)}::jsonb, ${json(query.options)}::jsonb, ${query.tags}, ${query.is_draft},
            ${query.api_key_hash}, ${query.api_key_sealed})
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** W18: the version moves with every save, and a save made from an older one changes nothing. */
export async function updateQuery(
  db: Db,
  id: number,
  query: QueryFields,
  by: number,
  expectedVersion: number | undefined,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update queries set name = ${query.name}, description = ${query.description}, query = ${query.query}, query_hash = ${query.query_hash},
      data_source_id = ${query.data_source_id}, schedule = ${json(query.schedule)}::jsonb, options = ${json(query.options)}::jsonb,
      tags = ${query.tags}, is_draft = ${query.is_draft}, last_modified_by_id = ${by}, version = version + 1, updated_at = now()
    where id = ${id} and (${expectedVersion ?? null}::int is null or version = ${expectedVersion ?? null})`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export const insertVisualization = (db: Db, queryId: number, type: string, name: string) =>
  sql`insert into visualizations (query_id, type, name) values (${queryId}, ${type}, ${name})`.execute(db);

export async function listVisualizations(db: Db, queryId: number): Promise<Visualization[]> {
  const { rows } = await sql<Visualization>`
    select id, type, name, description, options, created_at, updated_at from visualizations where query_id = ${queryId} order by id`.execute(
    db,
  );
  return rows;
}

/** A result that the query itself produced; not counted as a change of the query. */
export const linkResult = (db: Db, id: number, resultId: number) =>
  sql`update queries set latest_query_data_id = ${resultId}, schedule_failures = 0 where id = ${id}`.execute(db);

export async function countQueries(db: Db, sourceIds: number[]): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from queries where not is_archived and data_source_id = any(${sourceIds}::int[])`.execute(db);
  return rows[0]?.count ?? 0;
}
