import { type Job, jobStatus } from '@telltale/domain/jobs/contract.ts';
import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { cancelJob } from '../../api/jobs.ts';
import { notify } from '../../ui/notify.tsx';
import { faultOf, loadResult, type PlaceOf, type RunFault, resultOf, resultOfJob, unchangedPlace } from './resultOf.ts';
import type { RunRequest } from './runRequest.ts';

export type { PlaceOf, RunFault } from './resultOf.ts';

export type RunStatus = 'idle' | 'waiting' | 'processing' | 'loading-result' | 'done' | 'failed';

export interface RunState {
  status: RunStatus;
  startedAt: number;
  jobId: string | null;
  isCancelling: boolean;
  /** The last run ended because it was cancelled here. */
  wasCancelled: boolean;
  fault: RunFault | null;
  /** The last good result stays when a later run fails (complaint 6). */
  result: QueryResult | null;
}

const idle: RunState = { status: 'idle', startedAt: 0, jobId: null, isCancelling: false, wasCancelled: false, fault: null, result: null };
const cancelTimeoutMs = 10_000;

export const isRunning = ({ status }: Pick<RunState, 'status'>): boolean =>
  status === 'waiting' || status === 'processing' || status === 'loading-result';

/** The outcome of a run; null when another run has replaced it. */
export type RunEnd = { result: QueryResult; fault?: undefined } | { fault: RunFault; result?: undefined };

export type QueryRun = ReturnType<typeof useQueryRun>;

/** Q4: one run at a time; starting another one discards the outcome of the earlier one. */
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

  /** Fails without a request: there is nothing to run, or a value is missing. */
  const fail = useCallback(
    (message: string) => {
      begin();
      setState((before) => ({ ...before, status: 'failed', jobId: null, isCancelling: false, wasCancelled: false, fault: { message } }));
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
      set({ status: 'waiting', startedAt: Date.now(), jobId: null, isCancelling: false, wasCancelled: false, fault: null });
      try {
        const result = await steps(signal, set);
        set({ status: 'done', jobId: null, isCancelling: false, result });
        return signal.aborted ? null : { result };
      } catch (error) {
        const fault = await faultOf(error, placeOf);
        if (!signal.aborted) {
          setState((before) => ({
            ...before,
            status: 'failed',
            jobId: null,
            isCancelling: false,
            wasCancelled: before.isCancelling,
            fault,
          }));
        }
        return signal.aborted ? null : { fault };
      } finally {
        if (!signal.aborted) clearTimeout(cancelTimer.current);
      }
    },
    [begin],
  );

  const run = useCallback(
    (request: RunRequest, placeOf: PlaceOf = unchangedPlace) =>
      follow((signal, set) => resultOf(request, signal, (job) => set(stepOf(job))), placeOf),
    [follow],
  );

  /** Follows a run that was under way before the page was opened; the stored result is shown meanwhile. */
  const resume = useCallback(
    ({ job, seconds }: { job: Job; seconds: number }, olderResultId: number | null, placeOf: PlaceOf = unchangedPlace) =>
      follow(async (signal, set) => {
        set({ startedAt: Date.now() - seconds * 1000 });
        let isOver = false;
        if (olderResultId !== null) {
          const show = (result: QueryResult) => !isOver && set({ result });
          // If the older result cannot be loaded, only the new one is waited for.
          void loadResult(olderResultId, signal).then(show, () => {});
        }
        const result = await resultOfJob(job, signal, (next) => set(stepOf(next)));
        isOver = true;
        return result;
      }, placeOf),
    [follow],
  );

  /** Shows a stored result. */
  const show = useCallback(
    (resultId: number) =>
      follow((signal, set) => {
        set({ status: 'loading-result' });
        return loadResult(resultId, signal);
      }, unchangedPlace),
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
      if (current.current?.signal === signal) giveUp('The server has not confirmed it yet: the query may still be running.');
    }, cancelTimeoutMs);
    await cancelJob(jobId).catch((error: Error) => giveUp(`The query could not be cancelled. ${error.message}`));
  }, [jobId]);

  useEffect(
    () => () => {
      current.current?.abort();
      clearTimeout(cancelTimer.current);
    },
    [],
  );

  return { ...state, isRunning: isRunning(state), run, resume, show, fail, cancel };
}

const stepOf = (job: Job | null): Partial<RunState> =>
  job ? { jobId: job.id, status: statusOf(job) } : { status: 'loading-result', jobId: null };

const statusOf = ({ status }: Job): RunStatus => (status === jobStatus.waiting ? 'waiting' : 'processing');
