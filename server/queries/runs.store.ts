import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import type { JobRow } from '../platform/jobs/queue.ts';
import { type QueryRow, queryFields } from './queries.store.ts';

/**
 * W40: claims the query that has waited longest, by the index; one that another process is starting is skipped. A query that joined results
 * of a paused source waits like the queries of that source itself.
 */
export async function claimDueQuery(db: Db, now: Date): Promise<QueryRow | undefined> {
  const { rows } = await sql<QueryRow>`
    select ${queryFields} from queries join data_sources on data_sources.id = queries.data_source_id
    where next_run_at <= ${now} and not is_archived and scheduled_job_id is null and data_sources.paused_at is null
      and not exists (
        select from query_results joined join data_sources paused on paused.id = any(joined.joined_source_ids)
        where joined.id = latest_query_data_id and paused.paused_at is not null)
    order by next_run_at limit 1 for update of queries skip locked`.execute(db);
  return rows[0];
}

export const setRunStarted = (db: Db, id: number, jobId: string, lastSlot: Date, nextRunAt: string | null) =>
  sql`update queries set scheduled_job_id = ${jobId}, last_slot_at = ${lastSlot}, next_run_at = ${nextRunAt} where id = ${id}`.execute(db);

export const setRunEnded = (
  db: Db,
  id: number,
  { schedule_failures, last_slot_at, next_run_at }: Pick<QueryRow, 'schedule_failures' | 'next_run_at'> & { last_slot_at: Date | null },
) =>
  sql`update queries set scheduled_job_id = null, schedule_failures = ${schedule_failures}, last_slot_at = ${last_slot_at}, next_run_at = ${next_run_at}
      where id = ${id}`.execute(db);

export const forgetRun = (db: Db, id: number, jobId: string) =>
  sql`update queries set scheduled_job_id = null where id = ${id} and scheduled_job_id = ${jobId}`.execute(db);

export const setNextRun = (db: Db, id: number, nextRunAt: string | null) =>
  sql`update queries set next_run_at = ${nextRunAt} where id = ${id}`.execute(db);

/** Runs whose job has ended without a recorded outcome: its process died, was stopped, or the job was cancelled. */
export async function listUnsettledRuns(db: Db): Promise<(QueryRow & { wasCancelled: boolean })[]> {
  const { rows } = await sql<QueryRow & { wasCancelled: boolean }>`
    select ${queryFields}, coalesce(jobs.cancel_requested, false) as "wasCancelled"
    from queries left join jobs on jobs.id = scheduled_job_id
    where scheduled_job_id is not null and (jobs.id is null or jobs.status >= 3)
    for update of queries skip locked`.execute(db);
  return rows;
}

export interface UnfinishedRun extends JobRow {
  seconds: number;
}

/** The run of the query's current text that this member waits for, regardless of who started it. */
export async function findUnfinishedRun(db: Db, queryId: number, member: string): Promise<UnfinishedRun | undefined> {
  const { rows } = await sql<UnfinishedRun>`
    select jobs.id, jobs.name, status, error, result, jobs.user_id, meta, cancel_requested, started_at,
      extract(epoch from now() - enqueued_at)::float8 as seconds
    from job_members join jobs on jobs.id = job_id join queries on queries.id = ${queryId}
    where member = ${member} and not cancelled and status in (1, 2) and not cancel_requested
      and (payload @> jsonb_build_object('query_id', queries.id, 'text_version', queries.text_version, 'links', true)
        or requests @> jsonb_build_array(jsonb_build_object('query_id', queries.id, 'text_version', queries.text_version)))
    order by enqueued_at desc limit 1`.execute(db);
  return rows[0];
}

export const insertFailure = (db: Db, queryId: number, message: string, scheduleFailures: number) =>
  sql`insert into query_failures (query_id, message, schedule_failures) values (${queryId}, ${message}, ${scheduleFailures})`.execute(db);

export interface FailureRow extends Columns<'query_failures', 'query_id' | 'message' | 'schedule_failures' | 'failed_at'> {
  query_name: string;
  user_id: number;
  count: number;
}

/** Takes and deletes the failures to report, one per query and kind of failure. */
export async function takeFailures(db: Db): Promise<FailureRow[]> {
  const { rows } = await sql<FailureRow>`
    with taken as (delete from query_failures returning query_id, message, schedule_failures, failed_at)
    select query_id, queries.name as query_name, queries.user_id, message, max(taken.schedule_failures) as schedule_failures,
      count(*) as count, max(failed_at) as failed_at
    from taken join queries on queries.id = query_id
    group by query_id, queries.name, queries.user_id, message
    order by queries.user_id, max(failed_at) desc`.execute(db);
  return rows;
}

/** server-behaviour 13.4: removes schedules that have ended. */
export const clearEndedSchedules = (db: Db, today: string) =>
  sql`update queries set schedule = null, next_run_at = null
      where schedule is not null and schedule->>'until' ~ '^\\d{4}-\\d{2}-\\d{2}$' and schedule->>'until' <= ${today}`.execute(db);

export type Scan = Columns<'schedule_scan', 'started_at' | 'last_refresh_at' | 'query_ids'>;

export const saveScan = (db: Db, startedAt: Date, queryIds: number[]) =>
  sql`insert into schedule_scan (started_at, last_refresh_at, query_ids) values (${startedAt}, now(), ${queryIds})
      on conflict (id) do update set started_at = excluded.started_at, last_refresh_at = excluded.last_refresh_at, query_ids = excluded.query_ids`.execute(
    db,
  );

export async function findScan(db: Db): Promise<Scan | undefined> {
  const { rows } = await sql<Scan>`select started_at, last_refresh_at, query_ids from schedule_scan`.execute(db);
  return rows[0];
}
