import { executorSource, getSourceForJob } from '../data-sources/data-sources.ts';
import { ExecutorError, type ExecutorPool } from '../executor/pool.ts';
import { type JobDefinition, JobError, type JobKind, type JobRun } from '../platform/jobs/define.ts';
import { closeJob } from '../platform/jobs/queue.ts';
import { emit } from '../platform/signals.ts';
import { noteFailure, noteResult } from '../queries/runs.ts';
import { prepareNamedResults, resultsType } from './named-results.ts';
import { resultStored } from './result-signals.ts';
import { ResultWriter } from './result-writer.ts';
import type { NewResult } from './results.store.ts';
import { allWishes, type RunQuery, type RunWish, runQuery, runScheduledQuery } from './run-job.ts';

export const resultJobs = (executors: ExecutorPool): JobDefinition[] =>
  [runQuery, runScheduledQuery].map((kind) => ({
    ...(kind as JobKind),
    run: (ctx, payload) => executeRun(ctx, executors, runQuery.payload.parse(payload)),
  }));

async function executeRun(
  ctx: JobRun,
  executors: ExecutorPool,
  run: RunQuery,
  limit = new TimeLimit(ctx.config.limits.seconds),
  depth = 0,
): Promise<number> {
  const row = await getSourceForJob(ctx, run.data_source_id);
  const { limits } = ctx.config;
  if (depth > 5) throw new JobError('Results are joined over too many levels.');
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
  };
  const writer = new ResultWriter(ctx.db, draft);
  let startedAt = 0;
  const signal = AbortSignal.any([ctx.signal, limit.signal]);
  const begin = () => {
    startedAt = performance.now();
    limit.begin();
  };
  try {
    const results =
      row.type === resultsType
        ? await prepareNamedResults(ctx, run.query, (named) => executeRun(ctx, executors, named, limit, depth + 1))
        : undefined;
    const note = `telltale job=${ctx.job_id} query=${run.query_id ?? 'adhoc'} user=${run.user_id ?? 'none'}`;
    const { outcome } = await executors.perform(
      {
        kind: 'run',
        source: await executorSource(ctx, row),
        statement: { query: run.query, database: run.database ?? undefined, note },
        limits: { rows: limits.rows, bytes: limits.bytes },
      },
      { begin, chunk: (chunk) => writer.write(chunk), results },
      signal,
    );
    if (!outcome) throw new Error('The executor ended without an outcome.');
    const result: NewResult = {
      ...draft,
      columns: outcome.columns,
      log: outcome.log,
      data_scanned: outcome.data_scanned ?? null,
      row_count: outcome.size.rows,
      byte_count: outcome.size.bytes,
      runtime: (performance.now() - startedAt) / 1000,
    };
    const { id, wishes } = await writer.complete(result, depth === 0 ? ctx.job_id : null);
    await announceToAll(ctx, allWishes(run, wishes), id);
    return id;
  } catch (error) {
    await writer.discard();
    const told = toldError(ctx, error, signal);
    // Somebody who cancels it, or a process that stops, says nothing about the query.
    const isStopped = ctx.signal.aborted && ctx.signal.reason !== 'time';
    if (depth === 0 && !isStopped) await noteScheduledFailures(ctx, run, told);
    throw told;
  } finally {
    if (depth === 0) limit.end();
  }
}

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

function toldError(ctx: JobRun, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ExecutorError) {
    const { message, line, column } = error.failure;
    return new JobError(message, line ? { line, column } : undefined);
  }
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
