import { createHash } from 'node:crypto';
import { shownHost } from '../config.ts';
import type { Ctx } from '../platform/context.ts';
import { randomKey } from '../platform/secrets.ts';
import { lockLink, markUsed, replaceLink } from './account-links.store.ts';

export type LinkPurpose = 'invite' | 'reset' | 'verify';
export type LinkFault = 'unknown' | 'expired' | 'used';

const lifeDays: Record<LinkPurpose, number> = { invite: 7, reset: 1, verify: 7 };

/** W4: a link is valid only while the state that it was made for is unchanged. */
const bindingOf = (purpose: LinkPurpose, user: { email: string; password_hash: string | null }) =>
  createHash('sha256')
    .update(purpose === 'verify' ? user.email : `${user.email} ${user.password_hash ?? ''}`)
    .digest('base64url');

const hashOf = (ctx: Ctx, purpose: LinkPurpose, token: string) => ctx.secrets.hash('account link', `${purpose} ${token}`);

/** Makes a new link; older ones of the same purpose stop working. */
export async function makeLink(
  ctx: Ctx,
  purpose: LinkPurpose,
  user: { id: number; email: string; password_hash: string | null },
): Promise<string> {
  const token = randomKey(43);
  await replaceLink(ctx.db, {
    token_hash: hashOf(ctx, purpose, token),
    purpose,
    user_id: user.id,
    bound_to: bindingOf(purpose, user),
    days: lifeDays[purpose],
  });
  return `/${purpose}/${token}`;
}

/** The account was taken into use by a sign-in provider: no link may give it a password any more (security 16). */
const isProvidersAccount = (purpose: LinkPurpose, user: { password_hash: string | null; is_invitation_pending: boolean }) =>
  purpose !== 'verify' && user.password_hash === null && !user.is_invitation_pending;

export async function checkLink(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<{ user_id: number } | { fault: LinkFault }> {
  const link = await lockLink(ctx.db, purpose, hashOf(ctx, purpose, token));
  if (!link || link.disabled_at) return { fault: 'unknown' };
  if (link.is_used || link.bound_to !== bindingOf(purpose, link) || isProvidersAccount(purpose, link)) return { fault: 'used' };
  if (link.is_expired) return { fault: 'expired' };
  return { user_id: link.user_id };
}

/** Call inside the transaction that carries out the link's purpose, after `checkLink`. */
export const useLink = (ctx: Ctx, purpose: LinkPurpose, token: string) => markUsed(ctx.db, hashOf(ctx, purpose, token));

/** security 18: the host in a mail is the configured one, never one from a request. */
export const absoluteLink = (ctx: Ctx, path: string) =>
  `${ctx.config.publicUrl ?? `http://${shownHost(ctx.config.host)}:${ctx.config.port}`}${path}`;
