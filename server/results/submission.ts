import { randomUUID } from 'node:crypto';
import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import { type DataSourceRow, mustOnlyRead, pausedMessage } from '../data-sources/data-sources.ts';
import { recordEvent } from '../events/events.ts';
import { jobAnswerFor, memberOf } from '../jobs/jobs.ts';
import type { ReaderCtx } from '../platform/context.ts';
import { findJob, type JobRow, leaveJob } from '../platform/jobs/queue.ts';
import { emit } from '../platform/signals.ts';
import { askersOf, mayReadJoined, namedResultsFault, resultsType } from '../queries/joined-results.ts';
import type { QueryRow } from '../queries/queries.ts';
import { accessFingerprint, runHash } from '../queries/query-text.ts';
import { noteStoredResult } from '../queries/runs.ts';
import type { Chunk } from '../wire/chunk.ts';
import { allOf, askForChunks, readChunks } from './chunk-reader.ts';
import { ageFor, requireRunPatience } from './guests.ts';
import { refused } from './refused.ts';
import { resultStored } from './result-signals.ts';
import { countUnfinished, findCached, findResult, noteUse, type ResultRow } from './results.store.ts';
import { type RunWish, runKey, runQuery } from './run-job.ts';

/** From a text that may run to its answer: what is stored, what comes soon enough, or the job to ask for. */

export type RunAnswer = { job: Job; result?: undefined } | { job?: Job; result: ResultRow; chunks: AsyncGenerator<Chunk> };

/** A run that answers this soon is worth waiting for (design 4). */
const patienceMs = 300;
/** Most runs of a console end sooner than this. */
const quickMs = 40;
const unfinishedPerMember = 40;

const tooManyRuns = () => refused(429, 'Too many of your queries are running. Wait for one to finish or cancel it.');

interface Submission {
  maxAge: number;
  /** The saved query it runs for; what comes out is its latest result when it `links`. */
  saved: QueryRow | undefined;
  links: boolean;
  database: string | null;
}

export async function submit(
  ctx: ReaderCtx,
  source: DataSourceRow,
  query: string,
  { maxAge, saved, links, database }: Submission,
): Promise<RunAnswer> {
  const [query_id, text_version] = [saved?.id ?? null, saved?.text_version ?? null];
  if (source.paused_at)
    throw refused(400, ctx.identity.kind === 'user' ? pausedMessage(source) : 'This query is paused. Please try later.');
  const fault = source.type === resultsType ? await namedResultsFault(ctx, query, saved) : undefined;
  if (fault) throw refused(403, fault);
  const askers = source.type === resultsType ? await askersOf(ctx, saved) : [];
  const hash = runHash(source, query, database, accessFingerprint(askers));
  const age = ageFor(ctx, maxAge);
  const found = age === 0 ? undefined : await findCached(ctx.db, source.id, hash, age);
  const cached = found && (await mayReadJoined(ctx, found, saved)) ? found : undefined;
  const record = () => recordEvent(ctx, 'execute_query', 'data_source', source.id, { cache: cached ? 'hit' : 'miss', query_id });
  const member = memberOf(ctx.identity);
  if (cached) {
    await Promise.all([record(), noteUse(ctx.db, cached)]);
    if (saved && links) await linkStored(ctx, saved, cached);
    return { result: cached, chunks: readChunks(ctx.db, cached) };
  }
  await requireRunPatience(ctx);
  const user_id = ctx.identity.kind === 'user' ? ctx.identity.id : null;
  const newId = randomUUID();
  const expected = ctx.jobWatch?.expect(newId);
  try {
    const run = {
      data_source_id: source.id,
      query,
      query_hash: hash,
      database,
      query_id,
      links,
      text_version,
      user_id,
      in_name_of: askers.map(({ id }) => id),
      only_reads: mustOnlyRead(ctx, source, [ctx.identity]),
    };
    const id = await ctx.enqueue(runQuery, run, {
      id: newId,
      user_id,
      member,
      wish: links ? ({ query_id: saved?.id ?? 0, text_version, scheduled: false } satisfies RunWish) : undefined,
      dedupeKey: runKey(run),
      meta: { data_source_id: source.id, org_id: ctx.identity.org_id, scheduled: false, query_id: query_id ?? 'adhoc', user_id },
    });
    // The event's commit brings the job to the disk, too, before anybody is told of it (design 2).
    const end = id === newId ? expected?.wait(quickMs) : ctx.jobWatch?.wait(id, quickMs);
    const [quick] = await Promise.all([end, record()]);
    return await answerTo(ctx, isEnded(quick) ? quick : await waitLonger(ctx, id, member));
  } finally {
    expected?.forget();
  }
}

/** design 8: what is stored updates the query it ran for as if it had run just now; mostly it is its own already. */
async function linkStored(ctx: ReaderCtx, { id, latest_query_data_id, text_version }: QueryRow, stored: ResultRow): Promise<void> {
  if (latest_query_data_id === stored.id) return;
  const found = { query_id: id, result_id: stored.id };
  await ctx.transaction(async (tx) => {
    if (await noteStoredResult(tx, { ...found, text_version })) await emit(tx, resultStored, found);
  });
}

const isEnded = (job: JobRow | undefined): job is JobRow => job !== undefined && job.status >= jobStatus.done;

/** The places of a member are counted here: what has ended sooner takes none. */
async function waitLonger(ctx: ReaderCtx, id: string, member: string): Promise<JobRow | undefined> {
  if ((await countUnfinished(ctx.db, member, id)) > unfinishedPerMember) {
    await ctx.transaction((tx) => leaveJob(tx.db, id, member));
    throw tooManyRuns();
  }
  return (await ctx.jobWatch?.wait(id, patienceMs - quickMs)) ?? findJob(ctx.db, id);
}

async function answerTo(ctx: ReaderCtx, job: JobRow | undefined): Promise<RunAnswer> {
  if (!job) throw new Error('A job that was just queued is gone.');
  const answer = jobAnswerFor(ctx.identity, job);
  if (job.status !== jobStatus.done) return { job: answer };
  const chunks = askForChunks(ctx.db, Number(job.result));
  const result = await findResult(ctx.db, Number(job.result));
  return result ? { job: answer, result, chunks: allOf(chunks, result) } : { job: answer };
}
