import type { HttpCtx } from '../platform/http/http.ts';
import { randomKey, type Secrets } from '../platform/secrets.ts';
import { deleteSession, deleteSessionsOf, insertSession, isRemembered } from './sessions.store.ts';

export const sessionCookie = 'session';
export const csrfCookie = 'csrf_token';
export const csrfHeader = 'x-csrf-token';

/** server-behaviour 2: six hours from the last request, or a month when asked to remember. */
export const sessionLifeSeconds = (remember: boolean) => (remember ? 31 * 86_400 : 6 * 3600);

/** Bound to the session, so that another session's token is worth nothing (security 15). */
export const csrfTokenOf = (secrets: Secrets, sessionToken: string) => secrets.hash('csrf', sessionToken).toString('base64url');

/** False when it could not be started after all: see `insertSession`. */
export async function startSession(ctx: HttpCtx, userId: number, remember: boolean, password_hash?: string): Promise<boolean> {
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
  });
  if (isStarted) setSessionCookies(ctx, token, remember);
  return isStarted;
}

function setSessionCookies(ctx: Pick<HttpCtx, 'cookies' | 'secrets'>, token: string, remember: boolean): void {
  const life = remember ? { maxAge: sessionLifeSeconds(true) } : {};
  ctx.cookies.set(sessionCookie, token, { httpOnly: true, ...life });
  ctx.cookies.set(csrfCookie, csrfTokenOf(ctx.secrets, token), { httpOnly: false, ...life });
}

export async function endSession(ctx: HttpCtx): Promise<void> {
  if (ctx.identity.kind === 'user' && ctx.identity.session_id !== null) await deleteSession(ctx.db, ctx.identity.session_id);
  ctx.cookies.clear(sessionCookie);
  ctx.cookies.clear(csrfCookie);
}

/** design 8: a new password ends every session; the one that changed it goes on under a new cookie. */
export async function restartSessions(ctx: HttpCtx, userId: number): Promise<void> {
  const own = ctx.identity.kind === 'user' && ctx.identity.id === userId ? ctx.identity.session_id : null;
  const remember = own === null ? false : await isRemembered(ctx.db, own);
  await deleteSessionsOf(ctx.db, userId);
  if (own !== null) await startSession(ctx, userId, remember);
}

export { deleteSessionsOf as endSessionsOf } from './sessions.store.ts';
