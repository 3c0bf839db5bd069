import { type Job, jobStatus, jobsApi } from '@telltale/domain/jobs/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { ApiError, call } from './call.ts';
import { probeLive, watchJob } from './live/live.ts';
import { pollDelayMs } from './pollDelay.ts';

/** Q8 */
const lostJobMessage = 'failed communicating with server. Please check your Internet connection and try again.';
const mostFailures = 5;

export interface JobWait {
  signal?: AbortSignal | undefined;
  onChange?: ((job: Job) => void) | undefined;
  /** For key readers, who may only ask for the job by way of its query (Q7). */
  queryId?: number | undefined;
}

const isFinished = ({ status }: Job): boolean => status === jobStatus.done || status === jobStatus.failed;

/** Callbacks by job that make waiting callers ask at once. */
const hurried = new Map<string, Set<() => void>>();

/**
 * Waits until a job is done or failed (Q9): the live socket reports it, and requests replace a silent socket. A socket may be cut off
 * unnoticed, so requests are also made, less often, after it has reported something.
 */
export async function waitForJob(first: Job, { signal, onChange, queryId }: JobWait = {}): Promise<Job> {
  if (isFinished(first)) return first;
  let job = first;
  let isNotified = false;
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
            [isNotified, isNews] = [true, true];
            take(next);
            wake();
          },
          () => {
            if (isNotified) askNow();
            isNotified = false;
          },
        )
      : () => {};
  const stopHurrying = whenHurried(first.id, askNow);
  signal?.addEventListener('abort', askNow);
  try {
    let failures = 0;
    for (let asked = 0; !isFinished(job); ) {
      isNews = false;
      const delayMs = pollDelayMs(asked, isNotified && failures === 0);
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
        // The socket reported a change meanwhile, so this answer is older.
        if (job !== known) continue;
        if (isNotified && next.status !== known.status) {
          isNotified = false;
          probeLive();
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

/** Asks at once after a cancellation, and after the connection was lost or regained. */
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
