/** The error for everything that a caller may know; any other thrown value becomes a 500 without details. */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;
  readonly code: string;
  /** Further members of the answer beside `message`, such as the refused `job` of an execution. */
  readonly body: Record<string, unknown> | undefined;

  constructor(status: number, code: string, message: string, options: { cause?: unknown; body?: Record<string, unknown> } = {}) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.body = options.body;
  }
}

export const invalid = (message: string, cause?: unknown) => new AppError(400, 'invalid', message, { cause });
/** Clients look for the phrase `Please login` (server-behaviour 1.1). */
export const notSignedIn = (status: 401 | 404 = 404) =>
  new AppError(status, 'not_signed_in', "Couldn't find resource. Please login and try again.");
export const forbidden = (message = "You don't have permission to do this.") => new AppError(403, 'forbidden', message);
export const notYours = () => forbidden("You don't have permission to edit this resource.");
export const notFound = (what = 'Resource') => new AppError(404, 'not_found', `${what} not found.`);
export const conflict = (message: string) => new AppError(409, 'conflict', message);
export const tooMany = (message: string) => new AppError(429, 'too_many', message);
export const unavailable = (message: string, cause?: unknown) => new AppError(503, 'unavailable', message, { cause });

/** For `catch`: an object that a body names and that does not exist is a fault of the body. Other failures are thrown on as they are. */
export const unknownAs =
  (message: string) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.status === 404 ? invalid(message) : error;
  };

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
  '08003',
]);
const connectionTexts =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/;

/** PostgreSQL refuses a value, and would refuse it again. A missing row (23503) may be there at the next attempt. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|23(?!503))/.test(String(error.code));

/**
 * A safety net under the rooms' own checks: text that the database cannot hold, a number out of range or a row that was deleted meanwhile
 * comes from the caller's input or timing, not from a failure of ours. An unreachable database is neither.
 */
export function fromDatabaseError(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionCodes.has(code) || connectionTexts.test(error.message)) {
    return unavailable('The database is not available at the moment. Please try again.', error);
  }
  if (code === '23505') return new AppError(409, 'conflict', 'This already exists.', { cause: error });
  if (code === '23503') return new AppError(409, 'conflict', 'This refers to something that does not exist any more.', { cause: error });
  if (code === '40001' || code === '40P01')
    return new AppError(409, 'conflict', 'Somebody changed this at the same moment. Please try again.', { cause: error });
  if (code.startsWith('22') || code === '23514' || code === '23502') return invalid('A value in this request cannot be stored.', error);
  return null;
}
