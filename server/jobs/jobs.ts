import type { Identity } from '@telltale/domain/access/identity.ts';
import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { cancelJob, cancelledMessage, findJob, findMembership, type JobRow, leaveJob, retryJob } from '../platform/jobs/queue.ts';
import { may } from '../policy/policy.ts';

/** The name of a caller in the member list of a job. */
export const memberOf = (who: Identity): string => {
  if (who.kind === 'user') return `user ${who.id}`;
  return who.kind === 'nobody' ? 'nobody' : `${who.kind} ${who.object_id}`;
};

/** The member name of a scheduled query. */
export const scheduleMember = (queryId: unknown): string => `schedule ${queryId}`;

type StoredError = string | { message: string; line?: number; column?: number; code?: number; details?: string };

/** server-behaviour 8.5; the place of a query error, when known, comes beside the text. */
export function jobAnswer(row: JobRow, isLeft = false): Job {
  // A job cancelled for everybody counts as ended at once, before its worker has stopped.
  const hasLeft = isLeft || (row.cancel_requested && row.status < jobStatus.done);
  const isFailed = row.status === jobStatus.failed || hasLeft;
  const result = row.status === jobStatus.done && !hasLeft ? row.result : null;
  const stored = (hasLeft ? cancelledMessage : row.error) as StoredError | null;
  const place = typeof stored === 'object' && stored && stored.line ? { error_line: stored.line, error_column: stored.column } : {};
  const isCoded = typeof stored === 'object' && stored?.code !== undefined;
  const error = isCoded ? stored : typeof stored === 'object' ? stored?.message : stored;
  return {
    id: row.id,
    updated_at: row.started_at ?? 0,
    status: isFailed ? jobStatus.failed : row.status,
    error: isFailed ? (error ?? 'This failed for an unknown reason.') : '',
    result,
    query_result_id: result,
    ...(isFailed ? place : {}),
  };
}

/** security 27: only users who may see the source get database errors; key readers get a generic message. */
export function jobAnswerFor(who: Identity, row: JobRow, hasLeft = false): Job {
  const { error_line, error_column, ...job } = jobAnswer(row, hasLeft);
  if (job.status !== jobStatus.failed || may(who, 'read_text', 'query')) return { ...job, error_line, error_column };
  return { ...job, error: 'This query failed. Its owner can see why.' };
}

export async function jobReply(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.db, id);
  if (!job) throw notFound('Job');
  return jobAnswer(job);
}

/** W8: a job is visible to callers who queued or joined it and to administrators; for others it does not exist. */
export async function readJob(ctx: Ctx, id: string): Promise<Job> {
  const { job, membership } = await getOwnJob(ctx, id);
  return jobAnswerFor(ctx.identity, job, membership?.cancelled);
}

export async function cancelOwnJob(ctx: Ctx, id: string): Promise<null> {
  const { job, membership } = await getOwnJob(ctx, id);
  if (job.status >= 3) return null;
  // An administrator who is not a member cancels it for everybody; the owner of a scheduled query only ends the schedule's part in it.
  if (!membership && may(ctx.identity, 'cancel_for_all', 'job')) await cancelJob(ctx.db, id);
  else await ctx.transaction((tx) => leaveJob(tx.db, id, membership ? memberOf(ctx.identity) : scheduleMember(job.meta.query_id)));
  return null;
}

/** For administrators: runs a failed job again under its own id, so that waiting callers see the outcome. */
export async function retryFailedJob(ctx: UserCtx, id: string): Promise<Job> {
  const { job } = await getOwnJob(ctx, id);
  const isQueued = await ctx.transaction(async (tx) => {
    if (!(await retryJob(tx.db, id))) return false;
    await recordEvent(tx, 'retry', 'job', id, { name: job.name });
    return true;
  });
  if (!isQueued) throw conflict('Only a job that has failed can be run again.');
  return jobReply(ctx, id);
}

async function getOwnJob(ctx: Ctx, id: string) {
  const job = await findJob(ctx.db, id);
  if (!job) throw notFound('Job');
  const membership = await findMembership(ctx.db, id, memberOf(ctx.identity));
  if (!may(ctx.identity, 'view', 'job', { user_id: job.user_id, is_member: membership !== undefined })) throw notFound('Job');
  return { job, membership };
}
