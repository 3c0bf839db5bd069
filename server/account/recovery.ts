import { setTimeout as delay } from 'node:timers/promises';
import { minPasswordLength } from '@telltale/domain/users/contract.ts';
import { noteSignIn } from '../audit/audit.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { invalid, notFound, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { absoluteLink, checkLink, type LinkFault, type LinkPurpose, makeLink, useLink } from '../session/account-links.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { hashPassword } from '../session/passwords.ts';
import { endSessionsOf, startSession } from '../session/sessions.ts';
import { sendAccountDisabled, sendReset } from '../users/account-mails.ts';
import { changeUser, findUserByEmail } from '../users/users.ts';
import { findTotp } from './second-factor.store.ts';

/** screens 2: messages for links that do not work. */
const linkFaults: Record<LinkPurpose, Record<LinkFault, string>> = {
  invite: {
    unknown: 'Your invite link is invalid. Bad signature. Please double-check the token.',
    expired: 'Your invite link has expired. Please ask for a new one.',
    used: 'This invitation has already been accepted. Please try resetting your password instead.',
  },
  reset: {
    unknown: 'Your reset link is invalid. Please ask for a new one.',
    expired: 'Your reset link has expired. Please ask for a new one.',
    used: 'Your reset link has been used already. Please ask for a new one.',
  },
  verify: {
    unknown: 'Your verification link is invalid. Please ask for a new one.',
    expired: 'Your verification link is invalid. Please ask for a new one.',
    used: 'Your verification link is invalid. Please ask for a new one.',
  },
};

/** Returns the user of a link; an invalid link throws a 400. */
export async function requireLink(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<number> {
  const checked = await checkLink(ctx, purpose, token);
  if ('fault' in checked) throw invalid(linkFaults[purpose][checked.fault]);
  return checked.user_id;
}

/** The limit is high, because a whole company may share one address: a low one would let one person lock all others out. */
const mostPerAddress = 1000;

/** Longer than it takes to make and queue a letter, so that the time of an answer does not say whether there is an account. */
export const answerAfterMs = 250;

/** Answers the same, after the same time, for accounts that exist and those that do not. The number of mails to one address is limited. */
export async function forgot(ctx: HttpCtx, email: string): Promise<void> {
  await Promise.all([sendForgotten(ctx, email), delay(answerAfterMs)]);
}

async function sendForgotten(ctx: HttpCtx, email: string): Promise<void> {
  if (!(await getSettings(ctx)).auth_password_login_enabled) throw notFound('Page');
  const account = email.trim().toLowerCase();
  const network = networkOf(ctx.request.address);
  const isFlood =
    (await countAttempt(ctx.db, 'forgot pair', `${account} ${network}`, 3600)) > 10 ||
    (await countAttempt(ctx.db, 'forgot address', network, 3600)) > mostPerAddress;
  if (isFlood) throw tooMany('Too many requests. Please try again in an hour.');
  if ((await countAttempt(ctx.db, 'forgot account', account, 3600)) > 5) return;
  await ctx.transaction(async (tx) => {
    const user = await findUserByEmail(tx.db, email);
    if (!user || !tx.mail.isConfigured) return;
    if (user.disabled_at) await sendAccountDisabled(tx, user);
    // security 16: accounts of a sign-in provider get no reset link; a password would bypass the provider.
    else if (user.password_hash || user.is_invitation_pending)
      await sendReset(tx, user, absoluteLink(tx, await makeLink(tx, 'reset', user)));
  });
}

/** Sets the password of an invitation or a reset: ends all other sessions and signs the user in. */
export async function choosePassword(
  ctx: HttpCtx,
  purpose: 'invite' | 'reset',
  token: string,
  password: string | undefined,
): Promise<void> {
  if (!(await getSettings(ctx)).auth_password_login_enabled) throw invalid('Password login is not enabled for your organization.');
  const userId = await ctx.transaction(async (tx) => {
    const id = await requireLink(tx, purpose, token);
    if (!password) throw invalid('Cannot use empty password.');
    if (password.length < minPasswordLength) throw invalid(`Password length is too short (<${minPasswordLength}).`);
    await changeUser(tx, id, { password_hash: await hashPassword(password), is_invitation_pending: false });
    await useLink(tx, purpose, token);
    await endSessionsOf(tx.db, id);
    await noteSignIn(tx, purpose === 'invite' ? 'invitation accepted' : 'password reset', {}, id);
    return id;
  });
  // The mailbox is only one factor: accounts with a second factor sign in as usual.
  if (!(await findTotp(ctx.db, userId))?.confirmed_at) await startSession(ctx, userId, true);
}

export async function verifyEmail(ctx: Ctx, token: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const id = await requireLink(tx, 'verify', token);
    await changeUser(tx, id, { is_email_verified: true });
    await useLink(tx, 'verify', token);
  });
}
