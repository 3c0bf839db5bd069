import { type ApiError, errorReason } from '../../api/ApiError.ts';

export const unknownErrorMessage = 'Unknown error occurred. Please try again later.';
const noCachedResultMessage = 'cached query result unavailable, please execute again.';

/** Q8: the message of a refused run or of a result that cannot be read. */
export function runFailure({ status, message, body }: Pick<ApiError, 'status' | 'message' | 'body'>): string {
  const refused = jobErrorIn(body);
  if (refused) return refused;
  if (status === 404) return noCachedResultMessage;
  // Without an answer there is no connection, and the message is the browser's own.
  return errorReason({ body }) ?? ((status === 0 && message) || unknownErrorMessage);
}

/** A refused execution looks like a failed job (server-behaviour 1.1). */
function jobErrorIn(body: unknown): string | null {
  const job = isObject(body) ? body.job : null;
  const error = isObject(job) ? job.error : null;
  if (typeof error === 'string') return error || null;
  return isObject(error) && typeof error.message === 'string' ? error.message : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Q8: loading a result is retried four times, but only after temporary failures. */
export const retryDelaysMs: readonly number[] = [1000, 2000, 4000, 8000];
export const isWorthRetrying = (status: number): boolean => status === 0 || status === 429 || status >= 500;
