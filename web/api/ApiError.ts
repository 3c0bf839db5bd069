/** The error of every failed call; status 0 means that no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  /** The words of the status line; empty over HTTP/2, which has none. */
  readonly statusText: string;

  constructor(status: number, message: string, body: unknown = null, statusText = '') {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.statusText = statusText;
  }
}

export const noConnectionMessage = 'The server could not be reached. Please check your Internet connection and try again.';

/** Errors of the server carry `{ message }`; other answers (a proxy's page) get a sentence of their own. */
export function errorFrom(status: number, body: unknown, statusText = ''): ApiError {
  return new ApiError(status, errorReason({ body }) ?? `The server answered with an error (${status}).`, body, statusText);
}

/** The server's own message; null where it sent none. */
export function errorReason({ body }: Pick<ApiError, 'body'>): string | null {
  const message = body !== null && typeof body === 'object' && 'message' in body ? body.message : null;
  return typeof message === 'string' && message !== '' ? message : null;
}

/** Screens 1.1: the two answers with which the server says that the session is over. */
export const isSignedOut = (error: ApiError): boolean =>
  error.status === 401 || (error.status === 404 && error.message.includes('Please login'));

export const isStaleCsrf = (error: ApiError): boolean => error.status === 400 && error.message.includes('CSRF');
