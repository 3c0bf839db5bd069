import { type RawBuilder, sql } from 'kysely';
import { type Columns, type Db, type Effects, lazily } from '../database.ts';
import { startChannel } from './queue.ts';

export type Claimed = Columns<'jobs', 'id' | 'name' | 'payload' | 'attempts' | 'max_attempts' | 'lanes'>;

interface Wanted {
  queues: string[];
  names: string[];
  slots: number;
  fullLanes: string[];
  /** Jobs whose earlier run in this process has not ended yet. */
  except: string[];
}

/** Claims due jobs, the oldest first. Of each lane it takes one, so that no lane gets more jobs than it has slots. */
export const claimDue = (db: Db, processId: string, { queues, names, slots, fullLanes, except }: Wanted) =>
  claim(
    db,
    processId,
    sql`
      select job.id, job.run_at, job.lanes from unnest(${queues}::text[]) as wanted (queue) cross join lateral (
        select id, run_at, lanes from jobs
        where status = 1 and queue = wanted.queue and run_at <= now() and name = any(${names}::text[])
          and not lanes && ${fullLanes}::text[] and id <> all(${except}::uuid[])
        order by run_at limit ${slots} for no key update skip locked) as job
      order by run_at limit ${slots}`,
  );

/** Claims this job if it waits and is due. Somebody may just be joining it: the claim waits for them. */
export const claimOne = (db: Db, processId: string, id: string) =>
  claim(db, processId, sql`select id, run_at, lanes from jobs where id = ${id} and status = 1 and run_at <= now() for no key update`);

/** A claim need not be durable: if the database loses it, the job waits again, and this process cannot end it any more. */
async function claim(db: Db, processId: string, found: RawBuilder<unknown>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed & Effects>`
    with found as (${found}),
    claimed as (
      update jobs set status = 2, attempts = attempts + 1, process_id = ${processId}, started_at = now()
      from found where jobs.id = found.id
        and not exists (select from found as older where (older.run_at, older.id) < (found.run_at, found.id) and older.lanes && found.lanes)
      returning jobs.id, name, payload, attempts, max_attempts, jobs.lanes)
    select claimed.*, pg_notify(${startChannel}, id::text) as told, ${lazily(db)} as disk from claimed`.execute(db);
  return rows;
}

/**
 * Leaves to the reaper what this process holds and does not run: the answer to a claim was lost with its connection. Only claims made
 * before `since` count, a time that this function returned before `running` was read: of later ones the process may not know yet.
 */
export async function disownUnknown(db: Db, processId: string, running: string[], since: string | null): Promise<string | null> {
  const { rows } = await sql<{ now: string }>`
    with disowned as (
      update jobs set process_id = null
      where status = 2 and process_id = ${processId} and started_at < ${since}::timestamptz and id <> all(${running}::uuid[]))
    select now() as now`.execute(db);
  return rows[0]?.now ?? null;
}
