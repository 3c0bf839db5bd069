import { createHash } from 'node:crypto';
import { nobody } from '@telltale/domain/access/identity.ts';
import type { FastifyRequest } from 'fastify';
import { getSettings } from '../organizations/organizations.ts';
import { type Ctx, createCtx, type Services } from '../platform/context.ts';
import { AppError, tooMany } from '../platform/errors.ts';
import { requestFacts } from '../platform/http/http.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import type { ProxySignIn } from '../session/authentication.ts';
import { recordLogin } from '../session/login-event.ts';
import { joinSession } from '../session/sessions.ts';
import { accountOf } from './external-account.ts';
import { noteFailedSignIn } from './failed-sign-in.ts';
import { InvalidToken, personOf, tokenOf } from './methods/jwt.ts';

const mostFailuresPerHour = 1000;

/**
 * server-behaviour 2 and 3.8: a proxy in front signs people in and names them to us with each request, by a JSON Web Token in a header or
 * cookie. The first one begins a session, so that everything bound to sessions works (CSRF, the list of sessions, the live socket); the
 * session is believed only together with a valid token for the same person. Signing out, expiry and another person at the proxy take
 * effect at the next request.
 */
export function createProxySignIn(services: Services): ProxySignIn {
  const ctxOf = (request: FastifyRequest): Ctx => createCtx(services, nobody, requestFacts(request), {});
  return {
    async addressOf(request) {
      const ctx = ctxOf(request);
      const settings = await getSettings(ctx);
      const token = tokenOf(request, settings);
      if (!token) return undefined;
      return personOf(ctx, settings, token).then(
        ({ email }) => email,
        () => undefined,
      );
    },
    async enter(request) {
      const ctx = ctxOf(request);
      const settings = await getSettings(ctx);
      const token = tokenOf(request, settings);
      if (!token) return undefined;
      try {
        const person = await personOf(ctx, settings, token);
        const user = await accountOf(ctx, 'jwt', { ...person, isNewcomerAllowed: true });
        // Requests at one moment, and clients without cookies, share the session of their token.
        const proof = `${user.id} ${createHash('sha256').update(token).digest('base64')}`;
        const { value, isNew } = await joinSession(ctx, user.id, proof);
        if (isNew) await recordLogin(ctx, user);
        return value;
      } catch (error) {
        await noteFailure(ctx, error);
        throw error;
      }
    },
  };
}

/** Right tokens are never refused because of wrong ones: behind a proxy everybody has the same address. */
async function noteFailure(ctx: Ctx, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.status >= 500) return;
  if (error instanceof InvalidToken && error.isNoted) return;
  if (error instanceof InvalidToken) error.isNoted = true;
  const reason = error instanceof InvalidToken ? error.reason : error.message;
  ctx.log.info({ request: ctx.request.id, address: ctx.request.address, err: reason }, 'a sign-in token was refused');
  await noteFailedSignIn(ctx, { method: 'jwt', reason });
  if ((await countAttempt(ctx.db, 'token address', networkOf(ctx.request.address), 3600)) > mostFailuresPerHour)
    throw tooMany('Too many sign-in tokens from this address were not valid. Please try again in an hour.');
}
