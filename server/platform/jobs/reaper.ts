import { type Kysely, sql } from 'kysely';
import type { DB } from '../database-types.ts';
import type { Logger } from '../log.ts';
import { deadAfterMs } from '../process-registry.ts';
import type { JobDefinition } from './define.ts';

const lostMessage = 'The process that ran this was stopped before it finished. Please try again.';

/**
 * Work of processes that are gone (design 9: graphile-worker alone would hold it for four hours). Jobs that may run
 * twice go back in the queue, others end as failed; either way nothing stays "processing" for ever.
 */
export async function reapDeadProcesses(db: Kysely<DB>, definitions: JobDefinition[], log: Logger): Promise<void> {
  const again = definitions.filter((job) => job.onLost === 'retry').map((job) => job.name);
  const reaped = await db.transaction().execute(async (trx) => {
    await sql`delete from processes where heartbeat_at < now() - make_interval(secs => ${deadAfterMs / 1000})`.execute(trx);
    const { rows } = await sql<{ id: string; name: string; status: number }>`
      update jobs set
        status = case when name = any(${again}) and not cancel_requested then 1 else 4 end,
        error = case when name = any(${again}) and not cancel_requested then error else to_jsonb(${lostMessage}::text) end,
        finished_at = case when name = any(${again}) and not cancel_requested then null else now() end,
        process_id = null
      where status = 2 and not exists (select from processes where processes.id = jobs.process_id)
      returning id, name, status`.execute(trx);
    if (rows.length > 0) {
      const { rows: holders } = await sql<{ locked_by: string }>`
        select locked_by from graphile_worker.jobs where key = any(${rows.map((row) => row.id)}) and locked_by is not null`.execute(trx);
      await sql`select graphile_worker.force_unlock_workers(${holders.map((row) => row.locked_by)}::text[])`.execute(trx);
    }
    return rows;
  });
  for (const job of reaped)
    log.warn({ job: job.id, name: job.name }, job.status === 1 ? 'a lost job is run again' : 'a lost job ended as failed');
}
