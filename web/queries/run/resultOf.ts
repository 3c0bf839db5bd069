import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import type { Place } from '@telltale/domain/parameters/fault-place.ts';
import { type QueryResult, resultsApi } from '@telltale/domain/results/contract.ts';
import { ApiError } from '../../api/ApiError.ts';
import { call, findApiKey } from '../../api/call.ts';
import { jobError, waitForJob } from '../../api/jobs.ts';
import { isWorthRetrying, retryDelaysMs, runFailure, unknownErrorMessage } from './runFailure.ts';
import type { RunRequest } from './runRequest.ts';

export interface RunFault {
  message: string;
  /** The place in the text of the editor, from 1. */
  line?: number | undefined;
  column?: number | undefined;
}

/** Maps a place in the sent text to the text in the editor. */
export type PlaceOf = (place: Place) => Place | Promise<Place>;
export const unchangedPlace: PlaceOf = (place) => place;

/** Gets the result of a request. `onJob` gets the job to wait for, and null when it is done. */
export async function resultOf(
  request: RunRequest,
  signal: AbortSignal,
  onJob: (job: Job | null) => void = () => {},
): Promise<QueryResult> {
  const reply = await post(request, signal);
  if ('query_result' in reply) return reply.query_result as QueryResult;
  return resultOfJob(reply.job, signal, onJob, byKey(request));
}

/** The same for a run that is already under way. */
export async function resultOfJob(
  first: Job,
  signal: AbortSignal,
  onJob: (job: Job | null) => void,
  queryId?: number | undefined,
): Promise<QueryResult> {
  onJob(first);
  const job = await waitForJob(first, { signal, onChange: onJob, queryId });
  if (job.status === jobStatus.failed) throw new JobFailure(job);
  onJob(null);
  const resultId = Number(job.query_result_id);
  return queryId === undefined ? loadResult(resultId, signal) : loadOwnResult(queryId, resultId, signal);
}

class JobFailure extends Error {
  readonly job: Job;
  constructor(job: Job) {
    super(jobError(job));
    this.job = job;
  }
}

export async function faultOf(error: unknown, placeOf: PlaceOf = unchangedPlace): Promise<RunFault> {
  if (error instanceof JobFailure) {
    const { error_line, error_column } = error.job;
    const message = error.message || unknownErrorMessage;
    if (error_line === undefined) return { message };
    return { message, ...(await placeOf({ line: error_line, column: error_column ?? 1 })) };
  }
  if (error instanceof ApiError) return { message: runFailure(error) };
  return { message: unknownErrorMessage };
}

/** Quick runs need no second request; longer ones can be cancelled sooner. */
const waitSeconds = 0.3;

function post(request: RunRequest, signal: AbortSignal) {
  if (request.kind === 'saved') {
    const { kind: _, id, ...body } = request;
    return call(resultsApi.executeSaved, { params: { id }, body }, { signal, waitSeconds });
  }
  const { kind: _, ...body } = request;
  return call(resultsApi.execute, { body }, { signal, waitSeconds });
}

/** The id of the query for key readers, who poll through it; users poll the job itself. */
const byKey = (request: RunRequest): number | undefined => (findApiKey() !== null && request.kind === 'saved' ? request.id : undefined);

/** A key opens the results of its own runs. Requested by values again (screens 16.23), `now` would be another moment. */
async function loadOwnResult(queryId: number, resultId: number, signal: AbortSignal): Promise<QueryResult> {
  const params = { id: queryId, file: `${resultId}.json` };
  return withRetries(async () => (await call(resultsApi.ofQuery, { params, query: {} }, { signal })).query_result as QueryResult, signal);
}

export async function loadResult(id: number, signal: AbortSignal): Promise<QueryResult> {
  if (!Number.isInteger(id) || id <= 0) throw new ApiError(500, unknownErrorMessage);
  return withRetries(
    async () => (await call(resultsApi.get, { params: { file: String(id) } }, { signal })).query_result as QueryResult,
    signal,
  );
}

/** Q8: a result that cannot be loaded is asked for again after 1, 2, 4 and 8 seconds. */
async function withRetries<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await load();
    } catch (error) {
      const delay = retryDelaysMs[tries];
      if (delay === undefined || !(error instanceof ApiError) || !isWorthRetrying(error.status)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
      signal.throwIfAborted();
    }
  }
}
