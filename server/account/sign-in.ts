import { Counter } from 'prom-client';
import { getSettings } from '../organizations/organizations.ts';
import { invalid } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { metrics } from '../platform/http/metrics.ts';
import { recordLogin } from '../session/login-event.ts';
import { isPassword, wasteTimeOn } from '../session/passwords.ts';
import { startSession } from '../session/sessions.ts';
import { findUserByEmail } from '../users/users.ts';
import { noteFailedSignIn } from './failed-sign-in.ts';
import { finishWithCode, requireSecondFactor } from './second-factor.ts';
import { limitedSignIn } from './sign-in-limits.ts';

interface Given {
  email: string;
  password: string;
  remember: boolean;
  code?: string | undefined;
  ticket?: string | undefined;
}

/** server-behaviour 3.1: unknown accounts, disabled accounts and wrong passwords get the same message. */
export async function signIn(ctx: HttpCtx, given: Given): Promise<void> {
  if (!(await getSettings(ctx)).auth_password_login_enabled) throw invalid('Password login is not enabled for your organization.');
  if (given.ticket) return finishWithCode(ctx, given.ticket, given.code ?? '');
  await limitedSignIn(ctx, given.email, () => attempt(ctx, given));
}

const failures = new Counter({
  name: 'telltale_sign_in_failures_total',
  help: 'Sign-ins with a wrong e-mail address or password.',
  registers: [metrics],
});

async function attempt(ctx: HttpCtx, given: Given): Promise<void> {
  const user = await findUserByEmail(ctx.db, given.email);
  const isRight = user?.password_hash ? await isPassword(given.password, user.password_hash) : await wasteTimeOn(given.password);
  if (user?.password_hash && isRight && !user.disabled_at)
    await requireSecondFactor(ctx, { id: user.id, password_hash: user.password_hash, remember: given.remember }, given.code);
  const isIn = user?.password_hash && isRight ? await startSession(ctx, user.id, given.remember, user.password_hash) : false;
  if (!user || !isIn) {
    failures.inc();
    await noteFailedSignIn(ctx, { method: 'password', reason: 'Wrong email or password.', email: given.email });
    ctx.log.warn({ request: ctx.request.id, address: ctx.request.address, user: user?.id }, 'a sign-in failed');
    throw invalid('Wrong email or password.');
  }
  await recordLogin(ctx, user);
}
