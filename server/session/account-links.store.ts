import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** Stores a new link; older ones of the same purpose are deleted. */
export async function replaceLink(
  db: Db,
  link: { token_hash: Buffer; purpose: string; user_id: number; bound_to: string; days: number },
): Promise<void> {
  await sql`delete from account_tokens where user_id = ${link.user_id} and purpose = ${link.purpose}`.execute(db);
  await sql`
    insert into account_tokens (token_hash, purpose, user_id, bound_to, expires_at)
    values (${link.token_hash}, ${link.purpose}, ${link.user_id}, ${link.bound_to}, now() + make_interval(days => ${link.days}))`.execute(
    db,
  );
}

interface LinkRow {
  user_id: number;
  bound_to: string;
  is_expired: boolean;
  is_used: boolean;
  email: string;
  password_hash: string | null;
  is_invitation_pending: boolean;
  disabled_at: string | null;
}

/** Locks the link until the transaction ends. */
export async function lockLink(db: Db, purpose: string, tokenHash: Buffer): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    select user_id, bound_to, expires_at < now() as is_expired, used_at is not null as is_used, email, password_hash, is_invitation_pending,
      disabled_at
    from account_tokens join users on users.id = user_id
    where token_hash = ${tokenHash} and purpose = ${purpose}
    for update of account_tokens`.execute(db);
  return rows[0];
}

export const markUsed = (db: Db, tokenHash: Buffer) =>
  sql`update account_tokens set used_at = now() where token_hash = ${tokenHash}`.execute(db);
