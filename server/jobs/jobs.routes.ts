import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { type Job, jobStatus, jobsApi } from '@telltale/domain/jobs/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import type { Http } from '../platform/http/http.ts';
import { cancelJob, findJob, type JobRow } from '../platform/jobs/queue.ts';

/** server-behaviour 8.5. */
export function jobAnswer(row: JobRow): Job {
  const result = row.status === jobStatus.done ? row.result : null;
  return {
    id: row.id,
    updated_at: row.started_at ?? 0,
    status: row.status,
    error: row.status === jobStatus.failed ? (row.error ?? 'This failed for an unknown reason.') : '',
    result,
    query_result_id: result,
  };
}

/** W8: a job is there for those who asked for it and for administrators; to others it does not exist. */
async function getOwnJob(ctx: UserCtx, id: string): Promise<JobRow> {
  const job = await findJob(ctx.db, id);
  const mayRead = job && (job.user_id === ctx.user.id || hasPermission(ctx.user.permissions, 'admin'));
  if (!mayRead) throw notFound('Job');
  return job;
}

export function jobRoutes(http: Http): void {
  http.on(jobsApi.get, async (ctx, { params }) => ({ job: jobAnswer(await getOwnJob(ctx, params.id)) }));
  http.on(jobsApi.cancel, async (ctx, { params }) => {
    await getOwnJob(ctx, params.id);
    await cancelJob(ctx.db, params.id);
    return null;
  });
}
