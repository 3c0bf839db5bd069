import type { ListedAlert } from '@telltale/domain/alerts/contract.ts';
import type { AlertOptions, AlertState } from '@telltale/domain/alerts/options.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export interface AlertRow
  extends Columns<
    'alerts',
    | 'id'
    | 'org_id'
    | 'user_id'
    | 'query_id'
    | 'channel_pk'
    | 'name'
    | 'rearm'
    | 'unknown_reason'
    | 'last_triggered_at'
    | 'last_result_id'
    | 'armed_at'
    | 'created_at'
    | 'updated_at'
  > {
  kind: AlertOptions['kind'];
  options: AlertOptions;
  state: AlertState;
  failed_from: AlertState | null;
}

const alertFields = sql`alerts.id, alerts.org_id, alerts.user_id, alerts.kind, alerts.query_id, alerts.channel_pk, alerts.name, alerts.options,
  alerts.rearm, alerts.state, alerts.unknown_reason, alerts.failed_from, alerts.last_triggered_at, alerts.last_result_id, alerts.armed_at,
  alerts.created_at, alerts.updated_at`;

async function selectAlerts(db: Db, rest: RawBuilder<unknown>): Promise<AlertRow[]> {
  return (await sql<AlertRow>`select ${alertFields} from alerts ${rest}`.execute(db)).rows;
}

export const findAlert = async (db: Db, id: number): Promise<AlertRow | undefined> =>
  (await selectAlerts(db, sql`where alerts.id = ${id}`))[0];
/** Locks the alert: other evaluations and changes wait until this transaction ends. */
export const lockAlert = async (db: Db, id: number): Promise<AlertRow | undefined> =>
  (await selectAlerts(db, sql`where id = ${id} for update`))[0];

/** Lists the newest alerts first. */
export const listVisibleAlerts = (db: Db, isVisible: RawBuilder<boolean>) =>
  selectAlerts(db, sql`where ${isVisible} order by alerts.created_at desc, alerts.id desc`);
export const listAlertsOfQuery = (db: Db, queryId: number) => selectAlerts(db, sql`where query_id = ${queryId} order by id`);

export async function hasAlerts(db: Db, queryId: number): Promise<boolean> {
  return (await sql`select from alerts where query_id = ${queryId} limit 1`.execute(db)).rows.length > 0;
}

export type AlertFields = Pick<AlertRow, 'name' | 'options' | 'rearm' | 'query_id' | 'channel_pk'>;

export async function insertAlert(db: Db, owner: { org_id: number; user_id: number }, alert: AlertFields): Promise<number> {
  const { name, options, rearm, query_id, channel_pk } = alert;
  const { rows } = await sql<Columns<'alerts', 'id'>>`
    insert into alerts (org_id, user_id, kind, query_id, channel_pk, name, options, rearm)
    values (${owner.org_id}, ${owner.user_id}, ${options.kind}, ${query_id}, ${channel_pk}, ${name}, ${JSON.stringify(options)}::jsonb, ${rearm})
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

export const updateAlert = (db: Db, id: number, { name, options, rearm, query_id, channel_pk }: AlertFields, isRearmed: boolean) =>
  sql`
    update alerts set name = ${name}, kind = ${options.kind}, options = ${JSON.stringify(options)}::jsonb, rearm = ${rearm}, query_id = ${query_id},
      channel_pk = ${channel_pk}, updated_at = now()
      ${isRearmed ? sql`, state = 'unknown', unknown_reason = null, failed_from = null, last_result_id = null, armed_at = now()` : sql``}
    where id = ${id}`.execute(db);

export const setMuted = (db: Db, id: number, muted: boolean) =>
  sql`update alerts set options = jsonb_set(options, '{muted}', to_jsonb(${muted}::boolean)), updated_at = now() where id = ${id}`.execute(
    db,
  );

export const deleteAlert = (db: Db, id: number) => sql`delete from alerts where id = ${id}`.execute(db);

export interface AlertProgress {
  state: AlertState;
  unknown_reason: string | null;
  failed_from: AlertState | null;
  /** True when the evaluation was news, which moves `last_triggered_at`. */
  isNews: boolean;
  last_result_id: number | null;
}

export const setProgress = (db: Db, id: number, { state, unknown_reason, failed_from, isNews, last_result_id }: AlertProgress) =>
  sql`
    update alerts set state = ${state}, unknown_reason = ${unknown_reason}, failed_from = ${failed_from},
      last_triggered_at = case when ${isNews} then now() else last_triggered_at end,
      last_result_id = coalesce(${last_result_id}::int, last_result_id),
      updated_at = case when state <> ${state} or ${isNews} then now() else updated_at end
    where id = ${id}`.execute(db);

/** Lists alerts whose query is due on a paused source and that do not say so yet. */
export async function listPausedAlerts(db: Db): Promise<{ id: number; source: string; reason: string | null }[]> {
  const { rows } = await sql<{ id: number; source: string; reason: string | null }>`
    select alerts.id, data_sources.name as source, pause_reason as reason
    from alerts join queries on queries.id = query_id join data_sources on data_sources.id = data_source_id
    where paused_at is not null and next_run_at <= now() and not is_archived
      and not exists (
        select from alert_evaluations last where last.alert_id = alerts.id and last.outcome = 'source_paused' and last.evaluated_at >= paused_at)
    limit 500`.execute(db);
  return rows;
}

/** Reads several alerts with the organisation's time zone, and prevents their deletion. */
export async function listWithTimeZone(db: Db, ids: readonly number[]): Promise<(AlertRow & { time_zone: string })[]> {
  const { rows } = await sql<AlertRow & { time_zone: string }>`
    select ${alertFields}, coalesce(settings ->> 'time_zone', 'UTC') as time_zone
    from alerts join organizations on organizations.id = org_id where alerts.id = any(${[...ids]}::int[])
    order by alerts.id for key share of alerts`.execute(db);
  return rows;
}

type QueryOfAlert = Omit<NonNullable<ListedAlert['query']>, 'parameters' | 'user' | 'last_modified_by'> & {
  options: QueryOptions;
  user_id: number;
  last_modified_by_id: number | null;
};

export async function findQueriesOfAlerts(db: Db, ids: number[]): Promise<QueryOfAlert[]> {
  const { rows } = await sql<QueryOfAlert>`
    select id, name, description, query_hash, tags, version, user_id, last_modified_by_id, schedule, data_source_id, is_draft, is_archived,
      latest_query_data_id, options, created_at, updated_at
    from queries where id = any(${ids}::int[])`.execute(db);
  return rows;
}
