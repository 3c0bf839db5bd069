import { type NotifierEnv, NotifierError } from './notifier.ts';

/** A request that takes longer than this has failed and is tried again. */
const timeoutMs = 10_000;
const mostBytes = 64 * 1024;

interface Post {
  body: string;
  headers: Record<string, string>;
}

/** Sends every notice by HTTP: it carries its key, follows no redirects and distinguishes temporary failures from final ones. */
export async function post({ http, key, signal }: NotifierEnv, url: string, { body, headers }: Post): Promise<void> {
  const response = await http.fetch(url, {
    method: 'POST',
    headers: { 'x-telltale-delivery': key, ...headers },
    body,
    signal,
    timeoutMs,
    idleMs: timeoutMs,
    maxBytes: mostBytes,
  });
  const { status } = response;
  response.discard();
  if (status >= 200 && status < 300) return;
  throw new NotifierError(`${new URL(url).host} answered with status ${status}.`, isFinal(status));
}

/** design 8.1: a request that a server refuses for good is not repeated; a redirect is no answer either. */
const isFinal = (status: number) => status >= 300 && status < 500 && status !== 408 && status !== 429;

export const postJson = (env: NotifierEnv, url: string, body: unknown, headers: Record<string, string> = {}) =>
  post(env, url, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });

export const postForm = (env: NotifierEnv, url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  post(env, url, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

export const basicAuth = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
