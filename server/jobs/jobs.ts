import type { Identity, Person } from '@telltale/domain/access/identity.ts';
import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import type { Ctx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { cancelJob, cancelledMessage, findJob, findMembership, type JobRow, leaveJob } from '../platform/jobs/queue.ts';

/** How somebody is written down in a job they asked for or joined. */
export const memberOf = (who: Identity): string => {
  if (who.kind === 'user') return `user ${who.id}`;
  return who.kind === 'nobody' ? 'nobody' : `${who.kind} ${who.object_id}`;
};

/** The same for a query that runs by itself. */
export const scheduleMember = (queryId: unknown): string => `schedule ${queryId}`;

type StoredError = string | { message: string; line?: number; column?: number; code?: number; details?: string };

/** server-behaviour 8.5; where a query's fault is known, its place comes beside the text. */
export function jobAnswer(row: JobRow, isLeft = false): Job {
  // Whoever cancels it for everybody need not wait until its worker has obeyed either.
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

/** security 27: what a database says about itself is for people, who may see the source; whoever only holds a key may not. */
export function jobAnswerFor(who: Identity, row: JobRow, hasLeft = false): Job {
  const { error_line, error_column, ...job } = jobAnswer(row, hasLeft);
  if (who.kind === 'user' || job.status !== jobStatus.failed) return { ...job, error_line, error_column };
  return { ...job, error: 'This query failed. Its owner can see why.' };
}

export async function jobReply(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.db, id);
  if (!job) throw notFound('Job');
  return jobAnswer(job);
}

/** W8: a job is there for those who asked for it or joined it, and for administrators; to others it does not exist. */
export async function readJob(ctx: Ctx, id: string): Promise<Job> {
  const { job, membership } = await getOwnJob(ctx, id);
  return jobAnswerFor(ctx.identity, job, membership?.cancelled);
}

export async function cancelOwnJob(ctx: Ctx, id: string): Promise<null> {
  const { job, membership } = await getOwnJob(ctx, id);
  if (job.status >= 3) return null;
  const isAdmin = hasPermission(ctx.identity.permissions, 'admin');
  // An administrator who is no member stops it for everybody; whoever owns a scheduled run only ends that one's part in it.
  if (!membership && isAdmin) await cancelJob(ctx.db, id);
  else await ctx.transaction((tx) => leaveJob(tx.db, id, membership ? memberOf(ctx.identity) : scheduleMember(job.meta.query_id)));
  return null;
}

async function getOwnJob(ctx: Ctx, id: string) {
  const job = await findJob(ctx.db, id);
  if (!job) throw notFound('Job');
  const membership = await findMembership(ctx.db, id, memberOf(ctx.identity));
  const isOwner = ctx.identity.kind === 'user' && job.user_id === (ctx.identity as Person).id;
  if (!membership && !isOwner && !hasPermission(ctx.identity.permissions, 'admin')) throw notFound('Job');
  return { job, membership };
}
