import { type Kysely, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { DB } from '../database-types.ts';
import type { Logger } from '../log.ts';
import { deadAfterMs } from '../process-registry.ts';
import type { JobDefinition } from './define.ts';
import { enqueueJob, jobChannel } from './queue.ts';

/** A job that kills its process every time is not run for ever. */
const mostLosses = 3;

const lostMessage = 'The process that ran this was stopped before it finished. Please try again.';

/**
 * Recovers the work of dead processes (design 9). Jobs that may run twice go back in the queue, others end as failed; either way nothing
 * stays "processing" for ever.
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
      returning id, name, status, payload, pg_notify(${jobChannel}, id::text) as told`.execute(trx);
    for (const { id, name, payload } of rows) await queueAfterLoss(trx, definitions, { id, name, payload });
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
