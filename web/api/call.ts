import { addressOf, type CallInput, type Endpoint, type Method, type ReplyOf } from '@telltale/domain/endpoint.ts';
import { ApiError, errorFrom, isSignedOut, isStaleCsrf, noConnectionMessage } from './ApiError.ts';
import { readBody } from './body/readBody.ts';
import { untilSignedIn } from './expiredSession.ts';

export { ApiError } from './ApiError.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** Lets the request outlive the page (events on leaving). */
  keepalive?: boolean;
  /** The session call itself must not open the expired-session dialog. */
  failWhenSignedOut?: boolean;
  /** The seconds that the server may take for a whole answer before it names a job to poll. */
  waitSeconds?: number;
}

let apiKey: string | null = null;

/** Public dashboards and embeds read by key: it wins over any cookie, and no sign-in dialog is shown. Empty where the address has none. */
export function setApiKey(key: string | null): void {
  apiKey = key;
}

/** The key of a shared page; null for users with an account. */
export const findApiKey = (): string | null => apiKey;

/** Sends a call of the contract; the reply has the contract's type and is not parsed again. */
export function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions = {}): Promise<ReplyOf<E>> {
  return send(endpoint, input as Sent, options) as Promise<ReplyOf<E>>;
}

/** Answers that were requested in advance, by address. */
const early = new Map<string, Promise<Response>>();

/** Requests data that the page certainly reads, while its code is still loading; the call that reads it takes this answer. */
export function askEarly(address: string): void {
  if (early.has(address)) return;
  const answer = fetch(address, { headers: headersFor('GET'), credentials: 'same-origin' });
  answer.catch(() => {});
  early.set(address, answer);
  // An answer that was not read by then is too old.
  setTimeout(() => early.delete(address), 10_000);
}

function takeEarly(address: string): Promise<Response> | undefined {
  const answer = early.get(address);
  early.delete(address);
  return answer;
}

interface Sent {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

async function send(endpoint: Endpoint, input: Sent, options: CallOptions, isCsrfRenewed = false): Promise<unknown> {
  try {
    return await request(endpoint, input, options);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isStaleCsrf(error) && !isCsrfRenewed) {
      await fetch('/ping', { cache: 'no-store' }).catch(() => null);
      return send(endpoint, input, options, true);
    }
    if (isSignedOut(error) && apiKey === null && !options.failWhenSignedOut) {
      await untilSignedIn();
      options.signal?.throwIfAborted();
      return send(endpoint, input, options, isCsrfRenewed);
    }
    throw error;
  }
}

async function request(endpoint: Endpoint, input: Sent, options: CallOptions): Promise<unknown> {
  const init: RequestInit = { method: endpoint.method, headers: headersFor(endpoint.method, input.body), credentials: 'same-origin' };
  if (input.body !== undefined) init.body = JSON.stringify(input.body);
  if (options.signal) init.signal = options.signal;
  if (options.keepalive) init.keepalive = true;
  if (options.waitSeconds) init.headers = { ...init.headers, Prefer: `wait=${options.waitSeconds}` };

  const address = addressOf(endpoint.path, input.params, input.query);
  const asked = endpoint.method === 'GET' ? takeEarly(address) : undefined;
  const response = await (asked ?? fetch(address, init)).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, noConnectionMessage);
  });
  const body = await readBody(response, options.signal);
  if (!response.ok) throw errorFrom(response.status, body, response.statusText);
  return body;
}

function headersFor(method: Method, body?: unknown): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET') headers['X-CSRF-TOKEN'] = csrfToken();
  if (apiKey) headers.Authorization = `Key ${apiKey}`;
  return headers;
}

function csrfToken(): string {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith('csrf_token='));
  return pair ? decodeURIComponent(pair.slice('csrf_token='.length)) : '';
}
