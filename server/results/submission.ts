import { randomUUID } from 'node:crypto';
import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import { type DataSourceRow, isReadOnlyFor, pausedMessage } from '../data-sources/data-sources.ts';
import { recordEvent } from '../events/events.ts';
import { jobAnswerFor, memberOf } from '../jobs/jobs.ts';
import type { ReaderCtx } from '../platform/context.ts';
import { findJob, type JobRow, leaveJob } from '../platform/jobs/queue.ts';
import { emit } from '../platform/signals.ts';
import { may } from '../policy/policy.ts';
import {
  areSameChannels,
  channelsAsked,
  channelsOfQuery,
  hasChannels,
  isOpen,
  namedResultsFault,
  notShared,
  peopleAsking,
  resultsType,
} from '../queries/joined-results.ts';
import type { QueryRow } from '../queries/queries.ts';
import { accessFingerprint, runHash } from '../queries/query-text.ts';
import { noteStoredResult } from '../queries/runs.ts';
import type { Chunk } from '../wire/chunk.ts';
import { allOf, askForChunks, readChunks } from './chunk-reader.ts';
import { ageFor, rateLimitRuns } from './rate-limits.ts';
import { refused } from './refused.ts';
import { resultStored } from './result-signals.ts';
import { countUnfinished, findCached, findResult, noteOrigin, noteUse, type ResultRow } from './results.store.ts';
import { originOf, type RunRequest, runKey, runQuery } from './run-job.ts';

/** Answers a run: with a stored result, with a result that comes soon enough, or with the job to poll. */

export type RunAnswer = { job: Job; result?: undefined } | { job?: Job; result: ResultRow; chunks: AsyncGenerator<Chunk> };

/** A run that answers this soon is worth waiting for (design 4). */
const timeoutMs = 300;
/** The longest wait that a caller may request (`Prefer: wait=N`). */
const longestWaitMs = 30_000;
/** Most runs of a console end sooner than this. */
const quickMs = 40;
const unfinishedPerMember = 40;

const tooManyRuns = () => refused(429, 'Too many of your queries are running. Wait for one to finish or cancel it.');

interface Submission {
  maxAge: number;
  /** The saved query it runs for; the outcome becomes its latest result when it `links`. */
  saved: QueryRow | undefined;
  links: boolean;
  /** As `is_of_query` of the run. */
  isOfQuery: boolean;
  database: string | null;
  /** Time zone of the run (`runZone`). */
  zone: string;
  /** The caller requests a read-only run. */
  readOnly?: boolean;
}

export async function submit(
  ctx: ReaderCtx,
  source: DataSourceRow,
  query: string,
  { maxAge, saved, links: wantsLink, isOfQuery, database, zone, readOnly = false }: Submission,
): Promise<RunAnswer> {
  const [query_id, text_version] = [saved?.id ?? null, saved?.text_version ?? null];
  // Names of sources and queries are hidden from key readers.
  const isTextVisible = may(ctx.identity, 'read_text', 'query');
  if (source.paused_at) throw refused(400, isTextVisible ? pausedMessage(source) : 'This query is paused. Please try later.');
  const readers = source.type === resultsType ? await peopleAsking(ctx, saved) : [];
  const fault = source.type === resultsType ? await namedResultsFault(ctx, readers, query) : undefined;
  if (fault) throw refused(403, isTextVisible ? fault : notShared);
  const channel_pks = hasChannels(source) ? channelsAsked(ctx) : null;
  const hash = runHash(ctx, source, { text: query, database, zone, access: accessFingerprint(readers), channel_pks });
  const links = wantsLink && (await isSharedView(ctx, source, saved, channel_pks));
  const age = ageFor(ctx, maxAge);
  const found = age === 0 ? undefined : await findCached(ctx.db, source.id, hash, age);
  const cached = found && (await isOpen(ctx, found, saved)) ? found : undefined;
  const record = () => recordEvent(ctx, 'execute_query', 'data_source', source.id, { cache: cached ? 'hit' : 'miss', query_id });
  const member = memberOf(ctx.identity);
  const [user_id, username] = ctx.identity.kind === 'user' ? [ctx.identity.id, ctx.identity.email] : [null, null];
  if (cached) {
    await Promise.all([
      record(),
      noteUse(ctx.db, cached),
      noteOrigin(ctx.db, cached, originOf({ user_id, query_id, is_of_query: isOfQuery })),
    ]);
    if (saved && links) await linkStored(ctx, saved, cached, username);
    return { result: cached, chunks: readChunks(ctx, cached) };
  }
  await rateLimitRuns(ctx);
  const newId = randomUUID();
  const expected = ctx.jobWatch?.expect(newId);
  try {
    const run = {
      data_source_id: source.id,
      query,
      query_hash: hash,
      database,
      time_zone: zone,
      query_id,
      links,
      text_version,
      user_id,
      username,
      is_of_query: isOfQuery,
      in_name_of: readers.map(({ id }) => id),
      channel_pks,
      only_reads: isReadOnlyFor(ctx, source, ctx.identity, readOnly),
    };
    const id = await ctx.enqueue(runQuery, run, {
      id: newId,
      user_id,
      member,
      request: links ? ({ query_id: saved?.id ?? 0, text_version, scheduled: false } satisfies RunRequest) : undefined,
      dedupeKey: runKey(run),
      meta: { data_source_id: source.id, org_id: ctx.identity.org_id, scheduled: false, query_id: query_id ?? 'adhoc', user_id },
    });
    // The commit of the event also brings the job to the disk, before the caller learns of it (design 2).
    const end = id === newId ? expected?.wait(quickMs) : ctx.jobWatch?.wait(id, quickMs);
    const [quick] = await Promise.all([end, record()]);
    return await answerTo(ctx, isEnded(quick) ? quick : await waitLonger(ctx, id, member));
  } finally {
    expected?.forget();
  }
}

/** A query shows everybody the view of the users responsible for it, not that of a user with other channels. */
async function isSharedView(ctx: ReaderCtx, source: DataSourceRow, saved: QueryRow | undefined, asked: number[] | null): Promise<boolean> {
  if (!saved || !hasChannels(source)) return true;
  if (ctx.identity.kind === 'user' && ctx.identity.id === saved.user_id && asked === null) return true;
  return areSameChannels(asked, await channelsOfQuery(ctx, saved));
}

/** design 8: a stored result becomes the latest result of the query, as if it had run just now; mostly it is already. */
async function linkStored(
  ctx: ReaderCtx,
  { id, latest_query_data_id, text_version }: QueryRow,
  stored: ResultRow,
  username: string | null,
): Promise<void> {
  if (latest_query_data_id === stored.id) return;
  // Nothing ran for it, so its notices name no queue and no job.
  const metadata = { Username: username ?? 'unknown', query_id: id, 'Query Hash': stored.query_hash, Scheduled: false };
  const found = { query_id: id, result_id: stored.id, metadata };
  await ctx.transaction(async (tx) => {
    if (await noteStoredResult(tx, { ...found, text_version })) await emit(tx, resultStored, found);
  });
}

const isEnded = (job: JobRow | undefined): job is JobRow => job !== undefined && job.status >= jobStatus.done;

/** Counts the unfinished runs of the member here: a run that has ended sooner does not count. */
async function waitLonger(ctx: ReaderCtx, id: string, member: string): Promise<JobRow | undefined> {
  if ((await countUnfinished(ctx.db, member, id)) > unfinishedPerMember) {
    await ctx.transaction((tx) => leaveJob(tx.db, id, member));
    throw tooManyRuns();
  }
  const { waitSeconds } = ctx.request;
  const waitMs = waitSeconds === null ? timeoutMs : Math.min(Math.max(waitSeconds * 1000, quickMs), longestWaitMs);
  return (await ctx.jobWatch?.wait(id, waitMs - quickMs)) ?? findJob(ctx.db, id);
}

async function answerTo(ctx: ReaderCtx, job: JobRow | undefined): Promise<RunAnswer> {
  if (!job) throw new Error('A job that was just queued is gone.');
  const answer = jobAnswerFor(ctx.identity, job);
  // Upstream clients mistake a result in this answer for an old one: only callers that ask to wait get it (design 8).
  if (job.status !== jobStatus.done || ctx.request.waitSeconds === null) return { job: answer };
  const chunks = askForChunks(ctx, Number(job.result));
  const result = await findResult(ctx.db, Number(job.result));
  return result ? { job: answer, result, chunks: allOf(chunks, result) } : { job: answer };
}
