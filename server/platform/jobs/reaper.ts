import { type Kysely, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { DB } from '../database-types.ts';
import type { Logger } from '../log.ts';
import { deadAfterMs } from '../process-registry.ts';
import { type JobDefinition, taskOf } from './define.ts';
import { enqueueJob, handOver, jobChannel } from './queue.ts';

/** A job that kills its process every time is not run for ever. */
const mostLosses = 3;

const lostMessage = 'The process that ran this was stopped before it finished. Please try again.';

/**
 * Recovers the work of dead processes (design 9: graphile-worker alone would hold it for four hours). Jobs that may run twice go back in
 * the queue, others end as failed; either way nothing stays "processing" for ever.
 */
export async function reapDeadProcesses(db: Kysely<DB>, definitions: JobDefinition[], log: Logger): Promise<void> {
  const again = definitions.filter((job) => job.onLost === 'retry').map((job) => job.name);
  const reaped = await db.transaction().execute(async (trx) => {
    await sql`delete from processes where heartbeat_at < now() - make_interval(secs => ${deadAfterMs / 1000})`.execute(trx);
    const mayRun = sql`name = any(${again}) and not cancel_requested and attempts < max_attempts + ${mostLosses}::int`;
    const { rows } = await sql<{ id: string; name: string; status: number; payload: unknown }>`
      update jobs set
        status = case when ${mayRun} then 1 else 4 end,
        error = case when ${mayRun} then error else to_jsonb(${lostMessage}::text) end,
        finished_at = case when ${mayRun} then null else now() end,
        process_id = null
      where status = 2 and not exists (select from processes where processes.id = jobs.process_id)
      returning id, name, status, payload`.execute(trx);
    if (rows.length > 0) {
      const { rows: holders } = await sql<{ locked_by: string }>`
        select locked_by from graphile_worker.jobs where key = any(${rows.map((row) => row.id)}) and locked_by is not null`.execute(trx);
      await sql`select pg_notify(${jobChannel}, id) from unnest(${rows.map((row) => row.id)}::text[]) as id`.execute(trx);
      await sql`select graphile_worker.force_unlock_workers(${holders.map((row) => row.locked_by)}::text[])`.execute(trx);
    }
    for (const { id, name, payload } of rows) await queueAfterLoss(trx, definitions, { id, name, payload });
    await queueAgain(trx, definitions);
    return rows;
  });
  for (const job of reaped)
    log.warn({ job: job.id, name: job.name }, job.status === 1 ? 'a lost job is run again' : 'a lost job ended as failed');
}

async function queueAfterLoss(db: Db, definitions: JobDefinition[], lost: { id: string; name: string; payload: unknown }): Promise<void> {
  const definition = definitions.find(({ name }) => name === lost.name);
  // A payload of another version of this program says nothing that this one understands.
  const { data, success } = definition?.payload.safeParse(lost.payload) ?? { success: false };
  const following = success ? definition?.afterLoss?.(lost.id, data) : undefined;
  if (following) await enqueueJob(db, following.kind, following.payload);
}

/** A direct job that still waits after this was not heard of, or its source is busy. */
const unheardAfterMs = 3000;

/**
 * Queues jobs again that wait without a queue entry: the process died after graphile-worker gave it the job and before it claimed it, or no
 * worker heard of a direct job. Queued once more under its key, a job is still run only once, because only one claim succeeds.
 */
async function queueAgain(db: Db, definitions: JobDefinition[]): Promise<void> {
  const direct = definitions.filter((job) => job.isDirect).map(taskOf);
  const known = {
    names: definitions.map((job) => job.name),
    queues: definitions.map((job) => job.queue),
    tasks: definitions.map(taskOf),
  };
  const longAgo = sql`now() - make_interval(secs => ${deadAfterMs / 1000})`;
  const { rows } = await sql<{ id: string; name: string; task: string; payload: unknown }>`
    select id, jobs.name, coalesce(known.task, jobs.task, jobs.name) as task, payload
    from jobs left join unnest(${known.names}::text[], ${known.queues}::text[], ${known.tasks}::text[]) as known (name, queue, task)
      on known.name = jobs.name and known.queue = jobs.queue
    where status = 1 and enqueued_at < case when known.task = any(${direct}) then now() - make_interval(secs => ${unheardAfterMs / 1000}) else ${longAgo} end
      and not exists (
        select from graphile_worker.jobs as queued
        where queued.key = jobs.id::text and (queued.locked_at is null or queued.locked_at > ${longAgo}))
    order by enqueued_at limit 1000`.execute(db);
  for (const { id, name, task, payload } of rows) await handOver(db, task, id, lanesOf(definitions, name, payload));
}

/** The lanes of a job; none for a payload of another version of this program. */
export function lanesOf(definitions: Iterable<JobDefinition>, name: string, payload: unknown): string[] {
  const definition = [...definitions].find((job) => job.name === name);
  const { data, success } = definition?.payload.safeParse(payload) ?? { success: false };
  return (success && definition?.lanes?.(data)) || [];
}
