import type { ParameterMappings } from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import type { DeviceSelection } from '@telltale/domain/queries/device-query.ts';
import type { Visualization } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import type { Granted, OnSource } from '../policy/facts.ts';
import { sourceFacts } from '../policy/query-facts.ts';
import type { NewKey } from './query-keys.store.ts';

type PlainColumns =
  | 'id'
  | 'org_id'
  | 'data_source_id'
  | 'latest_query_data_id'
  | 'name'
  | 'description'
  | 'query'
  | 'query_hash'
  | 'user_id'
  | 'last_modified_by_id'
  | 'own_base'
  | 'is_archived'
  | 'is_draft'
  | 'schedule_failures'
  | 'tags'
  | 'version'
  // The version in which the running part last changed.
  | 'text_version'
  | 'last_slot_at'
  | 'next_run_at'
  // The scheduled run that has no outcome yet.
  | 'scheduled_job_id'
  | 'created_at'
  | 'updated_at';

/** A query with the facts that decide access to it. */
export interface QueryRow extends OnSource, Granted, Columns<'queries', PlainColumns> {
  /** The dashboard of the calling token, when it shows the query. */
  stands_on?: readonly number[];
  schedule: Record<string, unknown> | null;
  options: QueryOptions;
  device_query: DeviceSelection | null;
}

const accessFacts = sql`
  ${sourceFacts},
  coalesce((select json_agg(json_build_object('grantee', grantee_id, 'access_type', access_type))
            from access_permissions where object_type = 'queries' and object_id = queries.id), '[]'::json) as grants`;

export const queryFields = sql`
  queries.id, queries.org_id, queries.data_source_id, latest_query_data_id, queries.name, queries.description, queries.query,
  queries.query_hash, queries.user_id, last_modified_by_id, own_base, is_archived, is_draft, schedule, schedule_failures,
  queries.options, tags, queries.version, text_version, device_query, last_slot_at, next_run_at, scheduled_job_id,
  queries.created_at, queries.updated_at, ${accessFacts}`;

export async function findQuery(db: Db, id: number): Promise<QueryRow | undefined> {
  const { rows } = await sql<QueryRow>`select ${queryFields} from queries where id = ${id}`.execute(db);
  return rows[0];
}

/** Locks the row: other changes wait until this transaction has ended. */
export async function lockQuery(db: Db, id: number): Promise<QueryRow | undefined> {
  const { rows } = await sql<QueryRow>`select ${queryFields} from queries where id = ${id} for update`.execute(db);
  return rows[0];
}

export async function listQueriesById(db: Db, ids: number[]): Promise<QueryRow[]> {
  const { rows } = await sql<QueryRow>`select ${queryFields} from queries where id = any(${ids}::int[])`.execute(db);
  return rows;
}

export async function isShownOn(db: Db, dashboardId: number, queryId: number): Promise<boolean> {
  return (await listMappingsShowing(db, dashboardId, queryId)).length > 0;
}

/** The parameter mappings of each widget of a dashboard that shows the query. */
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
type Owned = { org_id: number; user_id: number } & NewKey;

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

/** Inserts a query with its owner's key. */
export async function insertQuery(db: Db, query: QueryFields & Partial<RunFields> & Owned): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into queries (org_id, user_id, last_modified_by_id, name, description, query, query_hash, data_source_id, schedule, options, tags,
        is_draft, latest_query_data_id, next_run_at, device_query)
      values (${query.org_id}, ${query.user_id}, ${query.user_id}, ${query.name}, ${query.description}, ${query.query}, ${query.query_hash},
              ${query.data_source_id}, ${json(query.schedule)}::jsonb, ${json(query.options)}::jsonb, ${query.tags}, ${query.is_draft},
              ${query.latest_query_data_id ?? null}, ${query.next_run_at ?? null}, ${json(query.device_query)}::jsonb)
      returning id),
    key as (
      insert into query_keys (query_id, user_id, api_key_hash, api_key_sealed)
      select id, ${query.user_id}::int, ${query.api_key_hash}::bytea, ${query.api_key_sealed}::bytea from made)
    select id from made`.execute(db);
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
      own_base = case when last_modified_by_id = ${by} then own_base else version end,
      last_modified_by_id = ${by}, version = version + 1, updated_at = now()
    where id = ${id}`.execute(db);
}

/** The newest result of exactly this text on this source. */
export async function findResultOf(
  db: Db,
  { data_source_id, query_hash }: Pick<QueryRow, 'data_source_id' | 'query_hash'>,
): Promise<{ id: number; retrieved_at: string } | undefined> {
  const { rows } = await sql<Columns<'query_results', 'id' | 'retrieved_at'>>`
    select id, retrieved_at from query_results where data_source_id = ${data_source_id} and query_hash = ${query_hash} and is_complete
    order by retrieved_at desc limit 1`.execute(db);
  return rows[0];
}

/** The sources that a stored result was joined from; none for the result of a single source. */
export type ResultOrigin = Columns<'query_results', 'id' | 'joined_source_ids' | 'channel_pks'>;

/** The origin of the rows of a stored result. */
export async function findResultOrigin(db: Db, resultId: number | null): Promise<ResultOrigin | undefined> {
  const { rows } = await sql<ResultOrigin>`
    select id, joined_source_ids, channel_pks from query_results where id = ${resultId} and is_complete`.execute(db);
  return rows[0];
}

export async function findRetrievedAt(db: Db, resultId: number | null): Promise<string | undefined> {
  const { rows } = await sql<
    Columns<'query_results', 'retrieved_at'>
  >`select retrieved_at from query_results where id = ${resultId}`.execute(db);
  return rows[0]?.retrieved_at;
}

/** Inserts the first visualization of a new query, or a copy of one; later changes belong to the room of visualizations. */
export const insertVisualization = (db: Db, queryId: number, type: string, name: string, options: Record<string, unknown> = {}) =>
  sql`insert into visualizations (query_id, type, name, options)
      values (${queryId}, ${type}, ${name}, ${JSON.stringify(options)}::jsonb)`.execute(db);

/** Changes charts that still have their initial options. */
export const updateUntouchedChart = (db: Db, queryId: number, before: Record<string, unknown>, options: Record<string, unknown>) =>
  sql`update visualizations set options = ${JSON.stringify(options)}::jsonb, updated_at = now()
      where query_id = ${queryId} and type = 'CHART' and options = ${JSON.stringify(before)}::jsonb`.execute(db);

export const copyVisualizations = (db: Db, fromId: number, toId: number) =>
  sql`insert into visualizations (query_id, type, name, description, options, position)
      select ${toId}, type, name, description, options, position from visualizations where query_id = ${fromId} order by id`.execute(db);

export async function listVisualizations(db: Db, queryId: number): Promise<Visualization[]> {
  const { rows } = await sql<Visualization>`
    select id, query_id, type, name, description, options, created_at, updated_at from visualizations where query_id = ${queryId}
    order by position, id`.execute(db);
  return rows;
}

/** Links a stored result that is younger than the query's own, or its first. */
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
 * Links a result that the query itself produced; this does not count as a change of the query. Nothing happens when the text has changed
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
