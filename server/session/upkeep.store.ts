import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export async function deleteOldSessions(db: Db): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(db);
  // Links are kept a month longer than they work, so that an old link can still say why it does not.
  await sql`delete from account_tokens where expires_at < now() - interval '30 days'`.execute(db);
  await sql`delete from sign_in_flows where expires_at < now()`.execute(db);
  await sql`delete from attempts where window_ends_at < now()`.execute(db);
}
