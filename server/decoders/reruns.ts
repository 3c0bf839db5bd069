import type { Rerun } from '@telltale/domain/decoders/contract.ts';
import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import { z } from 'zod';
import { getChannelRow } from '../channels/channels.ts';
import { recordEvent } from '../events/events.ts';
import { jobReply, memberOf } from '../jobs/jobs.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { conflict } from '../platform/errors.ts';
import { jobKind } from '../platform/jobs/define.ts';
import { cancelJob } from '../platform/jobs/queue.ts';
import { findRerun, insertRerun } from './reruns.store.ts';
import { getActiveDecoder } from './script-in-use.ts';

const dayMs = 86_400_000;
/** The maximum age of messages that the circuit breaker left undecoded. */
const undecodedMs = 30 * 60_000;

/** Decodes messages again: all since a time, or only those that the circuit breaker left. The job can safely restart. */
export const rerunKind = jobKind({
  name: 'decoders.rerun',
  queue: 'default',
  onLost: 'retry',
  timeLimitMs: 12 * 60 * 60_000,
  payload: z.object({ channel_pk: z.int(), since: z.string(), onlyUndecoded: z.boolean() }),
});

/** Starts a job that uses the version in use at its start. */
export async function startRerun(ctx: UserCtx, channelId: string, days: number): Promise<{ job: Job }> {
  const { pk } = await getChannelRow(ctx, channelId);
  const active = await getActiveDecoder(ctx, pk);
  const running = await readRerun(ctx, channelId);
  if (running && running.job.status < jobStatus.done) throw conflict('The history of this channel is being decoded already.');
  const since = new Date(ctx.now.getTime() - days * dayMs).toISOString();
  const id = await ctx.transaction(async (tx) => {
    const job = await tx.enqueue(
      rerunKind,
      { channel_pk: pk, since, onlyUndecoded: false },
      { user_id: ctx.user.id, member: memberOf(ctx.identity), dedupeKey: `decoder-rerun:${pk}`, meta: { channel_id: channelId } },
    );
    await insertRerun(tx.db, job, pk, active.version, ctx.user.id);
    await recordEvent(tx, 'rerun_decoder', 'channel', channelId, { days, version: active.version });
    return job;
  });
  return { job: await jobReply(ctx, id) };
}

/**
 * iot-behaviour 4.3: decodes the messages that arrived while a decoder was paused, now or at the end of the pause. Each pause has a job of its
 * own: that of an earlier one may start, or have started, before this one ends.
 */
export const rerunUndecoded = (ctx: Ctx, channelPk: number, pauseEndsAt?: Date): Promise<string> =>
  ctx.enqueue(
    rerunKind,
    { channel_pk: channelPk, since: new Date(ctx.now.getTime() - undecodedMs).toISOString(), onlyUndecoded: true },
    pauseEndsAt ? { runAt: pauseEndsAt } : { dedupeKey: `decoder-undecoded:${channelPk}` },
  );

export async function readRerun(ctx: Ctx, channelId: string): Promise<Rerun | null> {
  const { pk } = await getChannelRow(ctx, channelId);
  const row = await findRerun(ctx.db, pk);
  if (!row) return null;
  const { job_id, ...rerun } = row;
  return { ...rerun, job: await jobReply(ctx, job_id) };
}

export async function cancelRerun(ctx: UserCtx, channelId: string): Promise<null> {
  const running = await readRerun(ctx, channelId);
  if (running && running.job.status < jobStatus.done) await cancelJob(ctx.db, running.job.id);
  return null;
}
