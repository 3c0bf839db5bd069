import { sql } from 'kysely';
import type { Ctx } from '../platform/context.ts';

export async function forgetOldSessions(ctx: Ctx): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(ctx.db);
  // A month longer than they work, so that an old link can still say why it does not.
  await sql`delete from account_tokens where expires_at < now() - interval '30 days'`.execute(ctx.db);
  await sql`delete from attempts where window_ends_at < now()`.execute(ctx.db);
}
