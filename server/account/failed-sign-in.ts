import { noteSignIn } from '../audit/audit.ts';
import type { Ctx } from '../platform/context.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';

interface FailedSignIn {
  method: string;
  reason: string;
  /** As it was typed. */
  email?: string;
  /** Where the account is certain, such as after the right password. */
  user_id?: number;
}

/** Anybody can call the addresses that providers send people back to, so that one address must not fill the audit log. */
const mostPerHour = 50;

/** Writes a failed sign-in to the audit log. Passwords and codes are never written. */
export async function noteFailedSignIn(ctx: Ctx, { email, user_id, ...details }: FailedSignIn): Promise<void> {
  if ((await countAttempt(ctx.db, 'failed sign-in entry', networkOf(ctx.request.address), 3600)) > mostPerHour) return;
  await noteSignIn(ctx, 'login failed', { ...(email ? { email: email.slice(0, 320) } : {}), ...details }, user_id);
}
