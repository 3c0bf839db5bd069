import { type Identity, type KeyHolder, nobody } from '@telltale/domain/access/identity.ts';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../platform/context.ts';
import { AppError, forbidden, invalid } from '../platform/errors.ts';
import type { Guarded } from '../platform/http/access.ts';
import { type Doorkeeper, isHttps } from '../platform/http/http.ts';
import { equalInConstantTime } from '../platform/secrets.ts';
import { readAccessToken } from './access-token.ts';
import { findPersonByKey, findPersonBySession, findPersonBySessionId, touchSession, touchUser } from './sessions.store.ts';
import { csrfCookie, csrfHeader, csrfTokenOf, sessionCookie, sessionLifeSeconds } from './sessions.ts';

/** A room that owns keys which are not a person's (queries, shared dashboards) says here what they open. */
export type KeyResolver = (
  services: Services,
  key: string,
  request: FastifyRequest,
  route: Guarded & { path: string },
) => Promise<KeyHolder | undefined>;

const touchEveryMs = 60_000;

export function createDoorkeeper(services: Services, keyResolvers: readonly KeyResolver[]): Doorkeeper {
  const { db, secrets, config, log } = services;
  const touched = new Map<string, number>();
  const remembered = new WeakMap<FastifyRequest, boolean>();

  /** Keeps "last active" current without a write per request; each session on its own, or a busy one would let the others expire. */
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
      if (holder) return holder;
    }
    return nobody;
  };

  const byToken = async (token: string): Promise<Identity> => {
    const sessionId = readAccessToken(secrets, token, new Date());
    const person = sessionId === undefined ? undefined : await findPersonBySessionId(db, sessionId);
    return person ? { kind: 'user', ...person, via: 'token', session_id: sessionId ?? null } : nobody;
  };

  const byCookie = async (cookie: string, request: FastifyRequest): Promise<Identity> => {
    const row = await findPersonBySession(db, secrets.hash('session', cookie));
    if (!row) return nobody;
    const { session_id, remember, seen_at, ...person } = row;
    remembered.set(request, remember);
    if (Date.now() - Date.parse(seen_at) > touchEveryMs)
      touch(`session ${session_id}`, () => touchSession(db, session_id, sessionLifeSeconds(remember)));
    return { kind: 'user', ...person, via: 'session', session_id };
  };

  return {
    /** design 8: a key wins over the cookie, and one that does not resolve is nobody, never the cookie's owner. */
    async identify(request, route) {
      const given = credentialsOf(request);
      if (given?.kind === 'token') return byToken(given.value);
      if (given?.kind === 'key') return byKey(given.value, request, route);
      const cookie = request.cookies[sessionCookie];
      return cookie ? byCookie(cookie, request) : nobody;
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
      if (request.cookies[csrfCookie] === expected) return;
      const life = remembered.get(request) ? { maxAge: sessionLifeSeconds(true) } : {};
      reply.setCookie(csrfCookie, expected, { path: '/', sameSite: 'lax', secure: isHttps(config.publicUrl, request), ...life });
    },
  };
}

/** server-behaviour 2: the query string first, then the header, with or without its leading word. */
function credentialsOf(request: FastifyRequest): { kind: 'key' | 'token'; value: string } | undefined {
  const query = request.query as Record<string, unknown> | undefined;
  // Given twice it is no key at all, but it still is not the cookie's request.
  if (query?.api_key) return { kind: 'key', value: String(query.api_key) };
  const header = request.headers.authorization?.trim();
  // A proxy in front may use Basic for itself; that is no key of ours.
  if (!header || /^basic\s/i.test(header)) return undefined;
  const [, token] = /^bearer\s+(.*)$/i.exec(header) ?? [];
  if (token !== undefined) return { kind: 'token', value: token };
  return { kind: 'key', value: header.replace(/^key\s+/i, '') };
}
