import { type Job, jobStatus, jobsApi } from '@telltale/domain/jobs/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { ApiError, call } from './call.ts';
import { hangUp, watchJob } from './live.ts';
import { pollDelayMs } from './pollDelay.ts';

/** Q8 */
const lostJobMessage = 'failed communicating with server. Please check your Internet connection and try again.';
const mostFailures = 5;

export interface JobWait {
  signal?: AbortSignal | undefined;
  onChange?: ((job: Job) => void) | undefined;
  /** For readers by key, who may only ask by way of the query that runs (Q7). */
  queryId?: number | undefined;
}

const isFinished = ({ status }: Job): boolean => status === jobStatus.done || status === jobStatus.failed;

/** What makes those who wait for a job ask at once, by the job. */
const hurried = new Map<string, Set<() => void>>();

/**
 * Waits until a job is done or failed (Q9): told by the live socket, asked for where the socket is silent. A socket that has told
 * something may be cut off without anybody noticing, so it is asked for then, too, only seldom.
 */
export async function waitForJob(first: Job, { signal, onChange, queryId }: JobWait = {}): Promise<Job> {
  if (isFinished(first)) return first;
  let job = first;
  let isTold = false;
  let isNews = false;
  let isDue = signal?.aborted ?? false;
  let wake = () => {};
  const take = (next: Job) => {
    job = next;
    onChange?.(next);
  };
  const askNow = () => {
    isDue = true;
    wake();
  };
  const stopWatching =
    queryId === undefined
      ? watchJob(
          first.id,
          (next) => {
            [isTold, isNews] = [true, true];
            take(next);
            wake();
          },
          () => {
            if (isTold) askNow();
            isTold = false;
          },
        )
      : () => {};
  const stopHurrying = whenHurried(first.id, askNow);
  signal?.addEventListener('abort', askNow);
  try {
    let failures = 0;
    for (let asked = 0; !isFinished(job); ) {
      isNews = false;
      const delayMs = pollDelayMs(asked, isTold && failures === 0);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (isDue) wake();
      });
      signal?.throwIfAborted();
      if (isFinished(job) || (isNews && !isDue)) continue;
      isDue = false;
      asked++;
      try {
        const known = job;
        const next = await askFor(first.id, queryId, signal);
        failures = 0;
        // Told of meanwhile: then this is the older answer.
        if (job !== known) continue;
        if (isTold && next.status !== known.status) {
          isTold = false;
          hangUp();
        }
        take(next);
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
        if (++failures >= mostFailures) throw new ApiError(0, lostJobMessage);
      }
    }
    return job;
  } finally {
    stopWatching();
    stopHurrying();
    signal?.removeEventListener('abort', askNow);
  }
}

/** Whoever has just cancelled it wants to know, and so does whoever has lost or regained the connection. */
function whenHurried(id: string, askNow: () => void): () => void {
  const group = hurried.get(id) ?? new Set();
  hurried.set(id, group.add(askNow));
  for (const event of ['online', 'offline']) addEventListener(event, askNow);
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, askNow);
    group.delete(askNow);
    if (group.size === 0) hurried.delete(id);
  };
}

async function askFor(id: string, queryId: number | undefined, signal: AbortSignal | undefined): Promise<Job> {
  const options = signal ? { signal } : {};
  if (queryId === undefined) return (await call(jobsApi.get, { params: { id } }, options)).job;
  return (await call(resultsApi.queryJob, { params: { id: queryId, jobId: id } }, options)).job;
}

export const jobError = ({ error }: Job): string => (typeof error === 'string' ? error : error.message);

export async function cancelJob(id: string): Promise<null> {
  try {
    return await call(jobsApi.cancel, { params: { id } });
  } finally {
    for (const askNow of hurried.get(id) ?? []) askNow();
  }
}
