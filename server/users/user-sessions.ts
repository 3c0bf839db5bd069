import type { UserSession } from '@telltale/domain/users/sessions-contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { endOtherSessionsOf, endSessionOf, listSessionsOf } from '../session/sessions.ts';
import { getUserRow } from './users.ts';

/** design 8.1: the sessions of an account are open to its owner and to administrators. */
async function requireReach(ctx: UserCtx, userId: number): Promise<void> {
  if (!may(ctx.user, 'end_sessions', 'user', { id: userId })) throw forbidden();
  await getUserRow(ctx, userId);
}

export async function listUserSessions(ctx: UserCtx, userId: number): Promise<UserSession[]> {
  await requireReach(ctx, userId);
  const rows = await listSessionsOf(ctx.db, userId);
  return rows.map((row) => ({ ...row, is_current: row.id === ctx.user.session_id }));
}

export async function revokeSession(ctx: UserCtx, userId: number, sessionId: number): Promise<null> {
  await requireReach(ctx, userId);
  return ctx.transaction(async (tx) => {
    if (!(await endSessionOf(tx.db, userId, sessionId))) throw notFound('Session');
    return null;
  });
}

export async function revokeOtherSessions(ctx: UserCtx, userId: number): Promise<null> {
  await requireReach(ctx, userId);
  return ctx.transaction(async (tx) => {
    await endOtherSessionsOf(tx.db, userId, tx.user.session_id);
    return null;
  });
}
