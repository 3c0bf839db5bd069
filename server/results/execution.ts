import { randomUUID } from 'node:crypto';
import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import { savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { isSameValue } from '@telltale/domain/parameters/same-value.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { type AdHocRun, SavedRun } from '@telltale/domain/results/contract.ts';
import { accessTo, type DataSourceRow, getSourceForJob, mayRunAnything, pausedMessage } from '../data-sources/data-sources.ts';
import { recordEvent } from '../events/events.ts';
import { jobAnswerFor, memberOf } from '../jobs/jobs.ts';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { AppError, invalid } from '../platform/errors.ts';
import { findJob, type JobRow, leaveJob } from '../platform/jobs/queue.ts';
import { emit } from '../platform/signals.ts';
import { askersOf, joinsOthers, mayReadJoined, namedResultsFault, notShared, resultsType } from '../queries/joined-results.ts';
import { getQuery, type QueryRow } from '../queries/queries.ts';
import { accessFingerprint, databaseFor, finalText, runHash, savedValues } from '../queries/query-text.ts';
import { noteStoredResult } from '../queries/runs.ts';
import { mayAskWith } from '../queries/shared-queries.ts';
import type { Chunk } from '../wire/chunk.ts';
import { allOf, askForChunks, readChunks } from './chunk-reader.ts';
import { dropdownOptions } from './dropdowns.ts';
import { ageFor, requireGuestPatience, requireRunPatience } from './guests.ts';
import { refused } from './refused.ts';
import { resultStored } from './result-signals.ts';
import { countUnfinished, findCached, findResult, noteUse, type ResultRow } from './results.store.ts';
import { type RunWish, runKey, runQuery } from './run-job.ts';

/** A run that answers this soon is worth waiting for (design 4). */
const patienceMs = 300;
/** Most runs of a console end sooner than this. */
const quickMs = 40;
const unfinishedPerMember = 40;

export type RunAnswer = { job: Job; result?: undefined } | { job?: Job; result: ResultRow; chunks: AsyncGenerator<Chunk> };

/** Q5: ad hoc text needs full access to the source. */
export async function runAdHoc(ctx: UserCtx, given: AdHocRun, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  if (!given.data_source_id) throw refused(400, 'Please select data source to run this query.');
  const source = await getSourceForJob(ctx, given.data_source_id).catch(() => undefined);
  if (!source || accessTo(source, ctx.user) === 'none')
    throw refused(source ? 403 : 400, source ? noPermission : 'Target data source not available.');
  if (!mayRunAnything(source, ctx.user)) throw refused(403, noPermission);
  const saved = await savedQueryOf(ctx, given.query_id);
  const options = saved?.options ?? { parameters: [] };
  const values = given.parameters ?? fromUrl(fromQueryString);
  const applyAutoLimit = given.apply_auto_limit ?? false;
  const query = await textOrRefusal(ctx, {
    query: given.query,
    options,
    values,
    type: source.type,
    applyAutoLimit,
    undeclared: 'text',
    dropdowns: 'unchecked',
  });
  // The same text elsewhere is another question.
  const database = databaseFor(source.type, given.database);
  const isAtHome = saved?.data_source_id === source.id && database === databaseFor(source.type, databaseOf(saved.options));
  const links = saved !== undefined && isAtHome && isSavedRun(saved, given.query, values, applyAutoLimit);
  return submit(ctx, source, query, {
    maxAge: given.max_age,
    saved,
    links,
    database,
  });
}

const notShown = () => refused(403, 'This dashboard does not show this query with these values.');

const noPermission = 'You do not have permission to run queries with this data source.';

/** Q5 and server-behaviour 8.1: a safe query runs with view access, an unsafe one (free text) only for those who may run anything. */
export async function runSaved(ctx: ReaderCtx, id: number, given: SavedRun, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  const query = await getQuery(ctx, id);
  await requireGuestPatience(ctx);
  const { source, text, database, isOwn } = await savedText(ctx, query, given, given.parameters ?? fromUrl(fromQueryString));
  // Somebody who only holds a key does not choose whose day the query shows to everybody.
  const links = isOwn && (ctx.identity.kind === 'user' || !given.time_zone);
  return submit(ctx, source, text, { maxAge: given.max_age, saved: query, links, database });
}

/** What a saved query means with these values, for somebody who may ask for it so. */
async function savedText(
  ctx: ReaderCtx,
  query: QueryRow,
  given: Pick<SavedRun, 'apply_auto_limit' | 'time_zone'>,
  values: Record<string, unknown>,
): Promise<{ source: DataSourceRow; text: string; database: string | null; isOwn: boolean }> {
  if (query.data_source_id === null) throw refused(400, 'Target data source not available.');
  const source = await getSourceForJob(ctx, query.data_source_id);
  requireRunAccess(ctx, query, source);
  // Whether there is a limit is not for somebody who only holds a key to say.
  const asked = ctx.identity.kind === 'user' ? given.apply_auto_limit : undefined;
  const applyAutoLimit = asked ?? query.options.apply_auto_limit ?? false;
  const all = Object.keys(values).length === 0 ? savedValues(query.options) : values;
  if (!(await mayAskWith(ctx, query, all))) throw notShown();
  const text = await textOrRefusal(ctx, {
    query: query.query,
    options: query.options,
    values: all,
    type: source.type,
    applyAutoLimit,
    undeclared: 'refuse',
    timeZone: given.time_zone ?? undefined,
    dropdowns: mayRunAnything(source, ctx.identity) ? 'unchecked' : await dropdownOptions(ctx, query.options),
  });
  const isJoined = ctx.identity.kind !== 'user' && source.type === resultsType;
  if (isJoined && (await joinsOthers(ctx, text, query.query)))
    throw ctx.identity.kind === 'query_key' ? refused(403, notShared) : notShown();
  const isOwn = isSavedRun(query, query.query, all, applyAutoLimit);
  return { source, text, database: databaseFor(source.type, databaseOf(query.options)), isOwn };
}

/** server-behaviour 11.2: whether a result answers the very question that this reader may ask; then it is theirs to read, also an older one. */
export async function isAnswerTo(
  ctx: ReaderCtx,
  query: QueryRow,
  row: Pick<ResultRow, 'data_source_id' | 'query_hash'>,
  asked: Record<string, unknown>,
): Promise<boolean> {
  if (row.data_source_id !== query.data_source_id) return false;
  try {
    const { time_zone } = SavedRun.parse({ time_zone: asked.time_zone });
    const { source, text, database } = await savedText(ctx, query, { time_zone, apply_auto_limit: null }, fromUrl(asked));
    // W10: what was joined from results is for whoever may read each of them at that moment.
    return source.type !== resultsType && row.query_hash === runHash(source, text, database);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** server-behaviour 7.16: now, whatever is stored; for people who may run anything on its source. */
export async function refreshQuery(ctx: UserCtx, id: number, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  const query = await getQuery(ctx, id);
  const source = query.data_source_id === null ? undefined : await getSourceForJob(ctx, query.data_source_id);
  if (source && !mayRunAnything(source, ctx.user)) throw refused(403, noPermission);
  return runSaved(ctx, id, { parameters: null, max_age: 0, apply_auto_limit: null, time_zone: null }, fromQueryString);
}

function requireRunAccess(ctx: ReaderCtx, query: QueryRow, source: DataSourceRow): void {
  const safe = isSafe(query.query, query.options.parameters);
  if (ctx.identity.kind !== 'user') {
    if (!safe) throw refused(403, 'This query contains text parameters, which cannot be used on a shared dashboard or in an embed.');
    return;
  }
  const access = accessTo(source, ctx.identity);
  if (access === 'none') throw refused(403, noPermission);
  if (safe || mayRunAnything(source, ctx.identity)) return;
  const need = access === 'view' ? 'full access to its data source' : 'permission to run queries of your own';
  throw refused(403, `This query contains text parameters, which need ${need}.`);
}

async function savedQueryOf(ctx: UserCtx, queryId: AdHocRun['query_id']): Promise<QueryRow | undefined> {
  if (typeof queryId !== 'number' || Number.isNaN(queryId)) return undefined;
  return getQuery(ctx, queryId).catch(() => undefined);
}

/** W30: a result becomes the query's latest only when it is what the query itself would have produced. */
function isSavedRun({ query, options }: QueryRow, text: string, values: Record<string, unknown>, applyAutoLimit: boolean): boolean {
  const isSameLimit = applyAutoLimit === (options.apply_auto_limit ?? false);
  const areSame = Object.entries(values).every(([name, value]) => {
    const parameter = options.parameters.find((candidate) => candidate.name === name);
    return parameter !== undefined && isSameValue(parameter, value, savedValueOf(parameter));
  });
  return text === query && isSameLimit && areSame;
}

const fromUrl = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (name.startsWith('p_') ? [[name.slice(2), value]] : [])));

async function textOrRefusal(ctx: Ctx, input: Parameters<typeof finalText>[1]): Promise<string> {
  if (input.query.trim() === '') throw refused(400, "Can't execute empty query.");
  const text = await finalText(ctx, input);
  if ('sql' in text) return text.sql;
  throw text.reason === 'missing' ? refused(400, text.error) : invalid(text.error);
}

const tooManyRuns = () => refused(429, 'Too many of your queries are running. Wait for one to finish or cancel it.');

interface Submission {
  maxAge: number;
  /** The saved query it runs for; what comes out is its latest result when it `links`. */
  saved: QueryRow | undefined;
  links: boolean;
  database: string | null;
}

async function submit(
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
    const id = await ctx.enqueue(
      runQuery,
      {
        data_source_id: source.id,
        query,
        query_hash: hash,
        database,
        query_id,
        links,
        text_version,
        user_id,
        in_name_of: askers.map(({ id }) => id),
      },
      {
        id: newId,
        user_id,
        member,
        wish: links ? ({ query_id: saved?.id ?? 0, text_version, scheduled: false } satisfies RunWish) : undefined,
        dedupeKey: runKey(source.id, hash),
        meta: { data_source_id: source.id, org_id: ctx.identity.org_id, scheduled: false, query_id: query_id ?? 'adhoc', user_id },
      },
    );
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

export const canSeeText = (ctx: Ctx): boolean => ctx.identity.kind === 'user' && hasPermission(ctx.identity.permissions, 'view_query');
