import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Columns, type Db, lazily } from '../database.ts';
import type { EnqueueOptions, JobKind } from './define.ts';

/** Retries for about as many seconds as a caller waits: hundreds may request the same job at once, and it may end within a millisecond. */
const mostAttempts = 200;

/** Queues a job, or joins the one that has its key. The notification is a hint: if no worker hears it, the next poll finds the job. */
export async function enqueueJob<P>(db: Db, job: JobKind<P>, payload: P, options: EnqueueOptions = {}): Promise<string> {
  const { dedupeKey = null } = options;
  for (let attempt = 1; ; attempt++) {
    const id = await insertJob(db, job, payload, options);
    if (id) return id;
    const shared = await findSharedJob(db, dedupeKey);
    // The shared job may have ended meanwhile: then the key is free again for the first caller.
    if (shared && (await joinJob(db, shared, job, payload, options))) return shared;
    if (attempt === mostAttempts) throw new Error(`${job.name} could not be queued.`);
    await delay(Math.random() * Math.min(4 * attempt, 100));
  }
}

async function insertJob<P>(db: Db, job: JobKind<P>, payload: P, options: EnqueueOptions): Promise<string | undefined> {
  const id = options.id ?? randomUUID();
  const lanes = job.lanes?.(payload) ?? [];
  const isAnnounced = job.isDirect && !options.runAt;
  // The caller of an announced job is answered after a later commit, which brings this row to the disk too.
  const hint = isAnnounced
    ? sql`pg_notify(${runChannel}, ${runNotice(job.name, id, lanes)}), ${lazily(db)}`
    : sql`pg_notify(${queueChannel}, ${job.queue})`;
  const { rows } = await sql`
    with record as (
      insert into jobs (id, name, queue, payload, user_id, meta, max_attempts, dedupe_key, lanes, run_at)
      values (${id}, ${job.name}, ${job.queue}, ${JSON.stringify(payload)}::jsonb, ${options.user_id ?? null},
              ${JSON.stringify(options.meta ?? {})}::jsonb, ${job.retries + 1}, ${options.dedupeKey ?? null}, ${lanes},
              coalesce(${options.runAt ?? null}::timestamptz, now()))
      on conflict (dedupe_key) where status in (1, 2) do nothing
      returning id),
    membership as (
      insert into job_members (job_id, member) select id, ${options.member ?? null} from record where ${options.member ?? null}::text is not null)
    select ${hint} from record`.execute(db);
  return rows.length === 1 ? id : undefined;
}

/** Announces a direct job, a part on each line: names of lanes have spaces in them. */
const runNotice = (name: string, id: string, lanes: readonly string[]) => [name, id, ...lanes].join('\n');

async function findSharedJob(db: Db, dedupeKey: string | null): Promise<string | undefined> {
  const { rows } = await sql<
    Columns<'jobs', 'id'>
  >`select id from jobs where dedupe_key = ${dedupeKey} and status in (1, 2) and not cancel_requested`.execute(db);
  return rows[0]?.id;
}

/**
 * Returns false when the job is about to end or being cancelled. Joining locks the row, so neither can happen meanwhile. A job that waits
 * in a slower queue starts at once when a caller waits for it now.
 */
async function joinJob<P>(
  db: Db,
  id: string,
  job: JobKind<P>,
  payload: P,
  { dedupeKey, member, request }: EnqueueOptions,
): Promise<boolean> {
  const lanes = job.lanes?.(payload) ?? [];
  const { rows } = await sql`
    with job as (
      select id, status = 1 and queue <> ${job.queue} and ${job.isDirect} as is_hurried from jobs where id = ${id} and dedupe_key = ${dedupeKey} and status in (1, 2) and not cancel_requested for no key update),
    changed as (
      update jobs set queue = case when is_hurried then ${job.queue} else queue end, lanes = case when is_hurried then ${lanes}::text[] else lanes end,
        run_at = case when is_hurried then least(run_at, now()) else run_at end, requests = requests || ${JSON.stringify(request === undefined ? [] : [request])}::jsonb
      from job where jobs.id = job.id and (is_hurried or ${request !== undefined})),
    membership as (
      insert into job_members (job_id, member) select id, ${member ?? null} from job where ${member ?? null}::text is not null
      on conflict (job_id, member) do update set cancelled = false)
    select case when is_hurried then pg_notify(${runChannel}, ${runNotice(job.name, id, lanes)}) end from job`.execute(db);
  return rows.length === 1;
}

/** Closes the job to further joins, and returns the requests of those who joined. */
export async function closeJob(db: Db, id: string): Promise<unknown> {
  const { rows } = await sql<{ requests: unknown }>`update jobs set dedupe_key = null where id = ${id} returning requests`.execute(db);
  return rows[0]?.requests;
}

/**
 * The same as parts of the statement that stores the outcome, whose earlier part is named `outcome (id)`. With `mayEnd` the job ends there
 * too, and its run returns `hasEnded`, unless a joined request needs more than the id of the outcome.
 */
export function closing(id: string, mayEnd: boolean) {
  const ends = sql`(${mayEnd} and status = 2 and requests = '[]'::jsonb)`;
  return sql`
    closed as (
      update jobs set dedupe_key = null,
        status = case when ${ends} then 3 else status end,
        result = case when ${ends} then to_jsonb(outcome.id) else result end,
        finished_at = case when ${ends} then now() else finished_at end
      from outcome where jobs.id = ${id}
      returning requests, ${mayEnd} and status = 3 as has_ended),
    told as (select pg_notify(${jobChannel}, ${id}) from closed where has_ended)`;
}

export interface Closed {
  requests: unknown;
  has_ended: boolean;
}

/** Whether the member joined the job, and whether it left again. */
export async function findMembership(db: Db, id: string, member: string): Promise<{ cancelled: boolean } | undefined> {
  const { rows } = await sql<
    Columns<'job_members', 'cancelled'>
  >`select cancelled from job_members where job_id = ${id} and member = ${member}`.execute(db);
  return rows[0];
}

/** Whether a job that the member joined ended with this result. */
export async function isOutcomeOf(db: Db, member: string, result: number): Promise<boolean> {
  const { rows } = await sql`
    select from job_members join jobs on jobs.id = job_id
    where member = ${member} and not cancelled and status = 3 and result = to_jsonb(${result}::int) limit 1`.execute(db);
  return rows.length > 0;
}

/** Members that left a job which goes on for others. */
export async function listLeavers(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<Columns<'job_members', 'member'>>`select member from job_members where job_id = ${id} and cancelled`.execute(
    db,
  );
  return rows.map(({ member }) => member);
}

/**
 * design 8: a shared job goes on for the others; it is stopped when the last member has left. Call in a transaction: the lock prevents
 * joins between the check and the end.
 */
export async function leaveJob(db: Db, id: string, member: string): Promise<void> {
  await sql`select from jobs where id = ${id} for update`.execute(db);
  await sql`update job_members set cancelled = true where job_id = ${id} and member = ${member}`.execute(db);
  const { rows } = await sql`select from job_members where job_id = ${id} and not cancelled limit 1`.execute(db);
  if (rows.length === 0) return cancelJob(db, id);
  await sql`select pg_notify(${jobChannel}, ${id})`.execute(db);
}

export interface JobRow extends Columns<'jobs', 'id' | 'name' | 'user_id' | 'cancel_requested' | 'started_at'> {
  status: 1 | 2 | 3 | 4;
  error: string | { message: string; code?: number; details?: string } | null;
  result: unknown;
  meta: Record<string, unknown>;
}

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select id, name, status, error, result, user_id, meta, cancel_requested, started_at from jobs where id = ${id}`.execute(db);
  return rows[0];
}

export const cancelledMessage = 'Query cancelled by user.';

/**
 * Ends a waiting job at once; notifies the worker of a running one, which ends it. The signal carries the id only, and the worker reads the
 * row again. Nothing can join the job any more: the next request makes a new one.
 */
export async function cancelJob(db: Db, id: string): Promise<void> {
  const { rows } = await sql<Columns<'jobs', 'status'>>`
    update jobs set cancel_requested = true, dedupe_key = null,
      status = case status when 1 then 4 else status end,
      error = case status when 1 then to_jsonb(${cancelledMessage}::text) else error end,
      finished_at = case status when 1 then now() else finished_at end
    where id = ${id} and status in (1, 2)
    returning status`.execute(db);
  const channels = rows[0]?.status === 2 ? [cancelChannel, jobChannel] : [jobChannel];
  if (rows[0]) await sql`select pg_notify(channel, ${id}) from unnest(${channels}::text[]) as channel`.execute(db);
}

/** A failed job waits again, as if it had never run. False when it has not failed. */
export async function retryJob(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    with again as (
      update jobs set status = 1, error = null, result = null, attempts = 0, cancel_requested = false, process_id = null,
        enqueued_at = now(), run_at = now(), started_at = null, finished_at = null
      where id = ${id} and status = 4 returning queue)
    select pg_notify(${queueChannel}, queue) from again`.execute(db);
  if (rows.length === 0) return false;
  await sql`update job_members set cancelled = false where job_id = ${id}`.execute(db);
  return true;
}

/**
 * Ends all jobs whose payload names a deleted object, with this reason. A worker that still runs one is notified to stop, and its later
 * result changes nothing.
 */
export async function endJobsOn(db: Db, subject: Record<string, number>, reason: string): Promise<void> {
  const { rows } = await sql<Columns<'jobs', 'id'>>`
    update jobs set cancel_requested = true, dedupe_key = null, status = 4, error = to_jsonb(${reason}::text), finished_at = now()
    where status in (1, 2) and payload @> ${JSON.stringify(subject)}::jsonb
    returning id`.execute(db);
  if (rows.length === 0) return;
  await sql`
    select pg_notify(channel, id) from unnest(${rows.map(({ id }) => id)}::text[]) as id, unnest(${[cancelChannel, jobChannel]}::text[]) as channel`.execute(
    db,
  );
}

export const cancelChannel = 'telltale_cancel';
/** Announces a waiting direct job: its name, id and lanes. */
export const runChannel = 'telltale_run';
/** Names a queue in which a job waits. */
export const queueChannel = 'telltale_queue';
/** Notifies that a job has ended, was queued again, or lost a member; listeners read the row. */
export const jobChannel = 'telltale_job';
/** A channel of its own, so that waiting for the end of a job is not interrupted by starts. */
export const startChannel = 'telltale_job_start';
