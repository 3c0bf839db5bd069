import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** server-behaviour 8.5: what came out of a job is kept for half a day, why it failed for a week. */
export const forgetOldJobs = (ctx: Ctx) =>
  sql`delete from jobs where (status = 3 and finished_at < now() - interval '12 hours') or (status = 4 and finished_at < now() - interval '7 days')`.execute(
    ctx.db,
  );
