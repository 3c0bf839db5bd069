import { minPasswordLength } from '@telltale/domain/users/contract.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { invalid, notFound, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { absoluteLink, checkLink, type LinkFault, type LinkPurpose, makeLink, useLink } from '../session/account-links.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { hashPassword } from '../session/passwords.ts';
import { endSessionsOf, startSession } from '../session/sessions.ts';
import { sendAccountDisabled, sendReset } from '../users/letters.ts';
import { changeUser, findUserByEmail } from '../users/users.ts';

/** screens 2: the texts of links that do not work. */
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

/** The user a link speaks for; its fault as a 400 otherwise. */
export async function requireLink(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<number> {
  const checked = await checkLink(ctx, purpose, token);
  if ('fault' in checked) throw invalid(linkFaults[purpose][checked.fault]);
  return checked.user_id;
}

/** The same answer whether or not the account exists; mails are limited so that nobody can be flooded. */
export async function forgot(ctx: HttpCtx, email: string): Promise<void> {
  if (!(await getSettings(ctx)).auth_password_login_enabled) throw notFound('Page');
  if ((await countAttempt(ctx.db, 'forgot address', networkOf(ctx.request.address), 3600)) > 10)
    throw tooMany('Too many requests. Please try again in an hour.');
  if ((await countAttempt(ctx.db, 'forgot account', email.trim().toLowerCase(), 3600)) > 5) return;
  await ctx.transaction(async (tx) => {
    const user = await findUserByEmail(tx.db, email);
    if (!user || !tx.mail.isConfigured) return;
    if (user.disabled_at) await sendAccountDisabled(tx, user);
    else await sendReset(tx, user, absoluteLink(tx, await makeLink(tx, 'reset', user)));
  });
}

/** Invitation and reset end the same way: a new password, all other sessions over, signed in. */
export async function choosePassword(
  ctx: HttpCtx,
  purpose: 'invite' | 'reset',
  token: string,
  password: string | undefined,
): Promise<void> {
  const userId = await ctx.transaction(async (tx) => {
    const id = await requireLink(tx, purpose, token);
    if (!password) throw invalid('Cannot use empty password.');
    if (password.length < minPasswordLength) throw invalid(`Password length is too short (<${minPasswordLength}).`);
    await changeUser(tx, id, { password_hash: await hashPassword(password), is_invitation_pending: false });
    await useLink(tx, purpose, token);
    await endSessionsOf(tx.db, id);
    return id;
  });
  await startSession(ctx, userId, true);
}

export async function verifyEmail(ctx: Ctx, token: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const id = await requireLink(tx, 'verify', token);
    await changeUser(tx, id, { is_email_verified: true });
    await useLink(tx, 'verify', token);
  });
}
