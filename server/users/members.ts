import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import type { User } from '@telltale/domain/users/contract.ts';
import { recordEvent } from '../events/events.ts';
import { deleteMembership, getGroup, insertMembership, requireAdminLeft } from '../groups/groups.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { may } from '../policy/policy.ts';
import { listUsersOfGroup } from './users.store.ts';
import { getUserRow, userAnswer } from './users.ts';

export async function listMembers(ctx: UserCtx, groupId: number, params: ArrayListParams) {
  await getGroup(ctx, groupId);
  const members = (await listUsersOfGroup(ctx.db, groupId)).map((row) => userAnswer(ctx, row));
  return arrayOrPage(members, params, (user) => `${user.name} ${user.email}`);
}

export async function addMember(ctx: UserCtx, groupId: number, userId: number): Promise<User> {
  return ctx.transaction(async (tx) => {
    await getGroup(tx, groupId);
    await getUserRow(tx, userId);
    await insertMembership(tx.db, groupId, userId);
    await recordEvent(tx, 'add_member', 'group', groupId, { member_id: userId });
    return userAnswer(tx, await getUserRow(tx, userId));
  });
}

/** A6: users cannot take themselves out of a built-in group, and the last administrator stays one. */
export async function removeMember(ctx: UserCtx, groupId: number, userId: number): Promise<null> {
  return ctx.transaction(async (tx) => {
    const group = await getGroup(tx, groupId);
    const user = await getUserRow(tx, userId);
    if (!user.groups.some(({ id }) => id === groupId)) throw notFound('Member');
    if (!may(tx.user, 'remove_member', 'group', { is_built_in: group.type === 'builtin', user_id: userId }))
      throw invalid('You cannot remove yourself from a built-in group.');
    await deleteMembership(tx.db, groupId, userId);
    await requireAdminLeft(tx);
    await recordEvent(tx, 'remove_member', 'group', groupId, { member_id: userId });
    return null;
  });
}
