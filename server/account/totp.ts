import type { TotpReply, TotpState } from '@telltale/domain/users/factors-contract.ts';
import { Secret } from 'otpauth';
import { renderSVG } from 'uqr';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { conflict, forbidden, invalid, notFound, tooMany } from '../platform/errors.ts';
import { randomCode } from '../platform/secrets.ts';
import { may } from '../policy/policy.ts';
import { countAttempt } from '../session/attempts.ts';
import { getUserRow, requireProof } from '../users/users.ts';
import { beginTotp, confirmTotp, deleteTotp, findTotp } from './second-factor.store.ts';
import { isFreshCode, recoveryHash, totpOf } from './second-factor.ts';

interface Given {
  code?: string | undefined;
  old_password?: string | undefined;
}

export async function readTotp(ctx: UserCtx, userId: number): Promise<TotpState> {
  if (!may(ctx.user, 'remove_factor', 'user', { id: userId })) throw forbidden();
  await getUserRow(ctx, userId);
  const row = await findTotp(ctx.db, userId);
  const enabled_at = row?.confirmed_at ?? null;
  return { is_enabled: enabled_at !== null, enabled_at, recovery_codes_left: enabled_at === null ? 0 : (row?.codes_left ?? 0) };
}

export async function saveTotp(ctx: UserCtx, userId: number, given: Given): Promise<TotpReply> {
  if (!may(ctx.user, 'add_factor', 'user', { id: userId })) throw forbidden();
  const user = await getUserRow(ctx, userId);
  if (!user.password_hash) throw invalid('Only accounts with a password have a second factor. Yours signs in by a provider.');
  return given.code ? confirm(ctx, userId, given.code) : begin(ctx, userId, user.email, given.old_password);
}

async function begin(ctx: UserCtx, userId: number, email: string, password: string | undefined): Promise<TotpReply> {
  await requireProof(ctx, password, 'Please enter your current password to turn on the second factor.');
  const secret = new Secret({ size: 20 }).base32;
  if (!(await beginTotp(ctx.db, userId, ctx.secrets.seal(secret)))) throw conflict('The second factor is turned on already.');
  const uri = totpOf(secret, email).toString();
  return { secret, uri, qr: renderSVG(uri, { border: 2 }) };
}

async function confirm(ctx: UserCtx, userId: number, code: string): Promise<TotpReply> {
  await limitTries(ctx);
  return ctx.transaction(async (tx) => {
    const row = await findTotp(tx.db, userId);
    if (!row) throw invalid('Begin with a new secret: POST without a code.');
    if (row.confirmed_at) throw conflict('The second factor is turned on already.');
    if (!(await isFreshCode(tx, userId, row.secret_sealed, code)))
      throw invalid('This code is wrong. Check the clock of your device and try again.');
    const codes = Array.from({ length: 10 }, () => randomCode(3));
    await confirmTotp(
      tx.db,
      userId,
      codes.map((one) => recoveryHash(tx, userId, one)),
    );
    await recordEvent(tx, 'enable_totp', 'user', userId);
    return { recovery_codes: codes };
  });
}

export async function removeTotp(ctx: UserCtx, userId: number, given: Given): Promise<null> {
  if (!may(ctx.user, 'remove_factor', 'user', { id: userId })) throw forbidden();
  await getUserRow(ctx, userId);
  if (!(await isProvedByCode(ctx, userId, given.code)))
    await requireProof(ctx, given.old_password, 'Please enter your current password to turn off the second factor.');
  if (!(await deleteTotp(ctx.db, userId))) throw notFound('Second factor');
  await recordEvent(ctx, 'disable_totp', 'user', userId);
  return null;
}

async function isProvedByCode(ctx: UserCtx, userId: number, code: string | undefined): Promise<boolean> {
  const row = code && may(ctx.user, 'add_factor', 'user', { id: userId }) ? await findTotp(ctx.db, userId) : undefined;
  if (!row || !code) return false;
  await limitTries(ctx);
  return isFreshCode(ctx, userId, row.secret_sealed, code);
}

async function limitTries(ctx: UserCtx): Promise<void> {
  if ((await countAttempt(ctx.db, 'totp', String(ctx.user.id), 15 * 60)) > 20)
    throw tooMany('Too many codes. Please try again in 15 minutes.');
}
