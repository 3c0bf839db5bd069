import { ApiError, errorReason } from '../api/ApiError.ts';

const unknownError = 'It seems like we encountered an error. Try refreshing this page or contact your administrator.';

/** Q2: the text for a page that could not be loaded. */
export function errorText(error: Error): string {
  if (!(error instanceof ApiError)) return unknownError;
  if (error.status === 404) return "It seems like the page you're looking for cannot be found.";
  if (error.status === 401 || error.status === 403) return 'It seems like you don’t have permission to see this page.';
  if (error.status === 0) return error.message;
  return errorReason(error) ?? unknownError;
}

/** A retry can help only where the answer may change by itself. */
export const isWorthAnotherTry = (error: Error): boolean => !(error instanceof ApiError) || ![401, 403, 404].includes(error.status);
