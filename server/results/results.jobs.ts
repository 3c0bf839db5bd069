import { deletedMessage, executorSource, getSourceForJob } from '../data-sources/data-sources.ts';
import { ExecutorError, type ExecutorPool } from '../executor/pool.ts';
import type { Task } from '../executor/protocol.ts';
import { type JobDefinition, JobError, type JobRun } from '../platform/jobs/define.ts';
import { emit } from '../platform/signals.ts';
import { type JoinedInto, resultsType } from '../queries/joined-results.ts';
import { noteFailure, noteResult } from '../queries/runs.ts';
import { prepareNamedResults } from './named-results.ts';
import { resultStored } from './result-signals.ts';
import { ResultWriter } from './result-writer.ts';
import type { NewResult } from './results.store.ts';
import { laneOf, type RunQuery, runQuery } from './run-job.ts';

export const resultJobs = (executors: ExecutorPool): JobDefinition[] => [
  { ...runQuery, run: (ctx, payload) => executeRun(ctx, executors, runQuery.payload.parse(payload)) },
];

async function executeRun(ctx: JobRun, executors: ExecutorPool, run: RunQuery): Promise<number> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ctx.config.limits.seconds * 1000)]);
  try {
    return await fetchRows(ctx, executors, run, { signal }, (writer, result) => storeResult(ctx, run, writer, result));
  } catch (error) {
    const told = toldError(ctx, error, signal);
    // Somebody who cancels it, or a process that stops, says nothing about the query.
    const isStopped = ctx.signal.aborted && ctx.signal.reason !== 'time';
    if (run.scheduled && run.query_id !== null && !isStopped) await noteScheduledFailure(ctx, run.query_id, told);
    throw told;
  }
}

function storeResult(ctx: JobRun, run: RunQuery, writer: ResultWriter, result: NewResult): Promise<number> {
  if (!run.links || run.query_id === null) return writer.complete(ctx.db, result);
  const query_id = run.query_id;
  return ctx.transaction(async (tx) => {
    const result_id = await writer.complete(tx.db, result);
    await announce(tx, { ...run, query_id }, result_id);
    return result_id;
  });
}

/** `into`: what this run is joined into, if anything. All of them together have the time of the outermost. */
interface Within {
  into?: JoinedInto;
  signal: AbortSignal;
}

type Keep<T> = (writer: ResultWriter, result: NewResult) => Promise<T>;

/** Runs a text, and before it those that it joins, and hands over what came to be kept. */
async function fetchRows<T>(ctx: JobRun, executors: ExecutorPool, run: RunQuery, within: Within, keep: Keep<T>): Promise<T> {
  const row = await getSourceForJob(ctx, run.data_source_id);
  const { limits } = ctx.config;
  const startedAt = performance.now();
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
  try {
    const note = `telltale job=${ctx.job_id} query=${run.query_id ?? 'adhoc'} user=${run.user_id ?? 'none'}`;
    const task: Task = {
      kind: 'run',
      source: await executorSource(ctx, row),
      statement: { query: run.query, database: run.database ?? undefined, note },
      limits: { rows: limits.rows, bytes: limits.bytes },
    };
    const perform = () => executors.perform(task, { chunk: (chunk) => writer.write(chunk), results: joined?.results }, within.signal);
    // What is joined takes a place of its source; only joins wait inside of one, so those take none besides that of their job.
    const isElsewhere = within.into !== undefined && row.type !== resultsType;
    const { outcome } = await (isElsewhere ? ctx.inLane(laneOf(run), within.signal, perform) : perform());
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

/** The result is the query's own when that has not changed meanwhile; who waits for it hears of it in the same transaction. */
async function announce(tx: JobRun, run: RunQuery & { query_id: number }, result_id: number): Promise<void> {
  const { query_id, text_version = null, scheduled = false } = run;
  const isLatest = await noteResult(tx, { query_id, result_id, text_version, job_id: tx.job_id, scheduled });
  if (isLatest) await emit(tx, resultStored, { query_id, result_id });
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
async function noteScheduledFailure(ctx: JobRun, query_id: number, error: unknown): Promise<void> {
  const message = error instanceof JobError ? error.message : 'This failed for an unexpected reason.';
  await ctx.transaction((tx) => noteFailure(tx, { query_id, job_id: ctx.job_id, message }, new Date()));
}
