import { Secret, TOTP } from 'otpauth';
import type { Ctx } from '../platform/context.ts';
import { AppError, invalid, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { randomKey } from '../platform/secrets.ts';
import { countAttempt, forgiveAttempt, networkOf } from '../session/attempts.ts';
import { beginFlow, readFlow, takeFlow } from '../session/flows.ts';
import { recordLogin } from '../session/login-event.ts';
import { startSession } from '../session/sessions.ts';
import { getUserRow } from '../users/users.ts';
import { noteFailedSignIn } from './failed-sign-in.ts';
import { findTotp, useRecoveryCode, useStep } from './second-factor.store.ts';

const period = 30;

export const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Telltale', label, secret: Secret.fromBase32(secret), digits: 6, period });

export const recoveryHash = (ctx: Pick<Ctx, 'secrets'>, userId: number, code: string) =>
  ctx.secrets.hash('recovery code', `${userId} ${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`);

/** Accepts one step of thirty seconds in either direction, because clocks differ; each step works once. */
export async function isFreshCode(ctx: Ctx, userId: number, sealed: Buffer, code: string): Promise<boolean> {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return false;
  const now = Date.now();
  const delta = totpOf(ctx.secrets.open(sealed)).validate({ token: digits, timestamp: now, window: 1 });
  return delta !== null && (await useStep(ctx.db, userId, Math.floor(now / 1000 / period) + delta));
}

interface Waiting {
  id: number;
  password_hash: string;
  remember: boolean;
}

const asking = (message: string, ticket?: string) =>
  new AppError(400, 'second_factor', message, { body: { second_factor: true, ...(ticket ? { ticket } : {}) } });

/** Checks the second factor after a correct password. Passes when the account has no second factor or the code is right. */
export async function requireSecondFactor(ctx: HttpCtx, waiting: Waiting, code: string | undefined): Promise<void> {
  const totp = await findTotp(ctx.db, waiting.id);
  if (!totp?.confirmed_at) return;
  if (code) return checkCode(ctx, waiting.id, totp.secret_sealed, code);
  const ticket = randomKey(43);
  await beginFlow(ctx, 'second-factor', ticket, waiting);
  throw asking('Enter the code from your authenticator app.', ticket);
}

/** Handles the second page of the sign-in: the ticket proves a correct password in this browser. */
export async function finishWithCode(ctx: HttpCtx, ticket: string, code: string): Promise<void> {
  const waiting = await readFlow<Waiting>(ctx, 'second-factor', ticket);
  if (!waiting) throw invalid('This sign-in has expired. Please enter your password again.');
  const totp = await findTotp(ctx.db, waiting.id);
  if (totp?.confirmed_at) await checkCode(ctx, waiting.id, totp.secret_sealed, code);
  if (!(await takeFlow(ctx, 'second-factor', ticket)) || !(await startSession(ctx, waiting.id, waiting.remember, waiting.password_hash)))
    throw invalid('This sign-in has expired. Please enter your password again.');
  await recordLogin(ctx, await getUserRow(ctx, waiting.id));
}

/**
 * Limits wrong codes: more than ten from one address lock that address out for 15 minutes. After a hundred from anywhere in an hour only
 * recovery codes work, which cannot be guessed: someone who knows the password cannot lock the owner out.
 */
async function checkCode(ctx: HttpCtx, userId: number, sealed: Buffer, code: string): Promise<void> {
  const pair = `${userId} ${networkOf(ctx.request.address)}`;
  if ((await countAttempt(ctx.db, 'code pair', pair, 15 * 60)) > 10) throw tooMany('Too many wrong codes. Please try again in 15 minutes.');
  const isGuessed = (await countAttempt(ctx.db, 'code account', String(userId), 3600)) > 100;
  const isRight =
    (!isGuessed && (await isFreshCode(ctx, userId, sealed, code))) ||
    (await useRecoveryCode(ctx.db, userId, recoveryHash(ctx, userId, code)));
  if (!isRight) {
    await noteFailedSignIn(ctx, { method: 'second factor', reason: 'The code is wrong or was used before.', user_id: userId });
    throw asking('This code is wrong or was used before.');
  }
  await forgiveAttempt(ctx.db, 'code pair', pair);
  await forgiveAttempt(ctx.db, 'code account', String(userId));
}
