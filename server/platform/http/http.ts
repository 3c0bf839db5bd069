import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import cookie, { type CookieSerializeOptions } from '@fastify/cookie';
import { type Identity, nobody } from '@telltale/domain/access/identity.ts';
import type { Endpoint, HandlerInput, KeyReader, Method, Needs, ReplyOf } from '@telltale/domain/endpoint.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Ctx, createCtx, type ReaderCtx, type RequestFacts, type Services, type UserCtx } from '../context.ts';
import { AppError, fromDatabaseError, invalid } from '../errors.ts';
import { type Guarded, requireAccess } from './access.ts';
import { answerOtherSites } from './cors.ts';
import { isKnownTag } from './entity-tags.ts';
import { securityHeaders } from './headers.ts';
import { requestMetrics } from './metrics.ts';
import { parseBody, parseParams, refuseNul } from './parse.ts';
import { refuseUnreadable } from './unreadable.ts';

/** What a handler may count on follows from what its endpoint needs. */
export type CtxFor<E extends Endpoint> = E['needs'] extends 'anyone'
  ? HttpCtx<Ctx>
  : [Extract<E['readers'], readonly KeyReader[]>] extends [never]
    ? HttpCtx<UserCtx>
    : HttpCtx<ReaderCtx>;

export type HttpCtx<C extends Ctx = Ctx> = C & { cookies: Cookies };

export interface Cookies {
  get(name: string): string | undefined;
  set(name: string, value: string, options: CookieSerializeOptions): void;
  clear(name: string): void;
}

/** An answer that is read from where it lies while it is sent; its bytes keep the contract by how they were written. */
export class Streamed {
  readonly headers: Record<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
  constructor(headers: Record<string, string>, body: AsyncIterable<Uint8Array>) {
    this.headers = headers;
    this.body = body;
  }
}

export interface PageRoute extends Guarded {
  method: Method;
  path: string;
  summary: string;
  /** Accepts an HTML form beside JSON. */
  form?: boolean;
  /** Takes bytes as they are, whatever they call themselves. */
  raw?: boolean;
  /** May be shown inside other sites (server-behaviour 1.4). */
  embeddable?: boolean;
}

export type RegisteredRoute = (Endpoint | PageRoute) & { needs: Needs };

export interface Http {
  on<E extends Endpoint>(
    endpoint: E,
    handler: (ctx: CtxFor<E>, input: HandlerInput<E>) => Promise<ReplyOf<E> | Streamed> | ReplyOf<E> | Streamed,
  ): void;
  /** Pages, probes and files: whatever is not JSON by contract. */
  page(route: PageRoute, handler: (ctx: HttpCtx, request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | unknown): void;
  routes: readonly RegisteredRoute[];
  server: FastifyInstance;
}

/** What the house tells the HTTP core about sign-in, without the core knowing how it works. */
export interface Doorkeeper {
  identify(request: FastifyRequest, route: Guarded & { path: string }): Promise<Identity>;
  /** Refuses a write that a foreign page may have caused (security 15). */
  requireSameSite(request: FastifyRequest, identity: Identity): void;
  /** After the handler: keeps the cookies of the browser current. */
  refreshCookies(request: FastifyRequest, reply: FastifyReply, identity: Identity): void;
}

const bodyLimit = 4 * 1024 * 1024;
const formLimit = 64 * 1024;
const rawLimit = 128 * 1024;

export function createHttp(services: Services, doorkeeper: Doorkeeper): Http {
  const { config, log } = services;
  const helpOrigin = config.helpUrl ? new URL(config.helpUrl).origin : undefined;
  const dress = (request: FastifyRequest, reply: FastifyReply, embeddable = false) =>
    reply
      .headers(securityHeaders({ helpOrigin, embeddable, https: isHttps(config.publicUrl, request) }))
      .header('x-request-id', request.id);
  const server = fastify({
    logger: false,
    bodyLimit,
    // An address that cannot be decoded never reaches a hook.
    frameworkErrors: (error, request, reply) => void tell(dress(request, reply), toldError(error)),
    clientErrorHandler: refuseUnreadable(securityHeaders({ helpOrigin, embeddable: false, https: false })),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestTimeout: 120_000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
  });
  server.register(cookie);
  server.register(compress, { threshold: 1024, encodings: ['gzip', 'deflate', 'identity'] });
  acceptBodies(server);

  const openToOthers = answerOtherSites(server, config.corsOrigins);

  const routes: RegisteredRoute[] = [];
  const contexts = new WeakMap<FastifyRequest, HttpCtx>();

  server.addHook('onRequest', (request, reply, done) => {
    dress(request, reply, (request.routeOptions.config as Partial<PageRoute>).embeddable);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const identity = contexts.get(request)?.identity;
    requestMetrics.observe(request, reply);
    log.debug(
      {
        request: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: identity?.kind === 'user' ? identity.id : identity?.kind,
      },
      'answered',
    );
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const told = toldError(error);
    const details = { err: error, request: request.id, route: request.routeOptions.url };
    if (hasLeft(request, error)) log.debug(details, 'the caller left before the answer was complete');
    else if (told.status >= 500) log.error(details, 'a request failed');
    return tell(reply, told);
  });

  /** Before the body is read: who is it, may they, and did they mean it. */
  const enter = (route: Guarded & { path: string }) => async (request: FastifyRequest, reply: FastifyReply) => {
    const identity = await doorkeeper.identify(request, route);
    contexts.set(request, makeCtx(services, identity, request, reply));
    requireAccess(route, identity);
    // Forms bring their own proof (a password, a link, a code): they act for nobody, whoever this browser is signed in as.
    const actsFor = 'form' in route && route.form ? nobody : identity;
    if (request.method !== 'GET' && request.method !== 'HEAD') doorkeeper.requireSameSite(request, actsFor);
    doorkeeper.refreshCookies(request, reply, identity);
  };
  const contextOf = (request: FastifyRequest, reply: FastifyReply) => contexts.get(request) ?? makeCtx(services, nobody, request, reply);

  const register = (route: RegisteredRoute, handle: (ctx: HttpCtx, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
    if (!route.needs || route.needs.length === 0) throw new Error(`${route.method} ${route.path} does not say who may call it.`);
    if (routes.some((other) => other.method === route.method && other.path === route.path)) {
      throw new Error(`${route.method} ${route.path} is registered twice.`);
    }
    routes.push(route);
    const isOpen = 'cors' in route && route.cors === true;
    if (isOpen) openToOthers(route.path);
    server.route({
      method: route.method,
      url: route.path,
      // Forms are open to everybody, and none of them is long.
      bodyLimit: 'form' in route && route.form ? formLimit : 'raw' in route && route.raw ? rawLimit : bodyLimit,
      config: {
        form: 'form' in route && route.form,
        raw: 'raw' in route && route.raw,
        embeddable: 'embeddable' in route && route.embeddable,
        cors: isOpen,
      },
      onRequest: enter(route),
      handler: (request, reply) => handle(contextOf(request, reply), request, reply),
    });
  };

  return {
    server,
    routes,
    on(endpoint, handler) {
      register(endpoint, async (ctx, request, reply) => {
        refuseNul(request.query);
        refuseNul(request.params);
        const input = {
          params: endpoint.params ? parseParams(endpoint.params, request.params) : undefined,
          query: endpoint.query ? parseBody(endpoint.query, request.query) : undefined,
          body: endpoint.body ? parseBody(endpoint.body, request.body) : undefined,
        } as HandlerInput<typeof endpoint>;
        const answer = await handler(ctx as CtxFor<typeof endpoint>, input);
        reply.header('cache-control', 'no-store');
        if (answer instanceof Streamed) {
          reply.headers(answer.headers);
          if (isKnownTag(request.headers['if-none-match'], answer.headers.etag)) return reply.code(304).send();
          return reply.send(Readable.from(answer.body, { highWaterMark: 2 }));
        }
        if (endpoint.status === 204) return reply.code(204).send();
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
      });
    },
    page(route, handler) {
      register(route, async (ctx, request, reply) => handler(ctx, request, reply));
    },
  };
}

/** A browser that goes elsewhere in the middle of an answer is no failure of ours. */
const hasLeft = (request: FastifyRequest, error: unknown): boolean =>
  request.raw.socket.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Behind a proxy that speaks TLS the public address says so, even where its headers are not believed. */
export const isHttps = (publicUrl: string | undefined, request: FastifyRequest): boolean =>
  request.protocol === 'https' || publicUrl?.startsWith('https:') === true;

function makeCtx(services: Services, identity: Identity, request: FastifyRequest, reply: FastifyReply): HttpCtx {
  const facts: RequestFacts = {
    id: request.id,
    address: request.ip,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 500),
    acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
    origin: `${request.protocol}://${request.host}`,
  };
  const cookies: Cookies = {
    get: (name) => request.cookies[name],
    set: (name, value, options) =>
      void reply.setCookie(name, value, { path: '/', sameSite: 'lax', secure: isHttps(services.config.publicUrl, request), ...options }),
    clear: (name) => void reply.clearCookie(name, { path: '/' }),
  };
  return createCtx(services, identity, facts, { cookies });
}

/** Bodies are JSON whatever they call themselves (server-behaviour 1.1); forms only where a page takes them. */
function acceptBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const type = String(request.headers['content-type'] ?? '');
      if ((request.routeOptions.config as Partial<PageRoute>).raw) return done(null, bytes);
      const body = bytes.toString('utf8');
      if ((request.routeOptions.config as Partial<PageRoute>).form && type.startsWith('application/x-www-form-urlencoded')) {
        const fields = Object.fromEntries(new URLSearchParams(body));
        refuseNul(fields);
        return done(null, fields);
      }
      if (body.trim() === '') return done(null, undefined);
      parseJson(request, body, (error, parsed) => {
        if (error) return done(invalid('The body is not valid JSON.'));
        if (body.includes('\0') || body.includes('\\u0000')) {
          try {
            refuseNul(parsed);
          } catch (fault) {
            return done(fault as Error);
          }
        }
        done(null, parsed);
      });
    } catch (error) {
      done(error as Error);
    }
  });
}

interface Told {
  status: number;
  message: string;
  body?: Record<string, unknown> | undefined;
}

const tell = (reply: FastifyReply, { status, message, body }: Told) =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ message, ...body }));

function toldError(error: unknown): Told {
  const known = error instanceof AppError ? error : fromDatabaseError(error);
  if (known) return { status: known.status, message: known.message, body: known.body };
  const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413) return { status, message: 'The request is too large.' };
  if (status >= 400 && status < 500) return { status, message: 'This request cannot be read.' };
  return { status: 500, message: 'Internal Server Error' };
}
