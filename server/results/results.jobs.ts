import { readOnlyMessage } from '../connectors/connector.ts';
import { deletedMessage, executorSource, getSourceRow } from '../data-sources/data-sources.ts';
import { ExecutorError, type ExecutorPool } from '../executor/pool.ts';
import type { Task } from '../executor/protocol.ts';
import { hasEnded, type JobDefinition, JobError, type JobKind, type JobRun } from '../platform/jobs/define.ts';
import { closeJob } from '../platform/jobs/queue.ts';
import { emit } from '../platform/signals.ts';
import { type JoinedInto, resultsType } from '../queries/joined-results.ts';
import { noteFailure, noteResult } from '../queries/runs.ts';
import type { Chunk } from '../wire/chunk.ts';
import { prepareNamedResults } from './named-results.ts';
import { resultStored } from './result-signals.ts';
import { ResultWriter } from './result-writer.ts';
import type { NewResult } from './results.store.ts';
import { allWishes, ownWishes, type RunQuery, type RunWish, runQuery, runScheduledQuery, sourceLane } from './run-job.ts';

export const resultJobs = (executors: ExecutorPool): JobDefinition[] =>
  [runQuery, runScheduledQuery].map((kind) => ({
    ...(kind as JobKind),
    run: (ctx, payload) => executeRun(ctx, executors, runQuery.payload.parse(payload)),
  }));

async function executeRun(ctx: JobRun, executors: ExecutorPool, run: RunQuery): Promise<number | typeof hasEnded> {
  const limit = new TimeLimit(ctx.config.limits.seconds);
  const signal = AbortSignal.any([ctx.signal, limit.signal]);
  try {
    return await fetchRows(ctx, executors, run, { signal, limit }, (writer, result) => storeResult(ctx, run, writer, result));
  } catch (error) {
    const told = toldError(ctx, error, signal);
    // Somebody who cancels it, or a process that stops, says nothing about the query.
    const isStopped = ctx.signal.aborted && ctx.signal.reason !== 'time';
    if (!isStopped) await noteScheduledFailures(ctx, run, told);
    throw told;
  } finally {
    limit.end();
  }
}

/** Not in one transaction: queries and jobs are locked in the other order by the look for due schedules. */
async function storeResult(ctx: JobRun, run: RunQuery, writer: ResultWriter, result: NewResult): Promise<number | typeof hasEnded> {
  const { id, wishes, has_ended } = await writer.complete(result, { job_id: ctx.job_id, mayEnd: ownWishes(run).length === 0 });
  if (has_ended) return hasEnded;
  await announceToAll(ctx, allWishes(run, wishes), id);
  return id;
}

/** `into`: what this run is joined into, if anything. All of them together have the time of the outermost. */
interface Within {
  into?: JoinedInto;
  signal: AbortSignal;
  limit: TimeLimit;
}

type Keep<T> = (writer: ResultWriter, result: NewResult) => Promise<T>;

/** Runs a text, and before it those that it joins, and hands over what came to be kept. */
async function fetchRows<T>(ctx: JobRun, executors: ExecutorPool, run: RunQuery, within: Within, keep: Keep<T>): Promise<T> {
  const row = await getSourceRow(ctx, run.data_source_id);
  const { limits } = ctx.config;
  const runNamed = (named: RunQuery, into: JoinedInto) =>
    fetchRows(ctx, executors, named, { ...within, into }, async (writer, result) => {
      const id = await writer.setAside();
      return { ...result, id, forget: () => writer.discard() };
    });
  const joined = row.type === resultsType ? await prepareNamedResults(ctx, run, within.into, runNamed) : undefined;
  const draft: NewResult = {
    org_id: row.org_id,
    data_source_id: run.data_source_id,
    query_hash: run.query_hash,
    query: run.query,
    columns: [],
    log: null,
    data_scanned: null,
    row_count: 0,
    byte_count: 0,
    runtime: 0,
    joined_source_ids: joined?.joined_source_ids ?? [],
  };
  const writer = new ResultWriter(ctx.db, draft);
  let startedAt = 0;
  const begin = () => {
    startedAt = performance.now();
    within.limit.begin();
  };
  try {
    const note = `telltale job=${ctx.job_id} query=${run.query_id ?? 'adhoc'} user=${run.user_id ?? 'none'}`;
    const task: Task = {
      kind: 'run',
      source: await executorSource(ctx, row, run.only_reads),
      statement: { query: run.query, database: run.database ?? undefined, note },
      limits: { rows: limits.rows, bytes: limits.bytes },
    };
    const handlers = { begin, chunk: (chunk: Chunk) => writer.write(chunk), results: joined?.results };
    const perform = () => executors.perform(task, handlers, within.signal);
    // What is joined takes a place of its source; only joins wait inside of one, so those take none besides that of their job.
    const isElsewhere = within.into !== undefined && row.type !== resultsType;
    const { outcome } = await (isElsewhere ? ctx.inLane(sourceLane(run), within.signal, perform) : perform()).catch((error: unknown) => {
      throw run.only_reads && isWriteRefused(error) ? new JobError(writersOnly) : error;
    });
    if (!outcome) throw new Error('The executor ended without an outcome.');
    return await keep(writer, {
      ...draft,
      columns: outcome.columns,
      log: outcome.log,
      data_scanned: outcome.data_scanned ?? null,
      row_count: outcome.size.rows,
      byte_count: outcome.size.bytes,
      runtime: (performance.now() - startedAt) / 1000,
    });
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await joined?.forget();
  }
}

const writersOnly = 'Only people with full access to this data source may run statements that write.';
const isWriteRefused = (error: unknown) => error instanceof ExecutorError && error.failure.message.startsWith(readOnlyMessage);

/** Counts from the moment that the first executor is there: waiting for others is not the query's own time. */
class TimeLimit {
  readonly #seconds: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    this.#timer ??= setTimeout(() => this.#controller.abort(), this.#seconds * 1000);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** design 8: the result is the own one of each query it ran for, when that has not changed meanwhile; its alerts hear of it in the same transaction. */
async function announceToAll(ctx: JobRun, wishes: RunWish[], result_id: number): Promise<void> {
  if (wishes.length === 0) return;
  await ctx.transaction(async (tx) => {
    for (const wish of wishes) {
      const isLatest = await noteResult(tx, { ...wish, result_id, job_id: tx.job_id });
      if (isLatest) await emit(tx, resultStored, { query_id: wish.query_id, result_id });
    }
  });
}

/** Its rows have no place any more. */
const isSourceGone = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'query_results_data_source_id_fkey';

function toldError(ctx: JobRun, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ExecutorError) {
    const { message, line, column } = error.failure;
    return new JobError(message, line ? { line, column } : undefined);
  }
  if (isSourceGone(error)) return new JobError(deletedMessage);
  const { seconds } = ctx.config.limits;
  if (signal.aborted && !ctx.signal.aborted) return new JobError(`This took longer than ${seconds} seconds and was stopped.`);
  return error;
}

/** server-behaviour 13.4; what only the log may know is not put in a mail. */
async function noteScheduledFailures(ctx: JobRun, run: RunQuery, error: unknown): Promise<void> {
  const message = error instanceof JobError ? error.message : 'This failed for an unexpected reason.';
  const failed = allWishes(run, await closeJob(ctx.db, ctx.job_id)).filter(({ scheduled }) => scheduled);
  for (const { query_id } of failed) {
    await ctx.transaction((tx) => noteFailure(tx, { query_id, job_id: ctx.job_id, message }, new Date()));
  }
}
