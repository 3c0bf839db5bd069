import type { ParameterMappings } from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import type { DeviceSelection } from '@telltale/domain/queries/device-query.ts';
import type { Visualization } from '@telltale/domain/visualizations/contract.ts';
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
  schedule_failures: number;
  options: QueryOptions;
  tags: string[];
  version: number;
  /** The version in which what runs last changed. */
  text_version: number;
  device_query: DeviceSelection | null;
  last_slot_at: string | null;
  next_run_at: string | null;
  /** The scheduled run that has no outcome yet. */
  scheduled_job_id: string | null;
  created_at: string;
  updated_at: string;
}

export const queryFields = sql`
  queries.id, queries.org_id, queries.data_source_id, latest_query_data_id, queries.name, queries.description, queries.query,
  queries.query_hash, queries.api_key_sealed, queries.user_id, last_modified_by_id, is_archived, is_draft, schedule, schedule_failures,
  queries.options, tags, queries.version, text_version, device_query, last_slot_at, next_run_at, scheduled_job_id,
  queries.created_at, queries.updated_at`;

export async function findQuery(db: Db, id: number): Promise<QueryRow | undefined> {
  const { rows } = await sql<QueryRow>`select ${queryFields} from queries where id = ${id}`.execute(db);
  return rows[0];
}

/** Whoever else wants to change it waits until this transaction has ended. */
export async function lockQuery(db: Db, id: number): Promise<QueryRow | undefined> {
  const { rows } = await sql<QueryRow>`select ${queryFields} from queries where id = ${id} for update`.execute(db);
  return rows[0];
}

/** Where queries run, for those that exist. */
export async function listSourcesOfQueries(db: Db, ids: number[]): Promise<{ id: number; data_source_id: number | null }[]> {
  const { rows } = await sql<{ id: number; data_source_id: number | null }>`
    select id, data_source_id from queries where id = any(${ids}::int[])`.execute(db);
  return rows;
}

export async function findQueryByKey(db: Db, keyHash: Buffer): Promise<{ id: number; org_id: number } | undefined> {
  const { rows } = await sql<{ id: number; org_id: number }>`
    select queries.id, queries.org_id from queries join users on users.id = user_id
    where queries.api_key_hash = ${keyHash} and not is_archived and users.disabled_at is null`.execute(db);
  return rows[0];
}

/** One for each widget of a dashboard that shows the query: where it takes the parameters' values from. */
export async function listMappingsShowing(db: Db, dashboardId: number, queryId: number): Promise<(ParameterMappings | undefined)[]> {
  const { rows } = await sql<{ mappings: ParameterMappings | null }>`
    select widgets.options->'parameterMappings' as mappings
    from widgets join visualizations on visualizations.id = visualization_id
    where dashboard_id = ${dashboardId} and query_id = ${queryId}`.execute(db);
  return rows.map(({ mappings }) => mappings ?? undefined);
}

export type QueryFields = Pick<
  QueryRow,
  'name' | 'description' | 'query' | 'query_hash' | 'data_source_id' | 'schedule' | 'options' | 'tags' | 'is_draft'
>;
type RunFields = Pick<QueryRow, 'latest_query_data_id' | 'next_run_at' | 'device_query'>;
type Owned = { org_id: number; user_id: number; api_key_hash: Buffer; api_key_sealed: Buffer };

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

export async function insertQuery(db: Db, query: QueryFields & Partial<RunFields> & Owned): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into queries (org_id, user_id, last_modified_by_id, name, description, query, query_hash, data_source_id, schedule, options, tags,
      is_draft, api_key_hash, api_key_sealed, latest_query_data_id, next_run_at, device_query)
    values (${query.org_id}, ${query.user_id}, ${query.user_id}, ${query.name}, ${query.description}, ${query.query}, ${query.query_hash},
            ${query.data_source_id}, ${json(query.schedule)}::jsonb, ${json(query.options)}::jsonb, ${query.tags}, ${query.is_draft},
            ${query.api_key_hash}, ${query.api_key_sealed}, ${query.latest_query_data_id ?? null}, ${query.next_run_at ?? null},
            ${json(query.device_query)}::jsonb)
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** W18: the version moves with every save. Call with the row locked and its version compared. */
export async function updateQuery(db: Db, id: number, query: Omit<QueryRow, 'id'>, by: number): Promise<void> {
  await sql`
    update queries set name = ${query.name}, description = ${query.description}, query = ${query.query}, query_hash = ${query.query_hash},
      data_source_id = ${query.data_source_id}, schedule = ${json(query.schedule)}::jsonb, options = ${json(query.options)}::jsonb,
      tags = ${query.tags}, is_draft = ${query.is_draft}, is_archived = ${query.is_archived},
      latest_query_data_id = ${query.latest_query_data_id}, next_run_at = ${query.next_run_at}, schedule_failures = ${query.schedule_failures},
      text_version = ${query.text_version}, device_query = ${json(query.device_query)}::jsonb,
      last_modified_by_id = ${by}, version = version + 1, updated_at = now()
    where id = ${id}`.execute(db);
}

export const setQueryKey = (db: Db, id: number, key: { api_key_hash: Buffer; api_key_sealed: Buffer }) =>
  sql`update queries set api_key_hash = ${key.api_key_hash}, api_key_sealed = ${key.api_key_sealed} where id = ${id}`.execute(db);

/** The newest result of exactly this text on this source. */
export async function findResultOf(
  db: Db,
  { data_source_id, query_hash }: Pick<QueryRow, 'data_source_id' | 'query_hash'>,
): Promise<{ id: number; retrieved_at: string } | undefined> {
  const { rows } = await sql<{ id: number; retrieved_at: string }>`
    select id, retrieved_at from query_results where data_source_id = ${data_source_id} and query_hash = ${query_hash} and is_complete
    order by retrieved_at desc limit 1`.execute(db);
  return rows[0];
}

/** Which sources a stored result was joined from, none for the result of a single one. */
export async function findJoinedSources(db: Db, resultId: number | null): Promise<{ id: number; joined_source_ids: number[] } | undefined> {
  const { rows } = await sql<{ id: number; joined_source_ids: number[] }>`
    select id, joined_source_ids from query_results where id = ${resultId} and is_complete`.execute(db);
  return rows[0];
}

export async function findRetrievedAt(db: Db, resultId: number | null): Promise<string | undefined> {
  const { rows } = await sql<{ retrieved_at: string }>`select retrieved_at from query_results where id = ${resultId}`.execute(db);
  return rows[0]?.retrieved_at;
}

/** A query is born with its first visualization, and a copy with copies; later changes are the business of their own room. */
export const insertVisualization = (db: Db, queryId: number, type: string, name: string) =>
  sql`insert into visualizations (query_id, type, name) values (${queryId}, ${type}, ${name})`.execute(db);

export const copyVisualizations = (db: Db, fromId: number, toId: number) =>
  sql`insert into visualizations (query_id, type, name, description, options)
      select ${toId}, type, name, description, options from visualizations where query_id = ${fromId} order by id`.execute(db);

export async function listVisualizations(db: Db, queryId: number): Promise<Visualization[]> {
  const { rows } = await sql<Visualization>`
    select id, query_id, type, name, description, options, created_at, updated_at from visualizations where query_id = ${queryId} order by id`.execute(
    db,
  );
  return rows;
}

/** A stored result that is younger than the query's own, or its first. */
export async function linkNewerResult(db: Db, id: number, resultId: number, textVersion: number | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update queries set latest_query_data_id = found.id from query_results found
    where queries.id = ${id} and found.id = ${resultId} and text_version = ${textVersion}
      and not exists (
        select from query_results own
        where own.id = latest_query_data_id and (own.retrieved_at, own.id) >= (found.retrieved_at, found.id))`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * A result that the query itself produced; not counted as a change of the query. Nothing happens when what runs was changed
 * since then. `hadFailed` says that the schedule was held back by failures.
 */
export async function linkResult(
  db: Db,
  id: number,
  resultId: number,
  textVersion: number | null = null,
): Promise<{ hadFailed: boolean } | undefined> {
  const { rows } = await sql<{ hadFailed: boolean }>`
    update queries set latest_query_data_id = ${resultId}, schedule_failures = 0
    from (select id, schedule_failures from queries where id = ${id} for update) as before
    where queries.id = before.id and (${textVersion}::int is null or text_version = ${textVersion})
    returning before.schedule_failures > 0 as "hadFailed"`.execute(db);
  return rows[0];
}
