import { addressOf, type CallInput, type Endpoint, type Method, type ReplyOf } from '@telltale/domain/endpoint.ts';
import { ApiError, errorFrom, isSignedOut, isStaleCsrf, noConnectionMessage } from './ApiError.ts';
import { untilSignedIn } from './expiredSession.ts';

export { ApiError } from './ApiError.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** Lets the request outlive the page (events on leaving). */
  keepalive?: boolean;
  /** The session call itself must not open the expired-session dialog. */
  failWhenSignedOut?: boolean;
}

let apiKey: string | null = null;

/** Public dashboards and embeds read by key: it wins over any cookie, and no dialog can help them. Empty where they came without. */
export function setApiKey(key: string | null): void {
  apiKey = key;
}

/** The key of a shared page; null for somebody with an account. */
export const findApiKey = (): string | null => apiKey;

/** Sends a call of the contract; the reply has the contract's type and is not parsed again. */
export function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions = {}): Promise<ReplyOf<E>> {
  return send(endpoint, input as Sent, options) as Promise<ReplyOf<E>>;
}

/** Answers that are on their way before anybody waits for them, by address. */
const early = new Map<string, Promise<Response>>();

/** Asks for what the page at hand is sure to read, while its code is still on its way; the call that reads it takes this answer. */
export function askEarly(address: string): void {
  if (early.has(address)) return;
  const answer = fetch(address, { headers: headersFor('GET'), credentials: 'same-origin' });
  answer.catch(() => {});
  early.set(address, answer);
  // What nobody has read by then has become old.
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

  const address = addressOf(endpoint.path, input.params, input.query);
  const asked = endpoint.method === 'GET' ? takeEarly(address) : undefined;
  const response = await (asked ?? fetch(address, init)).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, noConnectionMessage);
  });
  const body = await readBody(response);
  if (!response.ok) throw errorFrom(response.status, body);
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

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => {
    throw new ApiError(0, noConnectionMessage);
  });
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new ApiError(response.status, 'The server answered with something that is not JSON.', text);
    return text;
  }
}
