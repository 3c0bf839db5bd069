import type { Ctx } from '../platform/context.ts';
import { reachOf } from '../platform/outgoing/address.ts';
import { OutgoingError } from '../platform/outgoing/error.ts';
import { createGuard } from '../platform/outgoing/guard.ts';
import { type Address, checkedAddresses, lookupOfSystem } from '../platform/outgoing/resolve.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';

const maxBytes = 2 * 1024 ** 2;
const timeoutMs = 10_000;

interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** security 9: requests to sign-in providers use the guarded HTTP client, like every request to a user-supplied address. */
export async function guardedFetch(ctx: Pick<Ctx, 'config'>, url: string, options: FetchOptions = {}): Promise<Response> {
  await requirePrivacy(ctx, new URL(url));
  const http = createOutgoingHttp({ allowPrivate: ctx.config.allowPrivate });
  const reply = await http.fetch(url, {
    method: options.method === 'POST' ? 'POST' : 'GET',
    headers: options.headers ?? {},
    ...(options.body === undefined || options.body === null ? {} : { body: String(options.body) }),
    signal: options.signal ?? AbortSignal.timeout(timeoutMs),
    timeoutMs,
    maxBytes,
  });
  const text = await reply.text();
  const { 'content-encoding': _, 'content-length': __, ...headers } = reply.headers;
  return new Response([204, 205, 304].includes(reply.status) ? null : text, { status: reply.status, headers });
}

/** Plain http is only allowed to private networks that the operator listed: without TLS a provider can be impersonated. */
async function requirePrivacy(ctx: Pick<Ctx, 'config'>, url: URL): Promise<void> {
  if (url.protocol !== 'http:') return;
  const addresses = await providerAddresses(ctx, url);
  if (addresses.some(({ address }) => reachOf(address) === 'public'))
    throw new OutgoingError('refused', 'A sign-in provider needs an https address.');
}

/** design 8.1: a provider on a private address needs `TELLTALE_ALLOW_PRIVATE`. */
export const providerAddresses = (ctx: Pick<Ctx, 'config'>, url: URL): Promise<Address[]> =>
  checkedAddresses(url, lookupOfSystem, createGuard(ctx.config.allowPrivate), false);
