import { bodyOf } from './outgoing/body.ts';
import { OutgoingError } from './outgoing/error.ts';
import { exchange } from './outgoing/exchange.ts';
import { createGuard } from './outgoing/guard.ts';
import { requestHeaders, withoutCredentials } from './outgoing/headers.ts';
import { checkedAddresses, type Lookup, lookupOfSystem } from './outgoing/resolve.ts';
import { parseTarget, sideOf } from './outgoing/target.ts';
import { after, inSeconds } from './outgoing/time-limit.ts';

export { OutgoingError } from './outgoing/error.ts';

/** The only way to send requests to addresses that people typed (security 9, 10). */
export interface OutgoingRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** Redirects to follow, each checked again; none unless stated. */
  redirects?: number;
  /** The time limit for the head of the answer; `Infinity` where only the signal ends a statement. */
  timeoutMs?: number;
  /** The longest wait for the next bytes of the answer. */
  idleMs?: number;
  /** The limit in bytes, before or after decompression. */
  maxBytes?: number;
  /** Accept an unverified certificate: an administrator's choice per source. */
  allowInvalidCertificate?: boolean;
  /** The address of a database that an administrator saved: it may be private, never a metadata service (design 8). */
  trusted?: boolean;
}

export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  /** The address that answered, after redirects. */
  url: string;
  /** Decompressed; ends with an error beyond maxBytes. To be read once. */
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  /** Ends the response for callers that need only the head. */
  discard(): void;
}

export interface OutgoingHttp {
  fetch(url: string, request: OutgoingRequest): Promise<OutgoingResponse>;
}

export interface OutgoingOptions {
  /** `TELLTALE_ALLOW_PRIVATE`: ranges, hosts, or `*`. */
  allowPrivate: readonly string[];
  allowHttp?: boolean;
  /** Resolves names; by default as the system does. */
  lookup?: Lookup;
  connectMs?: number;
}

const redirecting = new Set([301, 302, 303, 307, 308]);

export function createOutgoingHttp({
  allowPrivate,
  allowHttp = true,
  lookup = lookupOfSystem,
  connectMs = 10_000,
}: OutgoingOptions): OutgoingHttp {
  const guard = createGuard(allowPrivate);

  return {
    async fetch(address, request) {
      const { signal, timeoutMs = 30_000, idleMs = 60_000, maxBytes = 64 * 1024 ** 2, trusted: isTrusted = false, redirects = 0 } = request;
      let url = parseTarget(address, { allowHttp, isTrusted });
      let { method = 'GET', body } = request;
      let headers = requestHeaders(request.headers ?? {});
      for (let left = redirects; ; left--) {
        const addresses = await inTime(checkedAddresses(url, lookup, guard, isTrusted), sideOf(url), connectMs, signal);
        const response = await exchange({
          ...{ url, addresses, method, headers, body, signal, connectMs, headMs: timeoutMs },
          allowInvalidCertificate: request.allowInvalidCertificate ?? false,
        });
        const { statusCode: status = 0, headers: answered } = response;
        const { location } = answered;
        if (!redirecting.has(status) || location === undefined || redirects === 0) {
          const content = bodyOf(response, { side: sideOf(url), maxBytes, idleMs, signal });
          return {
            status,
            headers: flat(answered),
            url: url.href,
            body: content,
            text: () => textOf(content),
            discard: () => content.close(),
          };
        }
        response.destroy();
        if (left === 0) throw new OutgoingError('bad-answer', `${sideOf(url)} redirects too often.`);
        const next = parseTarget(URL.parse(location, url)?.href ?? location, { allowHttp, isTrusted });
        if (status < 307 && method === 'POST') [method, body] = ['GET', undefined];
        if (next.origin !== url.origin) {
          if (body !== undefined)
            throw new OutgoingError('refused', `${sideOf(url)} redirects to another server, which is not sent the data.`);
          headers = withoutCredentials(headers);
        }
        url = next;
      }
    },
  };
}

/** The resolver cannot be stopped, but the caller need not wait for it. */
async function inTime<T>(work: Promise<T>, side: string, ms: number, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const late = after(ms, () => reject(new OutgoingError('timeout', `${side} could not be reached within ${inSeconds(ms)}.`)));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    late.stop();
    signal.removeEventListener('abort', abort);
  }
}

const flat = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
