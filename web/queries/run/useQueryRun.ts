import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import type { Place } from '@telltale/domain/parameters/fault-place.ts';
import { type QueryResult, resultsApi } from '@telltale/domain/results/contract.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { call, findApiKey } from '../../api/call.ts';
import { cancelJob, jobError, waitForJob } from '../../api/jobs.ts';
import { notify } from '../../ui/notify.tsx';
import { isWorthRetrying, retryDelaysMs, runFailure, unknownErrorMessage } from './runFailure.ts';
import type { RunRequest } from './runRequest.ts';

export type RunStatus = 'idle' | 'waiting' | 'processing' | 'loading-result' | 'done' | 'failed';

export interface RunFault {
  message: string;
  /** In the text of the editor, from 1. */
  line?: number | undefined;
  column?: number | undefined;
}

export interface RunState {
  status: RunStatus;
  startedAt: number;
  jobId: string | null;
  isCancelling: boolean;
  fault: RunFault | null;
  /** The last good one: it stays when a later run fails (screens 17.6). */
  result: QueryResult | null;
}

/** A database speaks of the text that it was sent: where is that in the editor? */
export type PlaceOf = (place: Place) => Place | Promise<Place>;
const asTold: PlaceOf = (place) => place;

const idle: RunState = { status: 'idle', startedAt: 0, jobId: null, isCancelling: false, fault: null, result: null };
const patienceToCancelMs = 10_000;

export const isRunning = ({ status }: Pick<RunState, 'status'>): boolean =>
  status === 'waiting' || status === 'processing' || status === 'loading-result';

/** How it ended; null for a run that another one has replaced. */
export type RunEnd = { result: QueryResult; fault?: undefined } | { fault: RunFault; result?: undefined };

export type QueryRun = ReturnType<typeof useQueryRun>;

/** Q4: one run at a time; starting another one makes the outcome of the earlier one ignored. */
export function useQueryRun() {
  const [state, setState] = useState<RunState>(idle);
  const current = useRef<AbortController | null>(null);
  const cancelTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const begin = useCallback(() => {
    current.current?.abort();
    clearTimeout(cancelTimer.current);
    const controller = new AbortController();
    current.current = controller;
    return controller;
  }, []);

  /** Fails without asking the server: nothing to run, a value is missing. */
  const fail = useCallback(
    (message: string) => {
      begin();
      setState((before) => ({ ...before, status: 'failed', jobId: null, isCancelling: false, fault: { message } }));
    },
    [begin],
  );

  const follow = useCallback(
    async (
      steps: (signal: AbortSignal, set: (changes: Partial<RunState>) => void) => Promise<QueryResult>,
      placeOf: PlaceOf,
    ): Promise<RunEnd | null> => {
      const controller = begin();
      const { signal } = controller;
      const set = (changes: Partial<RunState>) => {
        if (!signal.aborted) setState((before) => ({ ...before, ...changes }));
      };
      set({ status: 'waiting', startedAt: Date.now(), jobId: null, isCancelling: false, fault: null });
      try {
        const result = await steps(signal, set);
        set({ status: 'done', jobId: null, isCancelling: false, result });
        return signal.aborted ? null : { result };
      } catch (error) {
        const fault = await faultOf(error, placeOf);
        set({ status: 'failed', jobId: null, isCancelling: false, fault });
        return signal.aborted ? null : { fault };
      } finally {
        if (!signal.aborted) clearTimeout(cancelTimer.current);
      }
    },
    [begin],
  );

  const run = useCallback(
    (request: RunRequest, placeOf: PlaceOf = asTold) =>
      follow(async (signal, set) => {
        const reply = await post(request, signal);
        if ('query_result' in reply) return reply.query_result as QueryResult;
        set({ jobId: reply.job.id, status: statusOf(reply.job) });
        const queryId = byKey(request);
        const job = await waitForJob(reply.job, { signal, onChange: (next) => set({ status: statusOf(next) }), queryId });
        if (job.status === jobStatus.failed) throw new JobFailure(job);
        set({ status: 'loading-result', jobId: null });
        return queryId === undefined ? loadResult(Number(job.query_result_id), signal) : postAgain(request, signal);
      }, placeOf),
    [follow],
  );

  /** Shows a result that is there already. */
  const show = useCallback(
    (resultId: number) =>
      follow((signal, set) => {
        set({ status: 'loading-result' });
        return loadResult(resultId, signal);
      }, asTold),
    [follow],
  );

  const { jobId } = state;
  const cancel = useCallback(async () => {
    if (!jobId) return;
    const { signal } = current.current ?? new AbortController();
    const giveUp = (message: string) => {
      if (signal.aborted) return;
      setState((before) => ({ ...before, isCancelling: false }));
      notify.error(message);
    };
    setState((before) => ({ ...before, isCancelling: true }));
    cancelTimer.current = setTimeout(() => {
      if (current.current?.signal === signal) giveUp('The query is still running: the data source has not stopped it yet.');
    }, patienceToCancelMs);
    await cancelJob(jobId).catch((error: Error) => giveUp(`The query could not be cancelled. ${error.message}`));
  }, [jobId]);

  useEffect(
    () => () => {
      current.current?.abort();
      clearTimeout(cancelTimer.current);
    },
    [],
  );

  return { ...state, isRunning: isRunning(state), run, show, fail, cancel };
}

class JobFailure extends Error {
  readonly job: Job;
  constructor(job: Job) {
    super(jobError(job));
    this.job = job;
  }
}

async function faultOf(error: unknown, placeOf: PlaceOf): Promise<RunFault> {
  if (error instanceof JobFailure) {
    const { error_line, error_column } = error.job;
    const message = error.message || unknownErrorMessage;
    if (error_line === undefined) return { message };
    return { message, ...(await placeOf({ line: error_line, column: error_column ?? 1 })) };
  }
  if (error instanceof ApiError) return { message: runFailure(error) };
  return { message: unknownErrorMessage };
}

const statusOf = ({ status }: Job): RunStatus => (status === jobStatus.waiting ? 'waiting' : 'processing');

function post(request: RunRequest, signal: AbortSignal) {
  if (request.kind === 'saved') {
    const { id, parameters, max_age, apply_auto_limit } = request;
    return call(resultsApi.executeSaved, { params: { id }, body: { parameters, max_age, apply_auto_limit } }, { signal });
  }
  const { kind: _, ...body } = request;
  return call(resultsApi.execute, { body }, { signal });
}

/** The query that somebody without an account runs; people ask for the job itself. */
const byKey = (request: RunRequest): number | undefined => (findApiKey() !== null && request.kind === 'saved' ? request.id : undefined);

/** Screens 16.23: a key opens no result by its number, so the same question is asked again: now it is answered from what is stored. */
async function postAgain(request: RunRequest, signal: AbortSignal): Promise<QueryResult> {
  const reply = await post({ ...request, max_age: -1 }, signal);
  if ('query_result' in reply) return reply.query_result as QueryResult;
  throw new ApiError(500, unknownErrorMessage);
}

async function loadResult(id: number, signal: AbortSignal): Promise<QueryResult> {
  if (!Number.isInteger(id) || id <= 0) throw new ApiError(500, unknownErrorMessage);
  for (let tries = 0; ; tries++) {
    try {
      return (await call(resultsApi.get, { params: { file: String(id) } }, { signal })).query_result as QueryResult;
    } catch (error) {
      const delay = retryDelaysMs[tries];
      if (delay === undefined || !(error instanceof ApiError) || !isWorthRetrying(error.status)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
      signal.throwIfAborted();
    }
  }
}
