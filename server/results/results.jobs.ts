import { readOnlyMessage } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import {
  deletedMessage,
  executorSource,
  findSourceRow,
  getSourceRow,
  isFaultOfReplica,
  sessionZone,
} from '../data-sources/data-sources.ts';
import { ExecutorError, type ExecutorPool } from '../executor/pool.ts';
import type { Source, Task } from '../executor/protocol.ts';
import { hasEnded, type JobDefinition, JobError, type JobKind, type JobRun } from '../platform/jobs/define.ts';
import { closeJob } from '../platform/jobs/queue.ts';
import { ObjectStoreError } from '../platform/object-store.ts';
import { emit } from '../platform/signals.ts';
import { hasChannels, type JoinedInto, resultsType } from '../queries/joined-results.ts';
import { runZone } from '../queries/query-text.ts';
import { noteFailure, noteResult } from '../queries/runs.ts';
import type { Chunk } from '../wire/chunk.ts';
import { prepareNamedResults } from './named-results.ts';
import { noteStored, requireRoom } from './quota.ts';
import { resultStored } from './result-signals.ts';
import { ResultWriter } from './result-writer.ts';
import { type NewResult, noteOrigin } from './results.store.ts';
import { noteRun, type RunOutcome } from './run-figures.ts';
import {
  allRequests,
  annotationBegins,
  annotationOf,
  metadataOf,
  originOf,
  ownRequests,
  type RunQuery,
  type RunRequest,
  runQuery,
  runScheduledQuery,
  sourceLane,
  stopLostRun,
} from './run-job.ts';

export const resultJobs = (executors: ExecutorPool): JobDefinition[] => [
  ...[runQuery, runScheduledQuery].map((kind) => ({
    ...(kind as JobKind),
    run: (ctx: JobRun, payload: unknown) => executeRun(ctx, executors, runQuery.payload.parse(payload)),
  })),
  { ...(stopLostRun as JobKind), run: (ctx, payload) => stopAtSource(ctx, executors, stopLostRun.payload.parse(payload)) },
];

async function stopAtSource(ctx: JobRun, executors: ExecutorPool, lost: { job_id: string; data_source_id: number }): Promise<null> {
  const row = await findSourceRow(ctx, lost.data_source_id);
  if (!row || !findConnector(row.type)?.stopNoted) return null;
  const source = await executorSource(ctx, row, true, null);
  await executors.perform({ kind: 'stopNoted', source, note: annotationBegins(lost.job_id) }, {}, ctx.signal);
  return null;
}

async function executeRun(ctx: JobRun, executors: ExecutorPool, run: RunQuery): Promise<number | typeof hasEnded> {
  const limit = new TimeLimit(ctx.config.limits.seconds);
  const signal = AbortSignal.any([ctx.signal, limit.signal]);
  const startedAt = performance.now();
  const count = (outcome: RunOutcome) => noteRun(ctx, outcome, (performance.now() - startedAt) / 1000);
  try {
    await requireRoom(ctx, run.user_id);
    const stored = await fetchRows(ctx, executors, run, { signal, limit }, (writer, result) => storeResult(ctx, run, writer, result));
    count('done');
    return stored;
  } catch (error) {
    count(limit.signal.aborted || ctx.signal.reason === 'time' ? 'timed_out' : ctx.signal.aborted ? 'cancelled' : 'failed');
    const told = errorForReader(ctx, error, signal);
    // A cancelled job, or a process that stops, is no failure of the query.
    const isStopped = ctx.signal.aborted && ctx.signal.reason !== 'time';
    if (!isStopped) await noteScheduledFailures(ctx, run, told);
    throw told;
  } finally {
    limit.end();
  }
}

/** Uses no transaction: the scan for due schedules locks queries and jobs in the other order. */
async function storeResult(ctx: JobRun, run: RunQuery, writer: ResultWriter, result: NewResult): Promise<number | typeof hasEnded> {
  const { id, requests, has_ended } = await writer.complete(result, { job_id: ctx.job_id, mayEnd: ownRequests(run).length === 0 });
  noteStored(ctx, run.user_id, writer.bytes);
  if (has_ended) return hasEnded;
  await announceToAll(ctx, run, allRequests(run, requests), id);
  return id;
}

/** `into`: the query that this run is joined into, if any. All of them share the time limit of the outermost one. */
interface Within {
  into?: JoinedInto;
  signal: AbortSignal;
  limit: TimeLimit;
  /** The replica has failed this run already. */
  fromPrimary?: boolean;
}

type Keep<T> = (writer: ResultWriter, result: NewResult) => Promise<T>;

/** Runs a text, and before it those that it joins, and returns what `keep` made of the rows. */
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
    channel_pks: hasChannels(row) ? run.channel_pks : [],
    ...originOf(run),
    charged_to: run.user_id,
    stored_bytes: 0,
  };
  const writer = new ResultWriter(ctx.db, draft, ctx.objects && { store: ctx.objects, ...ctx.config.results, signal: within.signal });
  let source: Source | undefined;
  let startedAt = 0;
  const begin = () => {
    startedAt = performance.now();
    within.limit.begin();
  };
  try {
    source = await executorSource(ctx, row, run.only_reads, run.channel_pks, within.fromPrimary);
    const task: Task = {
      kind: 'run',
      source,
      statement: {
        query: run.query,
        database: run.database ?? undefined,
        time_zone: sessionZone(ctx, row, await runZone(ctx, run.time_zone)),
        note: annotationOf(ctx.job_id, run),
      },
      limits: { rows: limits.rows, bytes: limits.bytes },
    };
    const handlers = { begin, chunk: (chunk: Chunk) => writer.write(chunk), results: joined?.results };
    const perform = () => executors.perform(task, handlers, within.signal);
    // A joined run takes a place of its source. A run that joins waits while it runs, so it takes no place beside that of its job.
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
    const isReplicaFault =
      source && !within.signal.aborted && error instanceof ExecutorError && (await isFaultOfReplica(ctx, source, error.failure.message));
    if (isReplicaFault) return await fetchRows(ctx, executors, run, { ...within, fromPrimary: true }, keep);
    throw error;
  } finally {
    await joined?.forget();
  }
}

const writersOnly = 'Only people with full access to this data source may run statements that write.';
const isWriteRefused = (error: unknown) => error instanceof ExecutorError && error.failure.message.startsWith(readOnlyMessage);

/** A time limit that starts when the first executor is there: waiting for others does not count. */
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

/**
 * design 8: the result becomes that of each query it ran for, unless the query has changed meanwhile; its alert check is queued in the same
 * transaction.
 */
async function announceToAll(ctx: JobRun, run: RunQuery, requests: RunRequest[], result_id: number): Promise<void> {
  if (requests.length === 0) return;
  await ctx.transaction(async (tx) => {
    await noteOrigin(tx.db, { id: result_id, ...originOf(run) }, { user_ids: [], query_ids: requests.map(({ query_id }) => query_id) });
    for (const request of requests) {
      const { query_id } = request;
      const isLatest = await noteResult(tx, { ...request, result_id, job_id: tx.job_id });
      if (isLatest) await emit(tx, resultStored, { query_id, result_id, metadata: { ...metadataOf(tx.job_id, run), query_id } });
    }
  });
}

/** The source of the result was deleted, so its rows cannot be stored. */
const isSourceGone = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'query_results_data_source_id_fkey';

function errorForReader(ctx: JobRun, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ExecutorError) {
    const { message, line, column } = error.failure;
    return new JobError(message, line ? { line, column } : undefined);
  }
  if (error instanceof ObjectStoreError) {
    ctx.log.warn({ err: error.message }, 'a result could not be stored as objects');
    return new JobError('The result could not be stored, because the object store cannot be used at the moment. Please try again later.');
  }
  if (isSourceGone(error)) return new JobError(deletedMessage);
  const { seconds } = ctx.config.limits;
  if (signal.aborted && !ctx.signal.aborted) return new JobError(`This took longer than ${seconds} seconds and was stopped.`);
  return error;
}

/** server-behaviour 13.4; details that belong only in the log are not put in a mail. */
async function noteScheduledFailures(ctx: JobRun, run: RunQuery, error: unknown): Promise<void> {
  const message = error instanceof JobError ? error.message : 'This failed for an unexpected reason.';
  const failed = allRequests(run, await closeJob(ctx.db, ctx.job_id)).filter(({ scheduled }) => scheduled);
  for (const { query_id } of failed) {
    await ctx.transaction((tx) => noteFailure(tx, { query_id, job_id: ctx.job_id, message }, new Date()));
  }
}
