import type { IncomingMessage } from 'node:http';
import { livePath, liveProtocol } from '@telltale/domain/live/contract.ts';
import type { FastifyRequest } from 'fastify';
import type { Ctx, Services } from '../platform/context.ts';
import { AppError, forbidden, tooMany } from '../platform/errors.ts';
import type { Authentication, Http, PageRoute } from '../platform/http/http.ts';
import { allowUpgrade, takeSocket } from '../platform/http/upgrade.ts';
import type { Feed } from './feed.ts';
import { LiveHub, type LiveTiming, mostSocketsPerPerson } from './live.ts';

const route: PageRoute = {
  method: 'GET',
  path: livePath,
  needs: 'signed_in',
  signedOutStatus: 401,
  summary: 'Live socket: job states and device data as they come.',
};

export function liveRoutes(
  http: Http,
  services: Services,
  authentication: Authentication,
  feeds: Feed[],
  timing?: Partial<LiveTiming>,
): void {
  const hub = new LiveHub(feeds, (request) => authentication.identify(request, route), services.log, timing);
  allowUpgrade(http.server, livePath, useOfferedKey);
  http.server.addHook('preClose', () => hub.close());
  http.page(route, (ctx, request, reply) => {
    const { identity } = ctx;
    if (identity.kind !== 'user') throw forbidden();
    if (identity.via === 'session') requireOwnOrigin(ctx, request);
    if (hub.countOf(identity.id) >= mostSocketsPerPerson) throw tooMany('Too many live connections of this account are open.');
    const upgrade = takeSocket(request, reply);
    if (!upgrade) throw new AppError(426, 'upgrade_required', 'This address speaks web socket only.');
    hub.accept(request, upgrade, identity);
    return reply;
  });
}

/** Browsers cannot set headers on a socket: the sub-protocol after ours is a key, and works like one in the header. */
function useOfferedKey({ headers }: IncomingMessage): void {
  const [first, key] = (headers['sec-websocket-protocol'] ?? '').split(',').map((value) => value.trim());
  if (first === liveProtocol && key) headers.authorization = `Key ${key}`;
}

/** Any site can open a socket, and the browser sends our cookie with it: only our own pages may use it. */
function requireOwnOrigin(ctx: Ctx, request: FastifyRequest): void {
  const { origin } = request.headers;
  const { publicUrl } = ctx.config;
  const isOwn = origin === ctx.request.origin || (publicUrl !== undefined && origin === new URL(publicUrl).origin);
  if (!isOwn) throw forbidden('This request came from another site and was refused.');
}
