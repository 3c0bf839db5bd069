import type { Ctx } from '../platform/context.ts';
import { forbidden } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { randomKey, type Secrets } from '../platform/secrets.ts';
import {
  deleteSession,
  type EndedSession,
  insertOrJoinSession,
  insertSession,
  replaceSessionsOf,
  type SessionProvider,
} from './sessions.store.ts';

export const sessionCookie = 'session';
export const csrfCookie = 'csrf_token';
export const csrfHeader = 'x-csrf-token';

/** server-behaviour 2: six hours from the last request, or a month with "remember me". */
export const sessionLifeSeconds = (remember: boolean) => (remember ? 31 * 86_400 : 6 * 3600);

/** Bound to the session, so that another session's token is invalid (security 15). */
export const csrfTokenOf = (secrets: Secrets, sessionToken: string) => secrets.hash('csrf', sessionToken).toString('base64url');

/** The OpenID Connect provider that began a session, and the token it sent for the person. */
export interface SessionOrigin {
  provider: SessionProvider;
  id_token: string;
}

/** False when it could not be started after all: see `insertSession`. */
export async function startSession(
  ctx: HttpCtx,
  userId: number,
  remember: boolean,
  password_hash?: string,
  origin?: SessionOrigin,
): Promise<boolean> {
  const token = randomKey(43);
  const life = sessionLifeSeconds(remember);
  const isStarted = await insertSession(ctx.db, {
    token_hash: ctx.secrets.hash('session', token),
    user_id: userId,
    remember,
    address: ctx.request.address,
    user_agent: ctx.request.userAgent,
    life_seconds: life,
    password_hash,
    provider: origin?.provider,
    id_token_sealed: origin && ctx.secrets.seal(origin.id_token),
  });
  if (isStarted) setSessionCookies(ctx, token, remember);
  return isStarted;
}

/** The session that belongs to a proof of a proxy in front: the same proof has the same session. */
export async function joinSession(ctx: Ctx, userId: number, proof: string): Promise<{ value: string; isNew: boolean }> {
  const value = ctx.secrets.hash('proxy session', proof).toString('base64url');
  const joined = await insertOrJoinSession(ctx.db, {
    token_hash: ctx.secrets.hash('session', value),
    user_id: userId,
    remember: false,
    address: ctx.request.address,
    user_agent: ctx.request.userAgent,
    life_seconds: sessionLifeSeconds(false),
    provider: 'jwt',
  });
  if (!joined) throw forbidden('This account is disabled. Please ask an administrator.');
  return { value, isNew: joined.isNew };
}

function setSessionCookies(ctx: Pick<HttpCtx, 'cookies' | 'secrets'>, token: string, remember: boolean): void {
  const life = remember ? { maxAge: sessionLifeSeconds(true) } : {};
  ctx.cookies.set(sessionCookie, token, { httpOnly: true, ...life });
  ctx.cookies.set(csrfCookie, csrfTokenOf(ctx.secrets, token), { httpOnly: false, ...life });
}

/** Answers the session that ended; undefined when there was none. */
export async function endSession(ctx: HttpCtx): Promise<EndedSession | undefined> {
  const ended =
    ctx.identity.kind === 'user' && ctx.identity.session_id !== null ? await deleteSession(ctx.db, ctx.identity.session_id) : undefined;
  ctx.cookies.clear(sessionCookie);
  ctx.cookies.clear(csrfCookie);
  return ended;
}

/** design 8: a new password ends every session; the one that changed it continues under a new cookie, with its provider and its age. */
export async function restartSessions(ctx: HttpCtx, userId: number): Promise<void> {
  const own = ctx.identity.kind === 'user' && ctx.identity.id === userId ? ctx.identity.session_id : null;
  const token = randomKey(43);
  const renewed = await replaceSessionsOf(ctx.db, userId, own, ctx.secrets.hash('session', token));
  if (renewed) setSessionCookies(ctx, token, renewed.remember);
}

export {
  deleteOtherSessionsOf as endOtherSessionsOf,
  deleteSessionOf as endSessionOf,
  deleteSessionsOf as endSessionsOf,
  isSessionYoung,
  listSessionsOf,
} from './sessions.store.ts';
