import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { EnqueueOptions, JobDefinition } from './define.ts';

/** One transaction writes our record and hands it to graphile-worker, so neither exists without the other. */
export async function enqueueJob<P>(db: Db, job: JobDefinition<P>, payload: P, options: EnqueueOptions = {}): Promise<string> {
  const id = randomUUID();
  const maxAttempts = job.retries + 1;
  await sql`
    with record as (
      insert into jobs (id, name, queue, payload, user_id, meta, max_attempts)
      values (${id}, ${job.name}, ${job.queue}, ${JSON.stringify(payload)}::jsonb, ${options.user_id ?? null},
              ${JSON.stringify(options.meta ?? {})}::jsonb, ${maxAttempts})
      returning id)
    select graphile_worker.add_job(${job.name}, json_build_object('job_id', record.id), job_key => record.id::text,
                                   max_attempts => 1000, run_at => ${options.runAt ?? null}::timestamptz)
    from record`.execute(db);
  return id;
}

export interface JobRow {
  id: string;
  name: string;
  status: 1 | 2 | 3 | 4;
  error: string | { message: string; code?: number; details?: string } | null;
  result: unknown;
  user_id: number | null;
  cancel_requested: boolean;
  started_at: string | null;
}

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select id, name, status, error, result, user_id, cancel_requested, started_at from jobs where id = ${id}`.execute(db);
  return rows[0];
}

export const cancelledMessage = 'Query cancelled by user.';

/**
 * A waiting job ends here and now; a running one is told, and its worker ends it. The signal carries the id only,
 * and the worker reads the row again before it believes it.
 */
export async function cancelJob(db: Db, id: string): Promise<void> {
  const { rows } = await sql<{ status: number }>`
    update jobs set cancel_requested = true,
      status = case status when 1 then 4 else status end,
      error = case status when 1 then to_jsonb(${cancelledMessage}::text) else error end,
      finished_at = case status when 1 then now() else finished_at end
    where id = ${id} and status in (1, 2)
    returning status`.execute(db);
  if (rows[0]?.status === 2) await sql`select pg_notify(${cancelChannel}, ${id})`.execute(db);
}

export const cancelChannel = 'telltale_cancel';
