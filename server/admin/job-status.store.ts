import type { JobsStatus } from '@telltale/domain/admin/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

type StartedJob = JobsStatus['queues'][string]['started'][number];
type Worker = JobsStatus['workers'][number];

export async function listStartedJobs(db: Db): Promise<StartedJob[]> {
  const { rows } = await sql<StartedJob>`
    select id, name, queue as origin, enqueued_at, started_at, meta from jobs where status = 2 order by started_at limit 1000`.execute(db);
  return rows;
}

type FailedJob = JobsStatus['failed'][number];

/** Lists the newest failed jobs; finished jobs are kept for a week. */
export async function listFailedJobs(db: Db): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id, name, queue as origin, enqueued_at, started_at, finished_at, meta,
      left(coalesce(error->>'message', error#>>'{}', ''), 2000) as error
    from jobs where status = 4 order by finished_at desc limit 200`.execute(db);
  return rows;
}

export async function countQueuedJobs(db: Db): Promise<{ queue: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    select queue, count(*) as count from jobs where status = 1 group by queue`.execute(db);
  return rows;
}

export async function listWorkers(db: Db): Promise<Worker[]> {
  const { rows } = await sql<Worker>`
    select id::text as name, hostname, pid, array_to_string(queues, ', ') as queues, state, greatest(heartbeat_at, started_at) as last_heartbeat,
      started_at as birth_date, current_job, successful_jobs, failed_jobs, total_working_ms / 1000.0::float8 as total_working_time
    from processes where role = 'worker' order by hostname, pid`.execute(db);
  return rows;
}
