import { setTimeout as delay } from 'node:timers/promises';
import { AppError, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { countAttempt, forgetAttempts, forgiveAttempt, networkOf } from '../session/attempts.ts';

const pairLimit = 10;
const pairWindow = 15 * 60;
const addressLimit = 1000;
const hour = 3600;
const patientUntil = 100;
const longestDelayMs = 5000;

/**
 * design 8, sign-in limits: ten failures for one account from one address lock that pair for 15 minutes; many failures from everywhere slow
 * the account down, but never refuse its correct password.
 */
export function limitedSignIn(ctx: HttpCtx, account: string, attempt: () => Promise<void>): Promise<void> {
  const email = account.trim().toLowerCase();
  const pair = `${email} ${networkOf(ctx.request.address)}`;
  return inTurn(pair, () => counted(ctx, email, pair, attempt));
}

const turns = new Map<string, Promise<unknown>>();

/** Runs attempts for one account from one address one after the other, so that only failures count, not attempts in progress. */
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

/** A missing second factor means that the password was right; checkCode counts wrong codes itself. */
const isRightPassword = (error: unknown) => error instanceof AppError && error.code === 'second_factor';

async function counted(ctx: HttpCtx, email: string, pair: string, attempt: () => Promise<void>): Promise<void> {
  const network = networkOf(ctx.request.address);
  if ((await countAttempt(ctx.db, 'sign-in pair', pair, pairWindow)) > pairLimit)
    throw tooMany('Too many failed attempts to sign in to this account. Please try again in 15 minutes.');
  const isAddressBusy = (await countAttempt(ctx.db, 'sign-in address', network, hour)) > addressLimit;
  const accountCount = await countAttempt(ctx.db, 'sign-in account', email, hour);
  if (isAddressBusy) await delay(longestDelayMs);
  else if (accountCount > patientUntil) await delay(Math.min(longestDelayMs, 50 * (accountCount - patientUntil)));

  const forgive = async () => {
    await forgetAttempts(ctx.db, 'sign-in pair', pair);
    await forgiveAttempt(ctx.db, 'sign-in address', network);
    await forgiveAttempt(ctx.db, 'sign-in account', email);
  };
  /** Takes this attempt back: only failures of the user count, not those of a directory that is away. */
  const uncount = async () => {
    await forgiveAttempt(ctx.db, 'sign-in pair', pair);
    await forgiveAttempt(ctx.db, 'sign-in address', network);
    await forgiveAttempt(ctx.db, 'sign-in account', email);
  };
  try {
    await attempt();
  } catch (error) {
    if (isRightPassword(error)) await forgive();
    else if (!(error instanceof AppError) || error.status >= 500) await uncount();
    // A right password is never refused because of other users' failures from the same address.
    else if (isAddressBusy) throw tooMany('Too many failed attempts to sign in from this address. Please try again in an hour.');
    throw error;
  }
  await forgive();
}
