import { ApiError } from '../api/ApiError.ts';

export const unknownErrorMessage = 'It seems like we encountered an error. Try refreshing this page or contact your administrator.';

/** Q2: what an error panel says. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return unknownErrorMessage;
  if (error.status === 404) return "It seems like the page you're looking for cannot be found.";
  if (error.status === 401 || error.status === 403) return 'It seems like you don’t have permission to see this page.';
  return error.message || unknownErrorMessage;
}
