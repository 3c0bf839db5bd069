import { type ApiError, toldReason } from '../../api/ApiError.ts';

export const unknownErrorMessage = 'Unknown error occurred. Please try again later.';
const noCachedResultMessage = 'cached query result unavailable, please execute again.';

/** Q8: what a refused run or a result that cannot be read says. */
export function runFailure({ status, message, body }: Pick<ApiError, 'status' | 'message' | 'body'>): string {
  const refused = jobErrorIn(body);
  if (refused) return refused;
  if (status === 404) return noCachedResultMessage;
  // Without an answer the message is the browser's own: there is no connection.
  return toldReason({ body }) ?? ((status === 0 && message) || unknownErrorMessage);
}

/** A refused execution looks like a failed job (server-behaviour 1.1). */
function jobErrorIn(body: unknown): string | null {
  const job = isObject(body) ? body.job : null;
  const error = isObject(job) ? job.error : null;
  if (typeof error === 'string') return error || null;
  return isObject(error) && typeof error.message === 'string' ? error.message : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Q8: a result that does not load is asked for four times more. Only what may pass by itself is worth it. */
export const retryDelaysMs: readonly number[] = [1000, 2000, 4000, 8000];
export const isWorthRetrying = (status: number): boolean => status === 0 || status === 429 || status >= 500;
