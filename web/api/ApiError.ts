/** Every failed call is one of these; status 0 means that no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, message: string, body: unknown = null) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export const noConnectionMessage = 'The server could not be reached. Please check your Internet connection and try again.';

/** Errors carry `{ message }` everywhere; what is not ours (a proxy's page) gets a sentence of its own. */
export function errorFrom(status: number, body: unknown): ApiError {
  const message = body !== null && typeof body === 'object' && 'message' in body ? body.message : null;
  return new ApiError(status, typeof message === 'string' && message ? message : `The server answered with an error (${status}).`, body);
}

/** What the server itself said about it; null where nobody told why. */
export function toldReason({ body }: Pick<ApiError, 'body'>): string | null {
  const message = body !== null && typeof body === 'object' && 'message' in body ? body.message : null;
  return typeof message === 'string' && message !== '' ? message : null;
}

/** Screens 1.1: the two ways in which the server says that the session is over. */
export const isSignedOut = (error: ApiError): boolean =>
  error.status === 401 || (error.status === 404 && error.message.includes('Please login'));

export const isStaleCsrf = (error: ApiError): boolean => error.status === 400 && error.message.includes('CSRF');
