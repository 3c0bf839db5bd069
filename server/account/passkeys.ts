import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Passkey } from '@telltale/domain/users/factors-contract.ts';
import { z } from 'zod';
import { recordEvent } from '../events/events.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { may } from '../policy/policy.ts';
import { beginFlow, takeFlow } from '../session/flows.ts';
import { recordLogin } from '../session/login-event.ts';
import { startSession } from '../session/sessions.ts';
import { getUserRow, requireProof } from '../users/users.ts';
import { noteFailedSignIn } from './failed-sign-in.ts';
import { siteOf } from './methods/method.ts';
import { deletePasskey, findPasskey, insertPasskey, listPasskeys, usePasskey } from './passkeys.store.ts';

const mostPasskeys = 20;
/** Loaded when the first passkey is used: its certificates would be a tenth of the modules of every start. */
const webAuthn = () => import('@simplewebauthn/server');
const rpIdOf = (ctx: HttpCtx) => new URL(siteOf(ctx)).hostname;
const originOf = (ctx: HttpCtx) => new URL(siteOf(ctx)).origin;
const wrong = () => invalid('This passkey cannot be used here.');

/** Extracts the challenge that the browser signed; takeFlow later checks that it is one of ours. */
function challengeOf(response: unknown): string {
  const shape = z.object({ response: z.object({ clientDataJSON: z.string().max(10_000) }) });
  const parsed = shape.safeParse(response);
  if (!parsed.success) throw wrong();
  try {
    const said: unknown = JSON.parse(Buffer.from(parsed.data.response.clientDataJSON, 'base64url').toString('utf8'));
    return z.object({ challenge: z.string().max(1000) }).parse(said).challenge;
  } catch {
    throw wrong();
  }
}

export async function readPasskeys(ctx: UserCtx, userId: number): Promise<Passkey[]> {
  if (!may(ctx.user, 'remove_factor', 'user', { id: userId })) throw forbidden();
  await getUserRow(ctx, userId);
  return (await listPasskeys(ctx.db, userId)).map(({ credential_id: _, ...passkey }) => passkey);
}

export async function passkeyOptions(ctx: HttpCtx<UserCtx>, userId: number, password: string | undefined) {
  if (!may(ctx.user, 'add_factor', 'user', { id: userId })) throw forbidden();
  const user = await getUserRow(ctx, userId);
  if (!user.password_hash) throw invalid('Only accounts with a password have passkeys. Yours signs in by a provider.');
  await requireProof(ctx, password, 'Please enter your current password to add a passkey.');
  const known = await listPasskeys(ctx.db, userId);
  if (known.length >= mostPasskeys) throw invalid(`An account has at most ${mostPasskeys} passkeys.`);
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: 'Telltale',
    rpID: rpIdOf(ctx),
    userName: user.email,
    userDisplayName: user.name,
    userID: Buffer.from(`telltale user ${userId}`),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await beginFlow(ctx, 'passkey-new', options.challenge, { user_id: userId });
  return { options: { ...options } as Record<string, unknown> };
}

export async function addPasskey(ctx: HttpCtx<UserCtx>, userId: number, name: string, given: Record<string, unknown>): Promise<Passkey> {
  if (!may(ctx.user, 'add_factor', 'user', { id: userId })) throw forbidden();
  const challenge = challengeOf(given);
  const flow = await takeFlow<{ user_id: number }>(ctx, 'passkey-new', challenge);
  if (flow?.user_id !== userId) throw wrong();
  const { registrationInfo } = await (await webAuthn())
    .verifyRegistrationResponse({
      response: given as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: originOf(ctx),
      expectedRPID: rpIdOf(ctx),
      requireUserVerification: true,
    })
    .catch((error: unknown) => {
      ctx.log.warn({ err: error, user: userId }, 'a passkey was refused');
      throw wrong();
    });
  if (!registrationInfo) throw wrong();
  const { id: credential_id, publicKey, counter, transports = [] } = registrationInfo.credential;
  const key = { credential_id, user_id: userId, public_key: Buffer.from(publicKey), counter, transports: [...transports], name };
  return ctx.transaction(async (tx) => {
    const passkey = await insertPasskey(tx.db, key);
    if (!passkey) throw conflict('This passkey is known already.');
    await recordEvent(tx, 'add_passkey', 'user', userId);
    return passkey;
  });
}

export async function removePasskey(ctx: UserCtx, userId: number, id: number): Promise<null> {
  if (!may(ctx.user, 'remove_factor', 'user', { id: userId })) throw forbidden();
  if (ctx.user.via !== 'session') throw forbidden('Sign in to remove a passkey.');
  return ctx.transaction(async (tx) => {
    if (!(await deletePasskey(tx.db, userId, id))) throw notFound('Passkey');
    await recordEvent(tx, 'remove_passkey', 'user', userId);
    return null;
  });
}

async function requirePasswordLogin(ctx: HttpCtx): Promise<void> {
  if (!(await getSettings(ctx)).auth_password_login_enabled) throw notFound('Page');
}

/** Creates options without an account: the browser offers its passkeys for this site, and the signed answer identifies the account. */
export async function signInOptions(ctx: HttpCtx) {
  await requirePasswordLogin(ctx);
  const options = await (await webAuthn()).generateAuthenticationOptions({ rpID: rpIdOf(ctx), userVerification: 'required' });
  await beginFlow(ctx, 'passkey', options.challenge, {});
  return options;
}

export async function signInByPasskey(ctx: HttpCtx, given: unknown): Promise<void> {
  await requirePasswordLogin(ctx);
  try {
    await enterByPasskey(ctx, given);
  } catch (error) {
    if (error instanceof AppError) await noteFailedSignIn(ctx, { method: 'passkey', reason: error.message });
    throw error;
  }
}

/** A passkey with its PIN or fingerprint is two factors at once, so no code is asked for. */
async function enterByPasskey(ctx: HttpCtx, given: unknown): Promise<void> {
  const challenge = challengeOf(given);
  const { id } = z
    .object({ id: z.string().max(2000) })
    .catch({ id: '' })
    .parse(given);
  if (!(await takeFlow(ctx, 'passkey', challenge))) throw invalid('This sign-in has expired. Please try again.');
  const owner = await findPasskey(ctx.db, id);
  if (!owner) throw wrong();
  const { verified, authenticationInfo } = await (await webAuthn())
    .verifyAuthenticationResponse({
      response: given as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: originOf(ctx),
      expectedRPID: rpIdOf(ctx),
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(owner.public_key), counter: Number(owner.counter) },
    })
    .catch((error: unknown) => {
      ctx.log.warn({ err: error, user: owner.user_id }, 'a passkey was refused');
      throw wrong();
    });
  if (!verified || !(await usePasskey(ctx.db, owner.id, authenticationInfo.newCounter))) throw wrong();
  if (!(await startSession(ctx, owner.user_id, true, owner.password_hash))) throw wrong();
  await recordLogin(ctx, { id: owner.user_id, org_id: owner.org_id });
}
