import type { Query } from '@telltale/domain/queries/contract.ts';
import { readSchedule } from '@telltale/domain/schedules/schedule.ts';
import { jobAnswerFor, memberOf } from '../jobs/jobs.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { emit } from '../platform/signals.ts';
import { findUsersById } from '../users/users.ts';
import { findQuery, linkNewerResult, linkResult, lockQuery, type QueryRow } from './queries.store.ts';
import { scheduledRunFailed } from './query-signals.ts';
import {
  claimDueQuery,
  clearEndedSchedules,
  findScan,
  findUnfinishedRun,
  forgetRun,
  insertFailure,
  listUnsettledRuns,
  saveScan,
  setNextRun,
  setRunEnded,
  setRunStarted,
} from './runs.store.ts';
import { nextRunAt } from './schedule-changes.ts';
import { findAuthorOf } from './versions.store.ts';

/** The effects of a query's own runs: its latest result, its next run, its count of failures (server-behaviour 13). */

/** Claims the query that has been due longest. Call in the transaction that starts its run. */
export async function claimDue(tx: Ctx, now: Date): Promise<QueryRow | undefined> {
  for (;;) {
    const query = await claimDueQuery(tx.db, now);
    if (!query || readSchedule(query.schedule).schedule) return query;
    // W24: an unreadable schedule starts nothing; the query's own page says why.
    await setNextRun(tx.db, query.id, null);
  }
}

/**
 * The users in whose name a query runs by itself: its owner and the author of its text. An editor gains no rights through the owner, nor
 * the owner through the editor. An owner without an account does not count: then it is enough that another user saves the text.
 */
export async function responsibleFor(ctx: Ctx, query: QueryRow): Promise<number[]> {
  const author = (await findAuthorOf(ctx.db, query.id, query.text_version)) ?? query.user_id;
  const owner = (await findUsersById(ctx, [query.user_id])).get(query.user_id);
  return owner === undefined || owner.is_disabled ? [author] : [...new Set([owner.id, author])];
}

/** The slot that is due, not the moment of the scan: otherwise every run would delay the following ones. */
function slotOf({ next_run_at, schedule, schedule_failures }: QueryRow, now: Date): Date {
  const due = next_run_at === null ? now : new Date(next_run_at);
  const intervalMs = (readSchedule(schedule).schedule?.interval ?? 0) * 1000;
  return schedule_failures === 0 && now.getTime() - due.getTime() < intervalMs ? due : now;
}

export async function noteStart(tx: Ctx, query: QueryRow, jobId: string, now: Date): Promise<void> {
  const slot = slotOf(query, now);
  await setRunStarted(tx.db, query.id, jobId, slot, nextRunAt(query, slot, now));
}

export interface FinishedRun {
  query_id: number;
  result_id: number;
  /** The version of the text that ran; the result of another version is not linked. */
  text_version: number | null;
  job_id: string;
  scheduled: boolean;
}

/** Links a finished result. Call in the transaction that stores it. False when the query has changed meanwhile. */
export async function noteResult(tx: Ctx, run: FinishedRun): Promise<boolean> {
  const linked = await linkResult(tx.db, run.query_id, run.result_id, run.text_version);
  if (run.scheduled) await forgetRun(tx.db, run.query_id, run.job_id);
  const query = linked?.hadFailed ? await findQuery(tx.db, run.query_id) : undefined;
  // The query works again: failures no longer hold it back.
  if (query) await setNextRun(tx.db, query.id, nextRunAt(query, query.last_slot_at ? new Date(query.last_slot_at) : tx.now, tx.now));
  return linked !== undefined;
}

/** A stored result that answers a run of the query becomes its own, unless its own is younger. */
export const noteStoredResult = (tx: Ctx, run: Omit<FinishedRun, 'job_id' | 'scheduled'>): Promise<boolean> =>
  linkNewerResult(tx.db, run.query_id, run.result_id, run.text_version);

/** server-behaviour 13.4: records a scheduled run that failed, or could not even start. */
export async function noteFailure(
  tx: Ctx,
  failure: { query_id: number; job_id: string | null; message: string },
  now: Date,
): Promise<void> {
  const query = await lockQuery(tx.db, failure.query_id);
  if (!query || query.scheduled_job_id !== failure.job_id) return;
  const slot = failure.job_id === null ? slotOf(query, now) : new Date(query.last_slot_at ?? now);
  await endFailed(tx, query, slot, now);
  await emit(tx, scheduledRunFailed, { query_id: query.id, message: failure.message });
  if (await wantsFailureMail(tx, query)) await insertFailure(tx.db, query.id, failure.message.slice(0, 5000), query.schedule_failures + 1);
}

async function endFailed(tx: Ctx, query: QueryRow, slot: Date | null, now: Date, soon = false): Promise<void> {
  const schedule_failures = Math.min(query.schedule_failures + 1, 10_000);
  const next_run_at = soon && query.next_run_at !== null ? now.toISOString() : nextRunAt({ ...query, schedule_failures }, slot, now);
  await setRunEnded(tx.db, query.id, { schedule_failures, last_slot_at: slot, next_run_at });
}

/** After so many failures in a row no more mails are sent. */
const mostReports = 100;

async function wantsFailureMail(ctx: Ctx, query: QueryRow): Promise<boolean> {
  if (!ctx.mail.isConfigured || query.schedule_failures + 1 >= mostReports) return false;
  const { send_email_on_failed_scheduled_queries } = await getSettings(ctx);
  const owner = (await findUsersById(ctx, [query.user_id])).get(query.user_id);
  return send_email_on_failed_scheduled_queries && owner !== undefined && !owner.is_disabled;
}

/** A run that kills its process every time is not repeated for ever. */
const mostLosses = 3;

/** Settles runs whose end was not recorded: a cancelled one is forgotten, a lost one is started again at once. */
export const settleLostRuns = (ctx: Ctx, now: Date): Promise<void> =>
  ctx.transaction(async (tx) => {
    for (const query of await listUnsettledRuns(tx.db)) {
      const slot = query.last_slot_at ? new Date(query.last_slot_at) : null;
      if (query.wasCancelled) await forgetRun(tx.db, query.id, query.scheduled_job_id ?? '');
      else await endFailed(tx, query, slot, now, query.schedule_failures < mostLosses);
    }
  });

export const noteScan = (ctx: Ctx, startedAt: Date, queryIds: number[]) => saveScan(ctx.db, startedAt, queryIds);

/** The unfinished run of a user who comes back to the page of a query. */
export async function unfinishedRun(ctx: UserCtx, queryId: number): Promise<Query['running']> {
  const run = await findUnfinishedRun(ctx.db, queryId, memberOf(ctx.user));
  return run && { job: jobAnswerFor(ctx.user, run), seconds: run.seconds };
}

/** The last scan, for the screens of administrators; undefined before the first one. */
export const lastScan = (ctx: Ctx) => findScan(ctx.db);

export const forgetEndedSchedules = (ctx: Ctx) => clearEndedSchedules(ctx.db, ctx.now.toISOString().slice(0, 10));
