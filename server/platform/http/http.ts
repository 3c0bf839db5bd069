import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import cookie, { type CookieSerializeOptions } from '@fastify/cookie';
import { type Identity, nobody } from '@telltale/domain/access/identity.ts';
import type { Endpoint, HandlerInput, KeyReader, Method, Needs, ReplyOf } from '@telltale/domain/endpoint.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type CommitHook, type Ctx, createCtx, type ReaderCtx, type RequestFacts, type Services, type UserCtx } from '../context.ts';
import { AppError, fromDatabaseError, invalid } from '../errors.ts';
import { type Guarded, requireAccess } from './access.ts';
import { arrivalLimits, boundArrivals } from './arriving.ts';
import { answerOtherSites } from './cors.ts';
import { isKnownTag } from './entity-tags.ts';
import { securityHeaders } from './headers.ts';
import { requestMetrics } from './metrics.ts';
import { parseBody, parseParams, refuseNul } from './parse.ts';
import { refuseUnreadable } from './unreadable.ts';

/** The context of a handler follows from what its endpoint needs. */
type CtxFor<E extends Endpoint> = E['needs'] extends 'anyone'
  ? HttpCtx<Ctx>
  : [Extract<E['readers'], readonly KeyReader[]>] extends [never]
    ? HttpCtx<UserCtx>
    : HttpCtx<ReaderCtx>;

export type HttpCtx<C extends Ctx = Ctx> = C & { cookies: Cookies };

interface Cookies {
  get(name: string): string | undefined;
  set(name: string, value: string, options: CookieSerializeOptions): void;
  clear(name: string): void;
}

/** An answer that is streamed from its source; its bytes satisfy the contract by the way they were written. */
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
  /** Takes forms that other sites send through the browser: their content, such as a signed assertion, is a proof of its own. */
  fromOtherSites?: boolean;
  /** Takes bytes as they are, whatever their content type. */
  raw?: boolean;
  /** Facts for the OpenAPI document: accepted media types, the shape of the answer, the status of a success. */
  documented?: { accepts?: readonly string[]; answer?: Record<string, unknown>; answers?: 200 | 204 };
  /** May be shown inside other sites (server-behaviour 1.4). */
  embeddable?: boolean;
}

/** The facts of the matched route that hooks and body parsers read. */
type RouteFacts = Partial<PageRoute> & { lenientBody?: boolean };

export type RegisteredRoute = (Endpoint | PageRoute) & { needs: Needs };

export interface Http {
  on<E extends Endpoint>(
    endpoint: E,
    handler: (ctx: CtxFor<E>, input: HandlerInput<E>) => Promise<ReplyOf<E> | Streamed> | ReplyOf<E> | Streamed,
  ): void;
  /** Registers pages, probes and files: everything that is not JSON by contract. */
  page(route: PageRoute, handler: (ctx: HttpCtx, request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | unknown): void;
  routes: readonly RegisteredRoute[];
  server: FastifyInstance;
}

/** The sign-in, as the HTTP core uses it without knowing how it works. */
export interface Authentication {
  identify(request: FastifyRequest, route: Guarded & { path: string }): Promise<Identity>;
  /** Refuses a write that a foreign page may have caused (security 15). */
  requireSameSite(request: FastifyRequest, identity: Identity): void;
  /** Keeps the cookies of the browser current, after the handler. */
  refreshCookies(request: FastifyRequest, reply: FastifyReply, identity: Identity): void;
}

/** Records one call that changes something: inside its first transaction where it has one, otherwise after its handler. */
interface ChangeNote extends Required<CommitHook> {
  done(answer: unknown): Promise<void>;
  failed(): Promise<void>;
}

/** Called before each handler. It returns undefined for calls that only read. */
export type ChangeWatch = (
  ctx: Ctx,
  route: { method: string; path: string },
  input: { params: Record<string, unknown>; body: unknown },
) => Promise<ChangeNote | undefined>;

const bodyLimit = 4 * 1024 * 1024;
const formLimit = 64 * 1024;
/** Room for a signed assertion with many groups. */
const foreignFormLimit = 256 * 1024;
const rawLimit = 128 * 1024;

export function createHttp(services: Services, authentication: Authentication, watchChange?: ChangeWatch): Http {
  const { config, log } = services;
  const helpOrigin = config.helpUrl ? new URL(config.helpUrl).origin : undefined;
  const setHeaders = (request: FastifyRequest, reply: FastifyReply, embeddable = false) =>
    reply
      .headers(securityHeaders({ helpOrigin, embeddable, https: isHttps(config.publicUrl, request) }))
      .header('x-request-id', request.id);
  const { requestTimeout, headersTimeout, connectionsCheckingInterval } = arrivalLimits(config.requestSeconds);
  const server = fastify({
    logger: false,
    bodyLimit,
    // An address that cannot be decoded never reaches a hook.
    frameworkErrors: (error, request, reply) => void tell(setHeaders(request, reply), errorForReader(error)),
    clientErrorHandler: refuseUnreadable(securityHeaders({ helpOrigin, embeddable: false, https: false })),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: () => randomUUID(),
    // Clients that join a base address ending in a slash with a path beginning with one request //api/….
    rewriteUrl: ({ url = '/' }) => url.replace(/^\/{2,}(?=api\/)/, '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestTimeout,
    http: { headersTimeout, connectionsCheckingInterval },
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
  });
  boundArrivals(server.server);
  server.register(cookie);
  server.register(compress, { threshold: 1024, encodings: ['gzip', 'deflate', 'identity'] });
  acceptBodies(server);

  const openToOthers = answerOtherSites(server, config.corsOrigins);

  const routes: RegisteredRoute[] = [];
  const contexts = new WeakMap<FastifyRequest, HttpCtx>();

  server.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply, (request.routeOptions.config as Partial<PageRoute>).embeddable);
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
    const told = errorForReader(error);
    const details = { err: error, request: request.id, route: request.routeOptions.url };
    if (hasLeft(request, error)) log.debug(details, 'the caller left before the answer was complete');
    else if (told.status >= 500) log.error(details, 'a request failed');
    // The next attempt comes over a new connection, which a balancer can give to another process.
    if (told.status === 503) reply.headers({ connection: 'close', 'retry-after': '5' });
    return tell(reply, told);
  });

  /** Checks identity, access and origin before the body is read. */
  const enter = (route: Guarded & { path: string }) => async (request: FastifyRequest, reply: FastifyReply) => {
    const identity = await authentication.identify(request, route);
    contexts.set(request, makeCtx(services, identity, request, reply));
    requireAccess(route, identity);
    // Forms bring their own proof (a password, a link, a code), so they never act for the user who is signed in in this browser.
    const actsFor = 'form' in route && route.form ? nobody : identity;
    const isFromAnywhere = 'fromOtherSites' in route && route.fromOtherSites === true;
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isFromAnywhere) authentication.requireSameSite(request, actsFor);
    authentication.refreshCookies(request, reply, identity);
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
      // Forms are open to everybody, so their bodies are short.
      bodyLimit:
        'form' in route && route.form
          ? 'fromOtherSites' in route
            ? foreignFormLimit
            : formLimit
          : 'raw' in route && route.raw
            ? rawLimit
            : bodyLimit,
      config: {
        form: 'form' in route && route.form,
        raw: 'raw' in route && route.raw,
        embeddable: 'embeddable' in route && route.embeddable,
        cors: isOpen,
        lenientBody: 'lenientBody' in route && route.lenientBody === true,
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
        const params = (request.params ?? {}) as Record<string, unknown>;
        const note = await watchChange?.(ctx, endpoint, { params, body: takenFields(request.body, input.body) });
        if (note) Object.assign(commitHooks.get(ctx) ?? {}, { beforeCommit: note.beforeCommit, rolledBack: note.rolledBack });
        const answer = await answerOf(() => handler(ctx as CtxFor<typeof endpoint>, input), note);
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

async function answerOf<T>(run: () => Promise<T> | T, note: ChangeNote | undefined): Promise<T> {
  try {
    const answer = await run();
    await note?.done(answer);
    return answer;
  } catch (error) {
    await note?.failed();
    throw error;
  }
}

/** Of what was sent, the fields that the route takes; the others are dropped unread. */
const takenFields = (sent: unknown, taken: unknown): unknown =>
  isRecord(sent) && isRecord(taken) ? Object.fromEntries(Object.entries(taken).filter(([name]) => Object.hasOwn(sent, name))) : undefined;
const isRecord = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value);

/** A browser that leaves in the middle of an answer is no failure of ours. */
const hasLeft = (request: FastifyRequest, error: unknown): boolean =>
  request.raw.socket.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** RFC 7240: `Prefer: wait=5`, the seconds a caller is ready to wait for a whole answer; null without the header. */
function waitOf(prefer: string | string[] | undefined): number | null {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6}(?:\.\d{1,3})?)\b/i.exec(String(prefer ?? '')) ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** Behind a proxy that speaks TLS the public address says so, even where the proxy's headers are not trusted. */
export const isHttps = (publicUrl: string | undefined, request: FastifyRequest): boolean =>
  request.protocol === 'https' || publicUrl?.startsWith('https:') === true;

/** The hook of each request's transactions; the audit log is told of them. */
const commitHooks = new WeakMap<object, CommitHook>();

export const requestFacts = (request: FastifyRequest): RequestFacts => ({
  id: request.id,
  address: request.ip,
  userAgent: String(request.headers['user-agent'] ?? '').slice(0, 500),
  acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
  waitSeconds: waitOf(request.headers.prefer),
  origin: `${request.protocol}://${request.host}`,
});

function makeCtx(services: Services, identity: Identity, request: FastifyRequest, reply: FastifyReply): HttpCtx {
  const cookies: Cookies = {
    get: (name) => request.cookies[name],
    set: (name, value, options) =>
      void reply.setCookie(name, value, { path: '/', sameSite: 'lax', secure: isHttps(services.config.publicUrl, request), ...options }),
    clear: (name) => void reply.clearCookie(name, { path: '/' }),
  };
  const hook: CommitHook = {};
  const ctx = createCtx(services, identity, requestFacts(request), { cookies }, hook);
  commitHooks.set(ctx, hook);
  return ctx;
}

/** The server parses every body as JSON, also under another content type (server-behaviour 1.1); forms only on routes that declare them. */
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
      const isLenient = (request.routeOptions.config as RouteFacts).lenientBody === true;
      parseJson(request, body, (error, parsed) => {
        if (isLenient && (error || typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))) return done(null, undefined);
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

interface ErrorReply {
  status: number;
  message: string;
  body?: Record<string, unknown> | undefined;
}

const tell = (reply: FastifyReply, { status, message, body }: ErrorReply) =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ message, ...body }));

function errorForReader(error: unknown): ErrorReply {
  const known = error instanceof AppError ? error : fromDatabaseError(error);
  if (known) return { status: known.status, message: known.message, body: known.body };
  const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413) return { status, message: 'The request is too large.' };
  if (status >= 400 && status < 500) return { status, message: 'This request cannot be read.' };
  return { status: 500, message: 'Internal Server Error' };
}
