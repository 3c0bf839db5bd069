import { type Job, jobStatus, jobsApi } from '@telltale/domain/jobs/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { ApiError, call } from './call.ts';
import { watchJob } from './live.ts';
import { pollDelayMs } from './pollDelay.ts';

/** Q8 */
export const lostJobMessage = 'failed communicating with server. Please check your Internet connection and try again.';
const mostFailures = 5;

export interface JobWait {
  signal?: AbortSignal | undefined;
  onChange?: ((job: Job) => void) | undefined;
  /** For readers by key, who may only ask by way of the query that runs (Q7). */
  queryId?: number | undefined;
}

export const isFinished = ({ status }: Job): boolean => status === jobStatus.done || status === jobStatus.failed;

/** Waits until a job is done or failed: told by the live socket, asked for where the socket is silent (Q9). */
export async function waitForJob(first: Job, { signal, onChange, queryId }: JobWait = {}): Promise<Job> {
  let job = first;
  let isTold = false;
  let wake = () => {};
  const take = (next: Job) => {
    job = next;
    onChange?.(next);
  };
  const stop =
    isFinished(first) || queryId !== undefined
      ? () => {}
      : watchJob(
          first.id,
          (next) => {
            isTold = true;
            take(next);
            wake();
          },
          () => {
            isTold = false;
            wake();
          },
        );
  const leave = () => wake();
  signal?.addEventListener('abort', leave);
  try {
    let failures = 0;
    for (let tries = 0; !isFinished(job); tries++) {
      const delay = pollDelayMs(tries, isTold);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delay);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (signal?.aborted) wake();
      });
      signal?.throwIfAborted();
      if (isFinished(job) || isTold) continue;
      try {
        take(await askFor(first.id, queryId, signal));
        failures = 0;
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
        if (++failures >= mostFailures) throw new ApiError(0, lostJobMessage);
      }
    }
    return job;
  } finally {
    signal?.removeEventListener('abort', leave);
    stop();
  }
}

async function askFor(id: string, queryId: number | undefined, signal: AbortSignal | undefined): Promise<Job> {
  const options = signal ? { signal } : {};
  if (queryId === undefined) return (await call(jobsApi.get, { params: { id } }, options)).job;
  return (await call(resultsApi.queryJob, { params: { id: queryId, jobId: id } }, options)).job;
}

export const jobError = ({ error }: Job): string => (typeof error === 'string' ? error : error.message);

export const cancelJob = (id: string): Promise<null> => call(jobsApi.cancel, { params: { id } });
