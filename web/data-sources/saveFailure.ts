import { ApiError } from '../api/ApiError.ts';

/** A8: the server's message or "Failed saving."; a missing answer has a text of its own. */
export function saveFailure(error: unknown): string {
  const isSaid = error instanceof ApiError && (error.status === 0 || hasMessage(error.body));
  return isSaid ? error.message : 'Failed saving.';
}

const hasMessage = (body: unknown) => body !== null && typeof body === 'object' && 'message' in body && body.message !== '';
