import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** server-behaviour 8.5: results of jobs are kept for half a day, failures for a week. */
export const forgetOldJobs = (ctx: Ctx) =>
  sql`delete from jobs where (status = 3 and finished_at < now() - interval '12 hours') or (status = 4 and finished_at < now() - interval '7 days')`.execute(
    ctx.db,
  );
