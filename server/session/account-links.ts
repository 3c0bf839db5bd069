import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { shownHost } from '../config.ts';
import type { Ctx } from '../platform/context.ts';
import { randomKey } from '../platform/secrets.ts';

export type LinkPurpose = 'invite' | 'reset' | 'verify';
export type LinkFault = 'unknown' | 'expired' | 'used';

const lifeDays: Record<LinkPurpose, number> = { invite: 7, reset: 1, verify: 7 };

/** W4: a link is worth something only while what it was made for is unchanged. */
const bindingOf = (purpose: LinkPurpose, user: { email: string; password_hash: string | null }) =>
  createHash('sha256')
    .update(purpose === 'verify' ? user.email : `${user.email} ${user.password_hash ?? ''}`)
    .digest('base64url');

/** A fresh link of its purpose; older ones of the same purpose stop working. */
export async function makeLink(
  ctx: Ctx,
  purpose: LinkPurpose,
  user: { id: number; email: string; password_hash: string | null },
): Promise<string> {
  const token = randomKey(43);
  await sql`delete from account_tokens where user_id = ${user.id} and purpose = ${purpose}`.execute(ctx.db);
  await sql`
    insert into account_tokens (token_hash, purpose, user_id, bound_to, expires_at)
    values (${ctx.secrets.hash('account link', `${purpose} ${token}`)}, ${purpose}, ${user.id}, ${bindingOf(purpose, user)},
            now() + make_interval(days => ${lifeDays[purpose]}))`.execute(ctx.db);
  return `/${purpose}/${token}`;
}

interface LinkRow {
  user_id: number;
  bound_to: string;
  is_expired: boolean;
  is_used: boolean;
  email: string;
  password_hash: string | null;
  disabled_at: string | null;
}

export async function checkLink(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<{ user_id: number } | { fault: LinkFault }> {
  const { rows } = await sql<LinkRow>`
    select user_id, bound_to, expires_at < now() as is_expired, used_at is not null as is_used, email, password_hash, disabled_at
    from account_tokens join users on users.id = user_id
    where token_hash = ${ctx.secrets.hash('account link', `${purpose} ${token}`)} and purpose = ${purpose}
    for update of account_tokens`.execute(ctx.db);
  const link = rows[0];
  if (!link || link.disabled_at) return { fault: 'unknown' };
  if (link.is_used || link.bound_to !== bindingOf(purpose, link)) return { fault: 'used' };
  if (link.is_expired) return { fault: 'expired' };
  return { user_id: link.user_id };
}

/** Call inside the transaction that does what the link is for, after `checkLink`. */
export const useLink = (ctx: Ctx, purpose: LinkPurpose, token: string) =>
  sql`update account_tokens set used_at = now() where token_hash = ${ctx.secrets.hash('account link', `${purpose} ${token}`)}`.execute(
    ctx.db,
  );

/** security 18: the host in a mail is the configured one, never what a request claims. */
export const absoluteLink = (ctx: Ctx, path: string) =>
  `${ctx.config.publicUrl ?? `http://${shownHost(ctx.config.host)}:${ctx.config.port}`}${path}`;
