import { type Identity, type KeyHolder, nobody } from '@telltale/domain/access/identity.ts';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../platform/context.ts';
import { AppError, forbidden, invalid } from '../platform/errors.ts';
import type { Guarded } from '../platform/http/access.ts';
import { type Authentication, isHttps } from '../platform/http/http.ts';
import { equalInConstantTime } from '../platform/secrets.ts';
import { readAccessToken } from './access-token.ts';
import {
  findPersonByKey,
  findPersonBySession,
  findPersonBySessionId,
  type SessionProvider,
  touchSession,
  touchUser,
} from './sessions.store.ts';
import { csrfCookie, csrfHeader, csrfTokenOf, sessionCookie, sessionLifeSeconds } from './sessions.ts';

/** Resolves keys that do not belong to a user; the rooms that own them (queries, shared dashboards) provide it. */
export type KeyResolver = (
  services: Services,
  key: string,
  request: FastifyRequest,
  route: Guarded & { path: string },
) => Promise<KeyHolder | undefined>;

/** A proxy in front that names the person with each request; the room of the sign-in methods provides it. */
export interface ProxySignIn {
  /** The e-mail address that a valid token of this request names. */
  addressOf(request: FastifyRequest): Promise<string | undefined>;
  /** Signs the named person in and returns the value of the session's cookie; undefined without a token. Throws for one that is not valid. */
  enter(request: FastifyRequest): Promise<string | undefined>;
}

const touchEveryMs = 60_000;

export function createAuthentication(services: Services, keyResolvers: readonly KeyResolver[], proxy?: ProxySignIn): Authentication {
  const { db, secrets, config, log } = services;
  const touched = new Map<string, number>();
  const remembered = new WeakMap<FastifyRequest, boolean>();
  /** Requests whose session a proxy's token began; their browser is given its cookie. */
  const begun = new WeakSet<FastifyRequest>();

  /** Keeps "last active" current without a write per request; per session, or a busy one would let the others expire. */
  const touch = (who: string, write: () => Promise<unknown>) => {
    const now = Date.now();
    if (now - (touched.get(who) ?? 0) < touchEveryMs) return;
    if (touched.size > 100_000) touched.clear();
    touched.set(who, now);
    write().catch((error: Error) => log.warn({ err: error.message }, 'could not note activity'));
  };

  const byKey = async (key: string, request: FastifyRequest, route: Guarded & { path: string }): Promise<Identity> => {
    const person = await findPersonByKey(db, secrets.hash('api key', key));
    if (person) {
      touch(`key ${person.id}`, () => touchUser(db, person.id));
      return { kind: 'user', ...person, via: 'key', session_id: null };
    }
    for (const resolve of keyResolvers) {
      const holder = await resolve(services, key, request, route);
      if (holder) return { ...holder, key };
    }
    return nobody;
  };

  /** The session of a proxy's token ends with the token, and so does what was made from the session. */
  const isVouchedFor = async (request: FastifyRequest, provider: SessionProvider | null, email: string): Promise<boolean> =>
    provider !== 'jwt' || (await proxy?.addressOf(request))?.toLowerCase() === email.toLowerCase();

  const byToken = async (token: string, request: FastifyRequest): Promise<Identity> => {
    const sessionId = readAccessToken(secrets, token, new Date());
    const row = sessionId === undefined ? undefined : await findPersonBySessionId(db, sessionId);
    if (!row) return nobody;
    const { provider, ...person } = row;
    if (!(await isVouchedFor(request, provider, person.email))) return nobody;
    return { kind: 'user', ...person, via: 'token', session_id: sessionId ?? null };
  };

  const byCookie = async (cookie: string, request: FastifyRequest): Promise<Identity> => {
    const row = await findPersonBySession(db, secrets.hash('session', cookie));
    if (!row) return nobody;
    const { session_id, remember, seen_at, provider, ...person } = row;
    if (!(await isVouchedFor(request, provider, person.email))) return nobody;
    remembered.set(request, remember);
    if (Date.now() - Date.parse(seen_at) > touchEveryMs)
      touch(`session ${session_id}`, () => touchSession(db, session_id, sessionLifeSeconds(remember)));
    return { kind: 'user', ...person, via: 'session', session_id };
  };

  const byProxy = async (request: FastifyRequest, route: Guarded & { path: string }): Promise<Identity> => {
    // Probes and other open addresses work without the database, unless there is something to look at.
    if (route.needs === 'anyone' && !hasTokenLike(request)) return nobody;
    try {
      const value = await proxy?.enter(request);
      if (!value) return nobody;
      request.cookies[sessionCookie] = value;
      begun.add(request);
      return await byCookie(value, request);
    } catch (error) {
      // Pages that are open to everybody, the sign-in page among them, stay so.
      if (route.needs === 'anyone' || !route.path.startsWith('/api/')) return nobody;
      throw error;
    }
  };

  return {
    /** design 8: a key wins over the cookie, and an unknown key means nobody, never the cookie's owner. */
    async identify(request, route) {
      const given = credentialsOf(request);
      if (given?.kind === 'token') return byToken(given.value, request);
      if (given?.kind === 'key') return byKey(given.value, request, route);
      const cookie = request.cookies[sessionCookie];
      const known = cookie ? await byCookie(cookie, request) : nobody;
      return known.kind === 'nobody' ? byProxy(request, route) : known;
    },

    requireSameSite(request, identity) {
      if (identity.kind !== 'nobody' && !(identity.kind === 'user' && identity.via === 'session')) return;
      const { origin, 'sec-fetch-site': site } = request.headers;
      const ownOrigins = [`${request.protocol}://${request.host}`, config.publicUrl ? new URL(config.publicUrl).origin : undefined];
      if (site === 'cross-site' || (origin !== undefined && !ownOrigins.includes(origin))) {
        throw forbidden('This request came from another site and was refused.');
      }
      if (identity.kind === 'nobody') return;
      const type = request.headers['content-type'] ?? '';
      if (/^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)/i.test(type)) {
        throw new AppError(415, 'media_type', 'Send the body as application/json.');
      }
      const expected = csrfTokenOf(secrets, request.cookies[sessionCookie] ?? '');
      const given = request.headers[csrfHeader];
      if (typeof given !== 'string' || !equalInConstantTime(given, expected)) throw invalid('The CSRF token is missing or stale.');
    },

    refreshCookies(request, reply, identity) {
      if (identity.kind !== 'user' || identity.via !== 'session') return;
      const expected = csrfTokenOf(secrets, request.cookies[sessionCookie] ?? '');
      const secure = isHttps(config.publicUrl, request);
      const session = begun.has(request) ? request.cookies[sessionCookie] : undefined;
      if (session) reply.setCookie(sessionCookie, session, { path: '/', sameSite: 'lax', secure, httpOnly: true });
      if (request.cookies[csrfCookie] === expected) return;
      const life = remembered.get(request) ? { maxAge: sessionLifeSeconds(true) } : {};
      reply.setCookie(csrfCookie, expected, { path: '/', sameSite: 'lax', secure, ...life });
    },
  };
}

const tokenShape = /^(?:bearer\s+)?[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/i;
const hasTokenLike = ({ headers, cookies }: FastifyRequest): boolean =>
  [...Object.values(headers), ...Object.values(cookies)].some((value) => typeof value === 'string' && tokenShape.test(value));

/** server-behaviour 2: the query string first, then the header, with or without its leading word. */
function credentialsOf(request: FastifyRequest): { kind: 'key' | 'token'; value: string } | undefined {
  const query = request.query as Record<string, unknown> | undefined;
  // A key given twice is invalid, but the request still does not count as the cookie's.
  if (query?.api_key) return { kind: 'key', value: String(query.api_key) };
  const header = request.headers.authorization?.trim();
  // A proxy in front may use Basic for itself, so it is no key of ours.
  if (!header || /^basic\s/i.test(header)) return undefined;
  const [, token] = /^bearer\s+(.*)$/i.exec(header) ?? [];
  if (token !== undefined) return { kind: 'token', value: token };
  return { kind: 'key', value: header.replace(/^key\s+/i, '') };
}
