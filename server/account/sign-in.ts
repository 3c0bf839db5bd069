import { setTimeout as delay } from 'node:timers/promises';
import { recordEvent } from '../events/events.ts';
import { getSettings } from '../organizations/organizations.ts';
import { invalid, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { countAttempt, forgetAttempts, forgiveAttempt, networkOf } from '../session/attempts.ts';
import { isPassword, wasteTimeOn } from '../session/passwords.ts';
import { startSession } from '../session/sessions.ts';
import { findUserByEmail } from '../users/users.ts';

const pairLimit = 10;
const pairWindow = 15 * 60;
const addressLimit = 1000;
const hour = 3600;
const patientUntil = 100;

/**
 * design 8, sign-in limits: ten failures of one account from one address close that door for a quarter of an hour;
 * many failures from everywhere slow the account down, but never refuse its right password.
 */
export async function signIn(ctx: HttpCtx, given: Given): Promise<void> {
  const email = given.email.trim().toLowerCase();
  const pair = `${email} ${networkOf(ctx.request.address)}`;
  if (!(await getSettings(ctx)).auth_password_login_enabled) throw invalid('Password login is not enabled for your organization.');
  await inTurn(pair, () => attempt(ctx, { ...given, email }, pair));
}

interface Given {
  email: string;
  password: string;
  remember: boolean;
}

const turns = new Map<string, Promise<unknown>>();

/** Attempts of one account from one address wait for each other: only failures fill the count, not those still being checked. */
function inTurn(pair: string, run: () => Promise<void>): Promise<void> {
  const turn = (turns.get(pair) ?? Promise.resolve()).then(run);
  const settled: Promise<unknown> = turn
    .catch(() => {})
    .finally(() => {
      if (turns.get(pair) === settled) turns.delete(pair);
    });
  turns.set(pair, settled);
  return turn;
}

async function attempt(ctx: HttpCtx, given: Given, pair: string): Promise<void> {
  const { email } = given;
  if ((await countAttempt(ctx.db, 'sign-in pair', pair, pairWindow)) > pairLimit)
    throw tooMany('Too many failed attempts to sign in to this account. Please try again in 15 minutes.');
  if ((await countAttempt(ctx.db, 'sign-in address', networkOf(ctx.request.address), hour)) > addressLimit)
    throw tooMany('Too many failed attempts to sign in from this address. Please try again in an hour.');
  const accountCount = await countAttempt(ctx.db, 'sign-in account', email, hour);
  if (accountCount > patientUntil) await delay(Math.min(5000, 50 * (accountCount - patientUntil)));

  const user = await findUserByEmail(ctx.db, email);
  const isRight = user?.password_hash ? await isPassword(given.password, user.password_hash) : await wasteTimeOn(given.password);
  const isIn = user?.password_hash && isRight ? await startSession(ctx, user.id, given.remember, user.password_hash) : false;
  if (!user || !isIn) {
    ctx.log.warn({ request: ctx.request.id, address: ctx.request.address, user: user?.id }, 'a sign-in failed');
    throw invalid('Wrong email or password.');
  }
  await forgetAttempts(ctx.db, 'sign-in pair', pair);
  await forgiveAttempt(ctx.db, 'sign-in address', networkOf(ctx.request.address));
  await forgiveAttempt(ctx.db, 'sign-in account', email);
  await recordEvent(asUser(ctx, user.id, user.org_id), 'login', 'redash', user.org_id);
}

/** The event names who signed in, although the request came from nobody yet. */
const asUser = (ctx: HttpCtx, id: number, org_id: number): HttpCtx => ({
  ...ctx,
  identity: { kind: 'user', id, org_id, name: '', email: '', group_ids: [], permissions: [], via: 'session', session_id: null },
});
