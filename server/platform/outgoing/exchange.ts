import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { connectionFault } from './connection-fault.ts';
import { OutgoingError } from './error.ts';
import type { Address } from './resolve.ts';
import { hostOf, sideOf } from './target.ts';
import { after, inSeconds } from './time-limit.ts';

export interface Exchange {
  url: URL;
  addresses: readonly Address[];
  method: string;
  headers: Map<string, string>;
  body: string | Uint8Array | undefined;
  signal: AbortSignal;
  connectMs: number;
  headMs: number;
  allowInvalidCertificate: boolean;
}

/** Sends one request over a connection of its own, only to the checked addresses; returns the open response. */
export async function exchange({ url, addresses, signal, ...request }: Exchange): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const isTls = url.protocol === 'https:';
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
  const headers = new Map(request.headers).set('accept-encoding', 'gzip, deflate, br');
  if (body) headers.set('content-length', String(body.byteLength));
  // An agent of its own shares no connections, and uses no proxy from the environment.
  const agent = isTls ? new TlsAgent({ keepAlive: false }) : new Agent({ keepAlive: false });
  const outgoing = (isTls ? requestHttps : requestHttp)({
    host: hostOf(url),
    port: url.port || (isTls ? 443 : 80),
    path: url.pathname + url.search,
    method: request.method,
    headers: Object.fromEntries(headers),
    agent,
    lookup: pinned(addresses),
    signal,
    ...(isTls && { rejectUnauthorized: !request.allowInvalidCertificate }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const late = (ms: number, what: string) =>
    after(ms, () => outgoing.destroy(new OutgoingError('timeout', `${sideOf(url)} ${what} within ${inSeconds(ms)}.`)));
  const limits = [late(request.connectMs, 'could not be reached'), late(request.headMs, 'did not answer')];
  outgoing.on('socket', (socket) => {
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      limits[0]?.stop();
      socket.setKeepAlive(true, 30_000);
    });
  });
  outgoing.on('response', resolve);
  outgoing.on('error', reject);
  outgoing.end(body);
  try {
    return await promise;
  } catch (error) {
    signal.throwIfAborted();
    throw asOutgoingError(error, url);
  } finally {
    for (const limit of limits) limit.stop();
  }
}

/** The lookup function of the socket: it returns the checked addresses. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

function asOutgoingError(error: unknown, url: URL): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const side = sideOf(url);
  const known = connectionFault(error, side);
  if (known) return new OutgoingError(known.fault, known.message, error);
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return new OutgoingError('bad-answer', `${side} does not answer in HTTP.`, error);
  return new OutgoingError('unreachable', `${side} could not be reached.`, error);
}
